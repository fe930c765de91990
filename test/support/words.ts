import { inOneGo } from '../../src/domain/pieces.js'
import type { LexicalIndex } from '../../src/domain/words/lexical-index.js'
import type { Order } from '../../src/domain/words/word-counts.js'
import type { WordSearch } from '../../src/domain/words/word-ranking.js'
import type { WordList } from '../../src/domain/words/word-list.js'

/** Content terms in the form that an index takes. */
export function wordsOf(terms: readonly string[]): WordList {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return { terms: [...counts.keys()], counts: [...counts.values()], length: terms.length }
}

/** Documents in an order, as a search takes it. */
export function orderOf(documents: readonly number[]): Order {
  return { documents, isNumbered: documents.every((document, place) => document === place) }
}

/** Scores of a search in one go. */
export function scored(index: LexicalIndex, query: ReadonlySet<string>, options: WordSearch = {}): Float64Array {
  return inOneGo(index.search(query, options)).scores
}

/** Documents with a score, ascending. */
export function documentsOf(scores: Float64Array): number[] {
  return [...scores.keys()].filter((document) => (scores[document] as number) > 0)
}
