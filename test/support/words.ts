import type { WordList } from '../../src/domain/words/word-list.js'

/** Content terms in the form that an index takes. */
export function wordsOf(terms: readonly string[]): WordList {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return { terms: [...counts.keys()], counts: [...counts.values()], length: terms.length }
}
