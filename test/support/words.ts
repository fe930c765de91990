import type { Links } from '../../src/domain/words/word-counts.js'
import type { WordList } from '../../src/domain/words/word-list.js'

/** Content terms in the form that an index takes. */
export function wordsOf(terms: readonly string[]): WordList {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return { terms: [...counts.keys()], counts: [...counts.values()], length: terms.length }
}

/** Links between neighbouring documents in this order. */
export function linksOf(order: readonly number[]): Links {
  const links = { previous: new Int32Array(1 + Math.max(...order)).fill(-1), next: new Int32Array(1 + Math.max(...order)).fill(-1) }
  order.forEach((document, at) => {
    links.previous[document] = order[at - 1] ?? -1
    links.next[document] = order[at + 1] ?? -1
  })
  return links
}
