/** Word search over the memories of one session: an inverted index ranked by BM25. */

/**
 * BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009):
 * how soon repetitions of a word stop counting, and how much a long text is held back.
 * Chosen on the development half of LoCoMo together with REACH: recall@10 lies between .770 and .778
 * for 0.3 to 0.8 and 0.2 to 0.5, and falls to .752 at the usual 1.2 and 0.75.
 */
const REPETITION = 0.8
const LENGTH_SHARE = 0.3

/**
 * What a word in a neighbouring text counts as one of its own: an answer often lacks the words of its question, and a
 * topic is named once and then spoken of. As fields of BM25F, so that a word that both hold counts little more than once.
 * Development half of LoCoMo, recall@5 and @10: none .564, .632; one neighbour each side .656, .741; two .695, .772;
 * three .694, .775. Weights of half to one and a half times these change recall@10 by less than .008.
 */
const REACH = { previous: [0.5, 0.25], next: [0.2, 0.1] } as const

/** A query word and how much it counts; 1 is plain. */
export type WeightedTerms = ReadonlyMap<string, number>

export interface LexicalScores {
  /**
   * At least 0; 1 for a text of usual length that holds every word of the query once, up to 1 + REPETITION for more.
   * Words that no document holds lower all scores alike, by the square root of what is left: otherwise one strange
   * word, the rarest of all, would make everything irrelevant.
   */
  of(document: number): number
  /** Documents with a score above 0, in no order. */
  readonly documents: readonly number[]
}

export interface LexicalSearch {
  /** Neighbours of a document, that lend it their words; -1 or undefined at an end. Default: no neighbours. */
  readonly links?: { previous(document: number): number | undefined; next(document: number): number | undefined }
  /** Documents left out: they neither match nor lend. Default: none. */
  readonly isHidden?: (document: number) => boolean
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
  search(query: WeightedTerms, options?: LexicalSearch): LexicalScores
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
    search(query, options = {}) {
      const meanLength = documents.size === 0 ? 1 : Math.max(1, totalLength / documents.size)
      const lengthOf = (document: number): number => (documents.get(document) as IndexedDocument).length / meanLength
      const sums = new Float64Array(bound)
      const found: number[] = []
      const counts = createCounts(bound, options.links)
      let best = 0
      let asked = 0
      let known = 0
      for (const [term, weight] of query) {
        asked += weight
        const posting = postings.get(term)
        if (posting === undefined) continue
        known += weight
        const share = weight * rarity(documents.size, posting.documents.length)
        best += share
        for (let i = 0; i < posting.documents.length; i++) {
          const document = posting.documents[i] as number
          if (options.isHidden?.(document) === true) continue
          counts.add(document, (posting.counts[i] as number) / (1 - LENGTH_SHARE + LENGTH_SHARE * lengthOf(document)))
        }
        counts.drain((document, count) => {
          if (sums[document] === 0) found.push(document)
          sums[document] = (sums[document] as number) + (share * count * (REPETITION + 1)) / (count + REPETITION)
        })
      }
      const scale = best === 0 ? 0 : Math.sqrt(known / asked) / best
      return { of: (document) => (sums[document] ?? 0) * scale, documents: found }
    }
  }
}

interface Counts {
  /** Counts a word for its document and, in shares, for the neighbours. */
  add(document: number, count: number): void
  /** Visits every document with a count and sets it back to 0. */
  drain(visit: (document: number, count: number) => void): void
}

/** Occurrences of one word in each document; dense, because a usual word is in most of them. */
function createCounts(bound: number, links: LexicalSearch['links']): Counts {
  const counts = new Float64Array(bound)
  const touched: number[] = []

  function add(document: number, count: number): void {
    if (counts[document] === 0) touched.push(document)
    counts[document] = (counts[document] as number) + count
  }

  function lend(from: number, count: number, step: (document: number) => number | undefined, weights: readonly number[]): void {
    let neighbour = step(from)
    for (const weight of weights) {
      if (neighbour === undefined || neighbour < 0) return
      add(neighbour, count * weight)
      neighbour = step(neighbour)
    }
  }

  return {
    add(document, count) {
      add(document, count)
      if (links === undefined) return
      lend(document, count, links.next, REACH.previous)
      lend(document, count, links.previous, REACH.next)
    },
    drain(visit) {
      for (const document of touched) {
        visit(document, counts[document] as number)
        counts[document] = 0
      }
      touched.length = 0
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
