/** Internal ids of requests that a client may repeat under an idempotency key, and of the sessions that they create. */
import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.js'

/** Maximum characters of a key. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 128

/** Prefix of the ids of requests with a key; generated ids never have it. */
const MARK = 'key:'

/** Characters of base64url: 132 bits, so that no two are equal by chance. */
const HASH_LENGTH = 22

/** Lengths up to the end of the key's hash, and up to the end of the hash of key and command. */
const NAME_LENGTH = MARK.length + HASH_LENGTH
const ID_LENGTH = NAME_LENGTH + 1 + HASH_LENGTH

interface Keyed {
  readonly subject: string
  readonly key: string
}

/**
 * Id of a request with a key to a session: the same for every repetition, on any node. Its second half is a hash of the key and the
 * command. It outlasts the texts of the command, in the log of requests, the audit trail and traces. Without the key, which is stored
 * nowhere, a guess at the texts cannot be checked by it.
 */
export function keyedRequestId({ subject, key, sessionId }: Keyed & { readonly sessionId: string }, command: object): string {
  return `${MARK}${hash([subject, sessionId, key])}:${hash([subject, sessionId, key, command])}`
}

/** Id of the session created by a run with a key and without a session: the same for every repetition. A version 8 UUID. */
export function keyedSessionId({ subject, key }: Keyed): string {
  return uuidOf(['session', subject, key])
}

/** Id of the observer that a request makes: the same for every try of the request. A version 8 UUID. */
export function observerIdOf(subject: string, requestId: string): string {
  return uuidOf(['observer', subject, requestId])
}

function uuidOf(names: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(names)).digest('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, variant + hex.slice(17, 20), hex.slice(20, 32)].join('-')
}

/** Whether the request has a key, or was derived from one that has. */
export function isKeyed(requestId: string): boolean {
  return requestId.startsWith(MARK)
}

/** Common part of the ids of all requests with the same key, whatever their commands; the id itself where there is no key. */
export function keyNameOf(requestId: string): string {
  return isKeyed(requestId) ? requestId.slice(0, NAME_LENGTH) + requestId.slice(ID_LENGTH) : requestId
}

function hash(value: unknown): string {
  const digest = createHash('sha256')
  for (const chunk of canonicalJson(value)) digest.update(chunk)
  return digest.digest('base64url').slice(0, HASH_LENGTH)
}
