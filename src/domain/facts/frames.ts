/** Ways of asking that do not change what is asked, brought to one. */

/** What stands in a text, and what is read instead. */
export type Frame = readonly [pattern: RegExp, reading: string]

/**
 * Longest text, in UTF-16 units, whose framing is read: questions are short, and each frame is one more pass over the text. A longer one
 * is compared as it stands.
 */
export const FRAMED_LENGTH_MAX = 200

/** The text with each frame in turn read as what it stands for; as it was where nothing would be left. */
export function withoutFrames(text: string, frames: readonly Frame[]): string {
  if (text.length > FRAMED_LENGTH_MAX) return text
  let plain = text
  for (const [pattern, reading] of frames) plain = plain.replace(pattern, reading)
  return /[\p{L}\p{N}]/u.test(plain) ? plain.trim() : text
}

/**
 * A frame that may stand anywhere. It begins and ends between words, unless it may end in a space or looks ahead; `$` is before final
 * marks.
 */
export function frame(pattern: string, reading: string): Frame {
  return [new RegExp(sourceOf(pattern), 'giu'), reading]
}

/** As `frame`, at the start of the text only. */
export function opening(pattern: string, reading: string): Frame {
  return [new RegExp(`^[^\\p{L}\\p{N}]*${sourceOf(pattern)}`, 'iu'), reading]
}

function sourceOf(pattern: string): string {
  const marked = pattern.replace(/\$$/, '(?=\\s*[?.!]*$)')
  const isOpen = / $| \)?\?$|\(\?[=!].*\)$/.test(marked)
  return `(?<![\\p{L}\\p{N}])(?:${marked})${isOpen ? '' : '(?![\\p{L}\\p{N}])'}`
}
