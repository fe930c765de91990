/** Decompresses an answer of the model service. */
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { DomainError, isDomainError } from '../domain/errors.js'
import type { Weight } from '../domain/fairness/weight.js'

interface Coding {
  readonly create: () => Transform
  /** Bytes that a decoder takes: the window of its coding, and its buffers. */
  readonly bytes: number
}

/** RFC 1950, 2.2: windows of 32 KiB. */
const DEFLATE_BYTES = 64 * 1024

/** RFC 7932, 9.1: windows of 16 MiB. */
const BROTLI_BYTES = 17 * 1024 * 1024

/** RFC 9110, 8.4.1, and Brotli, which is as common. */
const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', { create: createGunzip, bytes: DEFLATE_BYTES }],
  ['x-gzip', { create: createGunzip, bytes: DEFLATE_BYTES }],
  ['deflate', { create: createInflate, bytes: DEFLATE_BYTES }],
  ['br', { create: createBrotliDecompress, bytes: BROTLI_BYTES }]
])

interface Encoded {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
}

interface Decoded extends Pick<Encoded, 'headers'> {
  readonly body: AsyncIterable<Uint8Array>
}

interface DecodingOptions {
  /** Error for an answer that cannot be decoded. */
  readonly broken: DomainError
  /** Takes the memory of a decoder until the answer is over. What it throws is thrown. */
  readonly holds: (weight: Weight) => void
}

/** Maximum codings of one answer: more than any service has reason for. */
const CODINGS_MAX = 4

/**
 * Decompresses an answer, because some services compress regardless of the request: the proxy could not read it, and the caller might not
 * know the coding. Several codings are undone from the last one that was applied to the first; one that is not known stays, with those
 * before it. Throws `upstream_unavailable` for more than CODINGS_MAX codings.
 */
export function decoded({ headers, body }: Encoded, { broken, holds }: DecodingOptions): Decoded {
  const { 'content-encoding': applied = '', ...others } = headers
  // RFC 9110, 5.6.1.2 and 8.4: in the order in which they were applied, with empty elements; `identity` is none.
  const codings = applied.split(',').map((coding) => coding.trim())
  const left = codings.filter((coding) => coding !== '' && coding.toLowerCase() !== 'identity')
  if (left.length > CODINGS_MAX)
    throw new DomainError('upstream_unavailable', `The model service answered with more than ${CODINGS_MAX} content codings`)
  let plain: AsyncIterable<Uint8Array> = body
  for (let coding = codingOf(left); coding !== undefined; coding = codingOf(left)) {
    holds({ heap: 0, buffers: coding.bytes })
    plain = through(plain, coding.create(), broken)
    left.pop()
  }
  return { headers: left.length === 0 ? others : { ...others, 'content-encoding': left.join(', ') }, body: plain }
}

/** The last coding that was applied, if it is known. */
function codingOf(applied: readonly string[]): Coding | undefined {
  return CODINGS.get(applied.at(-1)?.toLowerCase() ?? '')
}

async function* through(
  source: AsyncIterable<Uint8Array>,
  decoder: Transform,
  broken: DomainError
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* pipeline(source, decoder, () => undefined) as AsyncIterable<Uint8Array>
  } catch (error) {
    throw isDomainError(error) ? error : broken
  }
}
