import { createHash } from 'node:crypto'

// Interface: the first 32 hex characters of the SHA-256 of the text.
const HASH_LENGTH = 32

/** The `memory_hash` of a text. */
export function hashText(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').slice(0, HASH_LENGTH)
}
