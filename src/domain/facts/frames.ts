/** Rewrites equivalent phrasings of a question to a single form. */
import type { Pieces } from '../pieces.js'

/** A pattern and its replacement. */
export type Frame = readonly [pattern: RegExp, reading: string]

/**
 * Longest text, in UTF-16 units, whose framing is rewritten: questions are short, and each frame is another pass over the text. Longer
 * texts are compared as they stand.
 */
const FRAMED_LENGTH_MAX = 200

/**
 * Characters of words in frames, and those that may precede an opening frame: punctuation, spaces, emoji. Explicit ranges, because an
 * expression with Unicode properties takes a millisecond to compile, and V8 discards the code of these two hundred expressions while they
 * are unused.
 */
const WRITTEN = '[0-9a-z\\u00df-\\u00f6\\u00f8-\\u024f]'
const UNSPOKEN =
  '[\\s!-\\/:-@[-`{-~\\u00a1-\\u00a9\\u00ab-\\u00b4\\u00b6-\\u00b9\\u00bb-\\u00bf\\u200b-\\u200d\\u2010-\\u206f\\u2600-\\u27bf\\u3001-\\u3003\\ufe0f\\u{1f000}-\\u{1faff}]'

/** Frames applied per piece. Compiling one takes up to a millisecond, and V8 compiles it again when it was long unused. */
const FRAMES_A_PIECE = 8

/** Applies each frame in turn. Returns the text unchanged if no letter or digit would be left. */
export function* withoutFrames(text: string, frames: readonly Frame[]): Pieces<string> {
  if (text.length > FRAMED_LENGTH_MAX) return text
  let plain = text
  for (const [at, [pattern, reading]] of frames.entries()) {
    if (at % FRAMES_A_PIECE === 0) yield
    plain = plain.replace(pattern, reading)
  }
  return /[\p{L}\p{N}]/u.test(plain) ? plain.trim() : text
}

/**
 * A frame that may match anywhere. It begins and ends at word boundaries, unless it may end in a space or a lookahead; `$` matches before
 * final punctuation.
 */
export function frame(pattern: string, reading: string): Frame {
  return [new RegExp(sourceOf(pattern), 'giu'), reading]
}

/** As `frame`, but only at the start of the text. */
export function opening(pattern: string, reading: string): Frame {
  return [new RegExp(`^${UNSPOKEN}*${sourceOf(pattern)}`, 'iu'), reading]
}

function sourceOf(pattern: string): string {
  const marked = pattern.replace(/\$$/, '(?=\\s*[?.!]*$)')
  const isOpen = / $| \)?\?$|\(\?[=!].*\)$/.test(marked)
  return `(?<!${WRITTEN})(?:${marked})${isOpen ? '' : `(?!${WRITTEN})`}`
}
