import { hash } from 'node:crypto'

// Interface: the first 32 hex characters of the SHA-256 of the text.
const HASH_LENGTH = 32

/** Returns the `memory_hash` of a text. */
export function hashText(text: string): string {
  return hash('sha256', text, 'hex').slice(0, HASH_LENGTH)
}
