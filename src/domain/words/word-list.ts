/** Words of a document as an index takes them: two arrays, as a map of a few words takes several times the memory. */
import type { Words } from '../text/reading.js'

export interface WordList {
  /** Distinct, in order of first occurrence. */
  readonly terms: readonly string[]
  /** Occurrences of each term. */
  readonly counts: readonly number[]
  /** Number of words including repetitions, and including those beyond the limit of listed terms. */
  readonly length: number
}

/** For an absent document or a text without words. */
export const NO_WORDS: WordList = { terms: [], counts: [], length: 0 }

export function toWordList({ counts, length }: Words): WordList {
  return { terms: [...counts.keys()], counts: [...counts.values()], length }
}
