/** Keys of requests: by one a service knows a request that is sent again. */

/** Bytes: no two are alike by chance. */
const KEY_BYTES = 16

/** A new key. `crypto.randomUUID` would be there in secure contexts alone. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
