/** Masks the operator's key in an answer of the model service: some services quote a key that they refuse. */
import { pipeline, Transform } from 'node:stream'

/** Fewest characters of a key that is masked. Shorter ones are words such as `EMPTY`, which local services want and which answers hold. */
const KEY_LENGTH_MIN = 16

const MASK = '*'

interface Answer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
}

/** Replaces each character of the key by an asterisk, so that no length changes. `apiKey`: undefined without one. */
export function masked({ headers, body }: Answer, apiKey: string | undefined): Answer {
  if (apiKey === undefined || apiKey.length < KEY_LENGTH_MIN) return { headers, body }
  const mask = MASK.repeat(apiKey.length)
  const shown = Object.entries(headers).map(([name, value]) => [name, value.replaceAll(apiKey, mask)])
  const through = pipeline(body, maskOf(Buffer.from(apiKey)), () => undefined)
  return { headers: Object.fromEntries(shown) as Record<string, string>, body: through }
}

function maskOf(key: Buffer): Transform {
  /** The end of what came, where a key may have begun. */
  let rest: Buffer = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + key.length)) bytes.fill(MASK, at, at + key.length)
      const end = bytes.length - begunLength(bytes, key)
      rest = bytes.subarray(end)
      done(null, bytes.subarray(0, end))
    },
    flush: (done) => done(null, rest)
  })
}

/** Returns the length of the longest end of `bytes` with which the key begins, below the length of the key. */
function begunLength(bytes: Buffer, key: Buffer): number {
  for (let length = Math.min(key.length - 1, bytes.length); length > 0; length--)
    if (key.subarray(0, length).equals(bytes.subarray(-length))) return length
  return 0
}
