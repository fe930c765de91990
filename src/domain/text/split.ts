/** Splits a long text into parts that fit into one vector each. */
import type { Pieces } from '../pieces.js'
import { clusterStart } from './characters.js'
import { listOfOne } from '../collections/short-lists.js'
import { sentenceEndsInPieces } from './sentences.js'

export interface SplitOptions {
  /** Maximum tokens of a part, at least 1. */
  readonly windowTokens: number
  readonly countTokens: (text: string) => number
}

/**
 * End offsets (UTF-16 units) of the parts of a text, ascending; the last is the text's length. Concatenated, the parts are the text. Cuts
 * lie at sentence ends if possible, else between words, else between letters with their marks, else between code points; surrogate pairs
 * are never split. A part exceeds the window only if a single code point does. Empty text has one empty part. In pieces: some sentences,
 * then one part at a time.
 */
export function* splitInPieces(text: string, options: SplitOptions): Pieces<readonly number[]> {
  if (options.countTokens(text) <= options.windowTokens) return listOfOne(text.length)
  yield
  const ends: number[] = []
  let start = 0
  const sentences = yield* sentenceEndsInPieces(text)
  while (start < text.length) {
    yield
    const end = furthest(text, start, sentences, options) ?? cutInside(text, start, options)
    ends.push(end)
    start = end
  }
  return ends
}

/**
 * Upper bound on the number of parts if a window holds `windowChars` UTF-16 units. Any three consecutive parts exceed a window, except for
 * half a surrogate pair: the text before which a sentence was cut is in the next part or the one after, and a word is cut at a whole
 * window.
 */
export function partsMax({ length }: string, windowChars: number): number {
  return 3 * Math.floor(length / (windowChars - 1)) + 3
}

/** Last boundary after `start` up to which the text fits; null if not even the first does. */
function furthest(text: string, start: number, boundaries: readonly number[], options: SplitOptions): number | null {
  let low = firstAfter(boundaries, start)
  if (low === boundaries.length || !fits(text, start, boundaries[low] as number, options)) return null
  // Exponential search: a part holds few sentences, and counting the rest of a long text repeatedly would be quadratic.
  let step = 1
  while (low + step < boundaries.length && fits(text, start, boundaries[low + step] as number, options)) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, boundaries.length)
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (fits(text, start, boundaries[middle] as number, options)) low = middle
    else high = middle
  }
  return boundaries[low] as number
}

/** Cuts a sentence longer than the window between words, or a word longer than the window between letters. */
function cutInside(text: string, start: number, options: SplitOptions): number {
  const end = reachOf(text, start, options)
  return furthest(text, start, wordEnds(text, start, end), options) ?? cutInsideWord(text, start, end, options)
}

/** Fewest characters per token of common tokenizers and languages. */
const CHARACTERS_PER_TOKEN_USUAL = 4
/**
 * Most characters per token of any tokenizer. Bounds the look-ahead: examining the rest of a long text for every part would be quadratic.
 */
const CHARACTERS_PER_TOKEN_MAX = 64

/** An offset at or slightly after the end of the window that begins at `start`. */
function reachOf(text: string, start: number, options: SplitOptions): number {
  const furthestEnd = Math.min(text.length, start + options.windowTokens * CHARACTERS_PER_TOKEN_MAX)
  let end = start + options.windowTokens * CHARACTERS_PER_TOKEN_USUAL
  while (end < furthestEnd && fits(text, start, end, options)) end = start + 2 * (end - start)
  return Math.min(end, furthestEnd)
}

function wordEnds(text: string, start: number, end: number): number[] {
  const ends: number[] = []
  for (const match of text.slice(start, end).matchAll(/\s+/gu)) ends.push(start + match.index + match[0].length)
  return ends
}

function cutInsideWord(text: string, start: number, reach: number, options: SplitOptions): number {
  const ends: number[] = []
  for (let i = start; i < reach;) {
    i += (text.codePointAt(i) as number) > 0xffff ? 2 : 1
    ends.push(i)
  }
  const end = furthest(text, start, ends, options) ?? (ends[0] as number)
  const whole = clusterStart(text, end)
  return whole > start ? whole : end
}

function fits(text: string, start: number, end: number, options: SplitOptions): boolean {
  // Exceeds any tokenizer's window. Otherwise a long text without sentences would be counted to its end for every part.
  if (end - start > options.windowTokens * CHARACTERS_PER_TOKEN_MAX) return false
  return options.countTokens(text.slice(start, end)) <= options.windowTokens
}

function firstAfter(boundaries: readonly number[], offset: number): number {
  let low = 0
  let high = boundaries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((boundaries[middle] as number) > offset) high = middle
    else low = middle + 1
  }
  return low
}
