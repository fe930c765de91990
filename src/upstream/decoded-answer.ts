/** Decompresses an answer of the model service. */
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type DomainError, isDomainError } from '../domain/errors.js'

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

/**
 * Decompresses an answer, because some services compress regardless of the request: the proxy could not read it, and the caller might not
 * know the coding. An answer without a coding, or with an unknown one, is unchanged. `broken` is the error for an answer that cannot be
 * decoded.
 */
export function decoded({ headers, body }: Encoded, broken: DomainError): Decoded {
  const { 'content-encoding': coding = '', ...others } = headers
  const decoder = DECODERS.get(coding.toLowerCase())?.()
  return decoder === undefined ? { headers, body } : { headers: others, body: through(body, decoder, broken) }
}

async function* through(body: Readable, decoder: Transform, broken: DomainError): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* pipeline(body, decoder, () => undefined) as AsyncIterable<Uint8Array>
  } catch (error) {
    throw isDomainError(error) ? error : broken
  }
}
