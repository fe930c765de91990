/** Ways of asking that do not change what is asked, brought to one. */

/** What stands in a text, and what is read instead. */
export type Frame = readonly [pattern: RegExp, reading: string]

/**
 * Longest text, in UTF-16 units, whose framing is read: questions are short, and each frame is one more pass over the text. A longer one
 * is compared as it stands.
 */
const FRAMED_LENGTH_MAX = 200

/**
 * What frames are written in, and what may stand before the first of them: marks, spaces, pictures. Not by Unicode's properties: those make
 * an expression a millisecond's work to compile, and there are two hundred, each forgotten again while nobody asks.
 */
const WRITTEN = '[0-9a-z\\u00df-\\u00f6\\u00f8-\\u024f]'
const UNSPOKEN =
  '[\\s!-\\/:-@[-`{-~\\u00a1-\\u00a9\\u00ab-\\u00b4\\u00b6-\\u00b9\\u00bb-\\u00bf\\u200b-\\u200d\\u2010-\\u206f\\u2600-\\u27bf\\u3001-\\u3003\\ufe0f\\u{1f000}-\\u{1faff}]'

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
  return [new RegExp(`^${UNSPOKEN}*${sourceOf(pattern)}`, 'iu'), reading]
}

function sourceOf(pattern: string): string {
  const marked = pattern.replace(/\$$/, '(?=\\s*[?.!]*$)')
  const isOpen = / $| \)?\?$|\(\?[=!].*\)$/.test(marked)
  return `(?<!${WRITTEN})(?:${marked})${isOpen ? '' : `(?!${WRITTEN})`}`
}
