/** Extracts the text of chat messages for the memory. */
import { isObject } from '../../domain/json-object.js'
import { TEXT_LENGTH_MAX } from '../../domain/limits.js'
import { isLongerThan } from '../../domain/text/characters.js'

/** Text of a message's content: a string, or its text parts joined by `separator`. Empty if there are none. */
export function textOf(content: unknown, separator: string): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap((part: unknown) => (isObject(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : []))
    .join(separator)
}

/** Characters that no storage can keep: NUL and lone surrogates. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu

/** Returns the text as a memory may hold it; null if it is blank. */
export function toMemoryText(text: string): string | null {
  return text.trim() === '' ? null : text.replace(UNSTORABLE, '\ufffd')
}

/** Whether it is longer than a memory may be. */
export function isTooLong(text: string): boolean {
  return isLongerThan(text, TEXT_LENGTH_MAX)
}

/** Whether it is certainly too long. Cheap for a growing text: a character has at most two UTF-16 units. */
export function isFarTooLong(text: string): boolean {
  return text.length > 2 * TEXT_LENGTH_MAX
}
