/** Stored form of a text's words, so that a rehydrated session need not read all of its texts again. */
import type { Words } from '../text/reading.js'
import type { WordList } from './word-list.js'

/** Raise it whenever texts are read differently: words stored under another version are then read anew. */
export const WORDS_VERSION = 4

export interface StoredWords {
  readonly version: number
  /** In order of first occurrence, separated by spaces; no word contains one. */
  readonly terms: string
  /** Occurrences of each term. */
  readonly counts: readonly number[]
  readonly length: number
}

export function toStoredWords({ counts, length }: Words): StoredWords {
  return { version: WORDS_VERSION, terms: [...counts.keys()].join(' '), counts: [...counts.values()], length }
}

/** Decodes stored words. Null when another version stored them, or terms and counts differ in number. */
export function fromStoredWords({ version, terms, counts, length }: StoredWords): WordList | null {
  if (version !== WORDS_VERSION) return null
  const words = terms === '' ? [] : terms.split(' ')
  if (words.length !== counts.length) return null
  return { terms: words, counts, length }
}
