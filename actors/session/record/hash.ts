import { hash } from 'node:crypto'
import { ownText } from '../../../src/domain/text/own-text.js'

// Interface: the first 32 hex characters of the SHA-256 of the text.
const HASH_LENGTH = 32

/** Returns the `memory_hash` of a text. Every memory keeps one, so it must not keep the other half as well. */
export function hashText(text: string): string {
  return ownText(hash('sha256', text, 'hex').slice(0, HASH_LENGTH))
}
