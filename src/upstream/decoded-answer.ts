/** Decompresses an answer of the model service. */
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { DomainError, isDomainError } from '../domain/errors.js'

/** RFC 9110, 8.4.1, and Brotli, which is as common. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress]
])

interface Encoded {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
}

interface Decoded extends Pick<Encoded, 'headers'> {
  readonly body: AsyncIterable<Uint8Array>
}

/** Maximum codings of one answer: more than any service has reason for. Each decoder takes up to 64 KiB. */
const CODINGS_MAX = 4

/**
 * Decompresses an answer, because some services compress regardless of the request: the proxy could not read it, and the caller might not
 * know the coding. Several codings are undone from the last one that was applied to the first; one that is not known stays, with those
 * before it. `broken` is the error for an answer that cannot be decoded. Throws `upstream_unavailable` for more than CODINGS_MAX codings.
 */
export function decoded({ headers, body }: Encoded, broken: DomainError): Decoded {
  const { 'content-encoding': applied = '', ...others } = headers
  // RFC 9110, 5.6.1.2 and 8.4: in the order in which they were applied, with empty elements; `identity` is none.
  const codings = applied.split(',').map((coding) => coding.trim())
  const left = codings.filter((coding) => coding !== '' && coding.toLowerCase() !== 'identity')
  if (left.length > CODINGS_MAX) {
    body.destroy()
    throw new DomainError('upstream_unavailable', `The model service answered with more than ${CODINGS_MAX} content codings`)
  }
  let plain: AsyncIterable<Uint8Array> = body
  for (let decoder = decoderOf(left.at(-1)); decoder !== undefined; decoder = decoderOf(left.at(-1))) {
    plain = through(plain, decoder, broken)
    left.pop()
  }
  return { headers: left.length === 0 ? others : { ...others, 'content-encoding': left.join(', ') }, body: plain }
}

function decoderOf(coding = ''): Transform | undefined {
  return DECODERS.get(coding.toLowerCase())?.()
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
