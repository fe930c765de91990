/** What the memory reads of a chat: the words of a message, and nothing else of it. */
import { TEXT_LENGTH_MAX } from '../../domain/limits.js'
import { isLongerThan } from '../../domain/text/characters.js'

/** Plain objects only: neither null nor a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text of a message's content: a string, or the text parts of a list of parts, joined by `separator`. Empty without any. */
export function textOf(content: unknown, separator: string): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap((part: unknown) => (isRecord(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : []))
    .join(separator)
}

/** What no storage can keep: NUL and halves of surrogate pairs. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu

/** The text as a memory may hold it; null when nothing can be read in it. */
export function toMemoryText(text: string): string | null {
  return text.trim() === '' ? null : text.replace(UNSTORABLE, '\ufffd')
}

/** Whether it is longer than a memory may be. */
export function isTooLong(text: string): boolean {
  return isLongerThan(text, TEXT_LENGTH_MAX)
}

/** Whether it is so for sure, which costs nothing to ask of a text that still grows: a character has two UTF-16 units at most. */
export function isFarTooLong(text: string): boolean {
  return text.length > 2 * TEXT_LENGTH_MAX
}
