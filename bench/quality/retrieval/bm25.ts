/** Baseline for retrieval: textbook BM25 over stemmed words. */
import { contentTerms } from '../../../src/domain/text/terms.js'

/** The usual parameters from Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009). */
const REPETITION = 1.2
const LENGTH_SHARE = 0.75

/** Returns the positions of the texts that share a word with the query, best first. */
export function createBm25(texts: readonly string[]): (query: string) => number[] {
  const documents = texts.map((text) => contentTerms(text))
  const usual = documents.reduce((sum, terms) => sum + terms.length, 0) / Math.max(1, documents.length)
  const places = new Map<string, Map<number, number>>()
  for (const [at, terms] of documents.entries()) {
    for (const term of terms) {
      const counts = places.get(term) ?? new Map<number, number>()
      places.set(term, counts.set(at, (counts.get(at) ?? 0) + 1))
    }
  }
  return (query) => {
    const scores = new Map<number, number>()
    for (const term of new Set(contentTerms(query))) {
      const counts = places.get(term) ?? new Map<number, number>()
      const rarity = Math.log(1 + (documents.length - counts.size + 0.5) / (counts.size + 0.5))
      for (const [at, count] of counts) {
        const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * (documents[at]?.length ?? 0)) / usual
        scores.set(at, (scores.get(at) ?? 0) + (rarity * count * (REPETITION + 1)) / (count + REPETITION * length))
      }
    }
    return [...scores].sort(([, a], [, b]) => b - a).map(([at]) => at)
  }
}
