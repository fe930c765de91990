/** Cuts a long text into parts that one vector each can carry. */
import type { Pieces } from '../pieces.js'
import { listOfOne } from '../short-lists.js'
import { sentenceEndsInPieces } from './sentences.js'

export interface SplitOptions {
  /** Most tokens a part may count; at least 1. */
  readonly windowTokens: number
  readonly countTokens: (text: string) => number
}

/**
 * End offsets (UTF-16 units) of the parts of a text, ascending, the last one its length:
 * the parts joined are the text. Cuts lie at sentence ends, else between words, else between
 * code points; a surrogate pair is never split. A part counts more than the window only
 * when one code point does. Empty text: one empty part. In pieces: some sentences, then one part at a time.
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
 * Most parts that a text may have where a window carries so many UTF-16 units. Three in a row are longer than a window, but for half a pair
 * of surrogates: what a sentence was cut before is in the next part or the one after it, and a word is cut at a whole window.
 */
export function partsMax({ length }: string, windowChars: number): number {
  return 3 * Math.floor(length / (windowChars - 1)) + 3
}

/** The last boundary after `start` up to which the text still fits; null when not even the first does. */
function furthest(text: string, start: number, boundaries: readonly number[], options: SplitOptions): number | null {
  let low = firstAfter(boundaries, start)
  if (low === boundaries.length || !fits(text, start, boundaries[low] as number, options)) return null
  // Doubling first: a part holds few sentences, and counting a long text's tail over and over would be quadratic.
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

/** A sentence longer than the window is cut between words, a word longer than the window between code points. */
function cutInside(text: string, start: number, options: SplitOptions): number {
  const end = reachOf(text, start, options)
  return furthest(text, start, wordEnds(text, start, end), options) ?? cutInsideWord(text, start, end, options)
}

/** Characters of a token of common tokenizers and languages, at least. */
const CHARACTERS_PER_TOKEN_USUAL = 4
/** Far enough ahead to hold a window whatever the tokenizer: looking at the whole of a long text for every part would be quadratic. */
const CHARACTERS_PER_TOKEN_MAX = 64

/** Where a window that begins at `start` has ended, without much beyond it. */
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

function cutInsideWord(text: string, start: number, end: number, options: SplitOptions): number {
  const ends: number[] = []
  for (let i = start; i < end;) {
    i += (text.codePointAt(i) as number) > 0xffff ? 2 : 1
    ends.push(i)
  }
  return furthest(text, start, ends, options) ?? (ends[0] as number)
}

function fits(text: string, start: number, end: number, options: SplitOptions): boolean {
  // Too much for any tokenizer: a long text without sentences would be counted to its end for every part.
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
