/** Rewrites equivalent phrasings of a question to a single form. */
import { addTo } from '../collections/by-key.js'
import { createPace, isPauseDue, type Pieces } from '../pieces.js'
import { neededWords, wordsIn, WRITTEN } from './needed-words.js'

/** A pattern, its replacement, and the words that it needs; without them it is tried on every text. */
export type Frame = readonly [pattern: RegExp, reading: string, needed?: readonly string[]]

/**
 * Longest text, in UTF-16 units, whose framing is rewritten: questions are short, and each frame is another pass over the text. Longer
 * texts are compared as they stand.
 */
export const FRAMED_LENGTH_MAX = 200

/** A noun phrase of a few words, as a group; short, so that it ends within its sentence. */
export const THING = '((?:[^\\s?.!,;]+ ){0,5}?[^\\s?.!,;]+)'

/** What may precede an opening frame: punctuation, spaces, emoji. */
const UNSPOKEN =
  '[\\s!-\\/:-@[-`{-~\\u00a1-\\u00a9\\u00ab-\\u00b4\\u00b6-\\u00b9\\u00bb-\\u00bf\\u200b-\\u200d\\u2010-\\u206f\\u2600-\\u27bf\\u3001-\\u3003\\ufe0f\\u{1f000}-\\u{1faff}]'

/** Frames tried per piece. Compiling one takes up to a millisecond, and V8 compiles it again when it was long unused. */
const FRAMES_A_PIECE = 8

/** Applies each frame whose words the text has, in turn. Returns the text unchanged if no letter or digit would be left. */
export function* withoutFrames(text: string, frames: readonly Frame[]): Pieces<string> {
  if (text.length > FRAMED_LENGTH_MAX) return text
  const pace = createPace()
  const byWord = indexOf(frames)
  let plain = text
  let words = wordsIn(plain)
  const possible = new Uint8Array(frames.length)
  markPossible(possible, byWord, words)
  for (let at = 0; at < frames.length; at++) {
    if (possible[at] === 0) continue
    const [pattern, reading, needed] = frames[at] as Frame
    if (needed?.every((word) => words.has(word)) === false) continue
    if (isPauseDue(pace, 1 / FRAMES_A_PIECE)) yield
    const before = plain
    plain = before.replace(pattern, reading)
    if (plain === before) continue
    words = wordsIn(plain)
    markPossible(possible, byWord, words)
  }
  return /[\p{L}\p{N}]/u.test(plain) ? plain.trim() : text
}

/** Positions of frames by the rarest word that each needs; empty for frames that need none. */
type FrameIndex = ReadonlyMap<string, readonly number[]>

const INDEXES = new WeakMap<readonly Frame[], FrameIndex>()

/** The index of a list, made once, so that reading a text need not look at each frame. */
function indexOf(frames: readonly Frame[]): FrameIndex {
  const known = INDEXES.get(frames)
  if (known !== undefined) return known
  const made = new Map<string, number[]>()
  for (const [at, [, , needed]] of frames.entries()) addTo(made, needed?.[0] ?? '', at)
  INDEXES.set(frames, made)
  return made
}

/** Marks the frames that need no word, or of whose words at least the rarest is there. */
function markPossible(possible: Uint8Array, byWord: FrameIndex, words: ReadonlySet<string>): void {
  for (const at of byWord.get('') ?? []) possible[at] = 1
  for (const word of words) for (const at of byWord.get(word) ?? []) possible[at] = 1
}

/**
 * A frame that may match anywhere. It begins and ends at word boundaries, unless it may end in a space or a lookahead; `$` matches before
 * final punctuation.
 */
export function frame(pattern: string, reading: string): Frame {
  return [new RegExp(sourceOf(pattern), 'giu'), reading, rarestFirst(neededWords(pattern))]
}

/** As `frame`, but only at the start of the text. */
export function opening(pattern: string, reading: string): Frame {
  return [new RegExp(`^${UNSPOKEN}*${sourceOf(pattern)}`, 'iu'), reading, rarestFirst(neededWords(pattern))]
}

/** Long words are rarer, so that most frames are dismissed by the first word looked for. */
function rarestFirst(words: readonly string[]): readonly string[] {
  return [...words].sort((a, b) => b.length - a.length)
}

function sourceOf(pattern: string): string {
  const marked = pattern.replace(/\$$/, '(?=\\s*[?.!]*$)')
  const isOpen = / $| \)?\?$|\(\?[=!].*\)$/.test(marked)
  return `(?<!${WRITTEN})(?:${marked})${isOpen ? '' : `(?!${WRITTEN})`}`
}
