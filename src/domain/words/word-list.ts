/** The words of a document as an index takes them in: two lists, as a map of a few words takes several times their room. */
import type { Words } from '../text/reading.js'

export interface WordList {
  /** Distinct, in order of first occurrence. */
  readonly terms: readonly string[]
  /** How often each of them occurs. */
  readonly counts: readonly number[]
  /** Repetitions counted, those included that are too many to be listed. */
  readonly length: number
}

/** Of a text without any, or of none. */
export const NO_WORDS: WordList = { terms: [], counts: [], length: 0 }

export function toWordList({ counts, length }: Words): WordList {
  return { terms: [...counts.keys()], counts: [...counts.values()], length }
}
