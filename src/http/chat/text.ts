/** Extracts the text of chat messages for the memory. */
import { isObject } from '../../domain/json-object.js'
import { TEXT_LENGTH_MAX } from '../../domain/limits.js'
import { inOneGo, type Pieces } from '../../domain/pieces.js'
import { isLongerThan } from '../../domain/text/characters.js'

/** Parts of a message looked at in one piece of work: a tenth of a millisecond. */
export const PARTS_A_PIECE = 512

/** Text of a message's content: a string, or its text parts joined by `separator`. Empty if there are none. */
export function textOf(content: unknown, separator: string): string {
  return inOneGo(textInPieces(content, separator))
}

/**
 * The same in pieces: a request may have a hundred thousand parts. Of a text that is far too long for a memory the rest is
 * left out.
 */
export function* textInPieces(content: unknown, separator: string): Pieces<string> {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const texts: string[] = []
  let length = 0
  for (const [at, part] of (content as unknown[]).entries()) {
    if (at % PARTS_A_PIECE === PARTS_A_PIECE - 1) yield
    if (!isTextPart(part)) continue
    length += part.text.length + (texts.length === 0 ? 0 : separator.length)
    texts.push(part.text)
    if (length > FAR_TOO_LONG) break
  }
  return texts.join(separator)
}

interface TextPart {
  readonly type: 'text'
  readonly text: string
}

export function isTextPart(part: unknown): part is TextPart {
  return isObject(part) && part['type'] === 'text' && typeof part['text'] === 'string'
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

/** UTF-16 units. */
const FAR_TOO_LONG = 2 * TEXT_LENGTH_MAX

/** Whether it is certainly too long. Cheap for a growing text: a character has at most two UTF-16 units. */
export function isFarTooLong(text: string): boolean {
  return text.length > FAR_TOO_LONG
}
