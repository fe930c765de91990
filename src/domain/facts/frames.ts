/** Rewrites equivalent phrasings of a question to a single form. */
import { createPace, isPauseDue, type Pieces } from '../pieces.js'
import { neededWords, wordsIn, WRITTEN } from './needed-words.js'

/** A pattern, its replacement, and the words that it needs; without them it is tried on every text. */
export type Frame = readonly [pattern: RegExp, reading: string, needed?: readonly string[]]

/**
 * Longest text, in UTF-16 units, whose framing is rewritten: questions are short, and each frame is another pass over the text. Longer
 * texts are compared as they stand.
 */
const FRAMED_LENGTH_MAX = 200

/** What may precede an opening frame: punctuation, spaces, emoji. */
const UNSPOKEN =
  '[\\s!-\\/:-@[-`{-~\\u00a1-\\u00a9\\u00ab-\\u00b4\\u00b6-\\u00b9\\u00bb-\\u00bf\\u200b-\\u200d\\u2010-\\u206f\\u2600-\\u27bf\\u3001-\\u3003\\ufe0f\\u{1f000}-\\u{1faff}]'

/** Frames tried per piece. Compiling one takes up to a millisecond, and V8 compiles it again when it was long unused. */
const FRAMES_A_PIECE = 8

/** Applies each frame whose words the text has, in turn. Returns the text unchanged if no letter or digit would be left. */
export function* withoutFrames(text: string, frames: readonly Frame[]): Pieces<string> {
  if (text.length > FRAMED_LENGTH_MAX) return text
  const pace = createPace()
  let plain = text
  let words = wordsIn(plain)
  for (const [pattern, reading, needed] of frames) {
    if (needed?.every((word) => words.has(word)) === false) continue
    if (isPauseDue(pace, 1 / FRAMES_A_PIECE)) yield
    const before = plain
    plain = before.replace(pattern, reading)
    if (plain !== before) words = wordsIn(plain)
  }
  return /[\p{L}\p{N}]/u.test(plain) ? plain.trim() : text
}

/**
 * A frame that may match anywhere. It begins and ends at word boundaries, unless it may end in a space or a lookahead; `$` matches before
 * final punctuation.
 */
export function frame(pattern: string, reading: string): Frame {
  return [new RegExp(sourceOf(pattern), 'giu'), reading, neededWords(pattern)]
}

/** As `frame`, but only at the start of the text. */
export function opening(pattern: string, reading: string): Frame {
  return [new RegExp(`^${UNSPOKEN}*${sourceOf(pattern)}`, 'iu'), reading, neededWords(pattern)]
}

function sourceOf(pattern: string): string {
  const marked = pattern.replace(/\$$/, '(?=\\s*[?.!]*$)')
  const isOpen = / $| \)?\?$|\(\?[=!].*\)$/.test(marked)
  return `(?<!${WRITTEN})(?:${marked})${isOpen ? '' : `(?!${WRITTEN})`}`
}
