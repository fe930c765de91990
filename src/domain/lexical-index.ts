/** Word search over the memories of one session: an inverted index ranked by BM25. */

/**
 * BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009):
 * how soon repetitions of a word stop counting, and how much a long text is held back.
 */
const REPETITION = 1.2
const LENGTH_SHARE = 0.75

/** A query word and how much it counts; 1 is plain. */
export type WeightedTerms = ReadonlyMap<string, number>

export interface LexicalScores {
  /** 0..1: the share of the best conceivable match (every word of the query, often, in a short text) that `document` reaches. */
  of(document: number): number
  /** Documents that hold at least one of the words, in no order. */
  readonly documents: readonly number[]
}

export interface LexicalIndex {
  /** Number of documents. */
  readonly size: number
  /** Adds a document or replaces its words. `document` is a small non-negative integer, reused by the caller when free. */
  put(document: number, terms: readonly string[]): void
  remove(document: number): void
  clear(): void
  /** Distinct words of a document in order of first occurrence; none for an unknown one. */
  terms(document: number): readonly string[]
  /** Documents that hold the word. */
  frequency(term: string): number
  search(query: WeightedTerms): LexicalScores
}

interface Posting {
  readonly term: string
  /** Ascending. */
  readonly documents: number[]
  /** How often the word occurs in each of `documents`. */
  readonly counts: number[]
}

interface IndexedDocument {
  readonly length: number
  readonly postings: readonly Posting[]
}

/** An empty index. Removing everything from an index leaves it as a new one. */
export function createLexicalIndex(): LexicalIndex {
  const postings = new Map<string, Posting>()
  const documents = new Map<number, IndexedDocument>()
  let totalLength = 0
  /** One above the highest document ever held since the index was last empty. */
  let bound = 0

  function remove(document: number): void {
    const known = documents.get(document)
    if (known === undefined) return
    for (const posting of known.postings) {
      removePosting(posting, document)
      if (posting.documents.length === 0) postings.delete(posting.term)
    }
    totalLength -= known.length
    documents.delete(document)
    if (documents.size === 0) bound = 0
  }

  function postingOf(term: string): Posting {
    const known = postings.get(term)
    if (known !== undefined) return known
    const posting = { term, documents: [], counts: [] }
    postings.set(term, posting)
    return posting
  }

  return {
    get size() {
      return documents.size
    },
    put(document, terms) {
      remove(document)
      const counts = new Map<string, number>()
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
      const own: Posting[] = []
      for (const [term, count] of counts) {
        const posting = postingOf(term)
        insertPosting(posting, document, count)
        own.push(posting)
      }
      documents.set(document, { length: terms.length, postings: own })
      totalLength += terms.length
      bound = Math.max(bound, document + 1)
    },
    remove,
    clear() {
      postings.clear()
      documents.clear()
      totalLength = 0
      bound = 0
    },
    terms: (document) => documents.get(document)?.postings.map((posting) => posting.term) ?? [],
    frequency: (term) => postings.get(term)?.documents.length ?? 0,
    search(query) {
      const sums = new Float64Array(bound)
      const found: number[] = []
      const meanLength = documents.size === 0 ? 1 : Math.max(1, totalLength / documents.size)
      let best = 0
      for (const [term, weight] of query) {
        const posting = postings.get(term)
        const share = weight * rarity(documents.size, posting?.documents.length ?? 0)
        best += share * (REPETITION + 1)
        if (posting === undefined) continue
        for (let i = 0; i < posting.documents.length; i++) {
          const document = posting.documents[i] as number
          const count = posting.counts[i] as number
          const length = (documents.get(document) as IndexedDocument).length
          const damping = REPETITION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / meanLength)
          if (sums[document] === 0) found.push(document)
          sums[document] = (sums[document] as number) + (share * count * (REPETITION + 1)) / (count + damping)
        }
      }
      return { of: (document) => (best === 0 ? 0 : (sums[document] ?? 0) / best), documents: found }
    }
  }
}

/** Inverse document frequency in the form that is never negative (Lucene's): a word in every text still counts a little. */
function rarity(size: number, frequency: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5))
}

function insertPosting(posting: Posting, document: number, count: number): void {
  const { documents, counts } = posting
  const last = documents.at(-1)
  if (last === undefined || last < document) {
    documents.push(document)
    counts.push(count)
    return
  }
  const position = firstNotBelow(documents, document)
  documents.splice(position, 0, document)
  counts.splice(position, 0, count)
}

function removePosting(posting: Posting, document: number): void {
  const position = firstNotBelow(posting.documents, document)
  posting.documents.splice(position, 1)
  posting.counts.splice(position, 1)
}

/** First position whose value is `value` or more. */
function firstNotBelow(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}
