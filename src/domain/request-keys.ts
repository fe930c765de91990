/** Requests that a client may repeat under a key of its own choice: what they and their sessions are called within the service. */
import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.js'

/** Characters of a key. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 128

/** What the ids of such requests begin with; minted ids never do. */
const MARK = 'key:'

/** Characters of base64url: 132 bits, of which no two are alike by chance. */
const HASH_LENGTH = 22

/** Of the key, and after it of what was asked. */
const NAME_LENGTH = MARK.length + HASH_LENGTH
const ID_LENGTH = NAME_LENGTH + 1 + HASH_LENGTH

export interface Keyed {
  readonly subject: string
  readonly key: string
}

/**
 * The id of a request with a key to a session: the same for every repetition, on whichever node. It tells by its second half what was
 * asked, and the key itself is not in it.
 */
export function keyedRequestId({ subject, key, sessionId }: Keyed & { readonly sessionId: string }, command: object): string {
  return `${MARK}${hash([subject, sessionId, key])}:${hash(command)}`
}

/** The id of the session that a run with a key and without a session makes: the same for every repetition. A UUID of version 8. */
export function keyedSessionId({ subject, key }: Keyed): string {
  const hex = createHash('sha256')
    .update(JSON.stringify(['session', subject, key]))
    .digest('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, variant + hex.slice(17, 20), hex.slice(20, 32)].join('-')
}

/** Whether the request has a key, or follows from one that has. */
export function isKeyed(requestId: string): boolean {
  return requestId.startsWith(MARK)
}

/** What all requests with this one's key have in common, whatever they ask; the id itself where there is no key. */
export function keyNameOf(requestId: string): string {
  return isKeyed(requestId) ? requestId.slice(0, NAME_LENGTH) + requestId.slice(ID_LENGTH) : requestId
}

function hash(value: unknown): string {
  const digest = createHash('sha256')
  for (const chunk of canonicalJson(value)) digest.update(chunk)
  return digest.digest('base64url').slice(0, HASH_LENGTH)
}
