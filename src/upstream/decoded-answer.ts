/** An answer as it was before the model service compressed it. */
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
 * Some services compress whatever is asked for. Then nothing could be read aside, and the caller got a coding that it may not know. An
 * answer in no coding, or in one that is not known here, stays as it is. `broken`: what one that cannot be decoded ends with.
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
