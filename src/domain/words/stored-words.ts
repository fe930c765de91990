/** The words of a text as they are stored beside it, so that a session that comes back need not read all of its texts again. */
import type { Words } from '../text/reading.js'
import type { WordList } from './word-list.js'

/** To be raised whenever texts are read differently: what was stored before is then read anew. */
export const WORDS_VERSION = 3

export interface StoredWords {
  readonly version: number
  /** In order of first occurrence, with spaces between: no word has one. */
  readonly terms: string
  /** How often each of them occurs. */
  readonly counts: readonly number[]
  readonly length: number
}

export function toStoredWords({ counts, length }: Words): StoredWords {
  return { version: WORDS_VERSION, terms: [...counts.keys()].join(' '), counts: [...counts.values()], length }
}

/** Null where they were stored by a version that read texts differently, or do not fit together. */
export function fromStoredWords({ version, terms, counts, length }: StoredWords): WordList | null {
  if (version !== WORDS_VERSION) return null
  const words = terms === '' ? [] : terms.split(' ')
  if (words.length !== counts.length) return null
  return { terms: words, counts, length }
}
