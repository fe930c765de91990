/** Idempotency keys, by which the service recognises a request that is sent again. */

/** Bytes of a key: enough that no two are equal by chance. */
const KEY_BYTES = 16

/** Returns a new key. `crypto.randomUUID` exists only in secure contexts. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
