import type { Words } from '../../src/domain/text/reading.js'

/** Content terms as an index takes them. */
export function wordsOf(terms: readonly string[]): Words {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return { counts, length: terms.length }
}
