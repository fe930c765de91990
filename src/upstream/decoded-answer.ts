/** Decompresses an answer of the model service. */
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type DomainError, isDomainError } from '../domain/errors.js'
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

/**
 * Decompresses an answer, because some services compress regardless of the request: the proxy could not read it, and the caller might not
 * know the coding. An answer without a coding, or with an unknown one, is unchanged.
 */
export function decoded({ headers, body }: Encoded, { broken, holds }: DecodingOptions): Decoded {
  const { 'content-encoding': name = '', ...others } = headers
  const coding = CODINGS.get(name.toLowerCase())
  if (coding === undefined) return { headers, body }
  holds({ heap: 0, buffers: coding.bytes })
  return { headers: others, body: through(body, coding.create(), broken) }
}

async function* through(body: Readable, decoder: Transform, broken: DomainError): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* pipeline(body, decoder, () => undefined) as AsyncIterable<Uint8Array>
  } catch (error) {
    throw isDomainError(error) ? error : broken
  }
}
