/** Documents ranked for a query by the words that they and their neighbours hold: BM25F over an inverted index. */
import type { Pieces } from './pieces.js'
import type { Postings } from './postings.js'
import { askedTerms, type Form, type WeightedTerms } from './word-forms.js'

/**
 * How soon repetitions of a word stop counting, and how much a long text is held back: BM25 (Robertson and Zaragoza,
 * "The Probabilistic Relevance Framework: BM25 and Beyond", 2009). Chosen on the development half of LoCoMo:
 * recall@10 lies between .799 and .802 for 0.3 to 0.8 and 0.15 to 0.5, and falls at the usual 1.2 and 0.75.
 */
const REPETITION = 0.5
const LENGTH_SHARE = 0.3

/**
 * What a word in a neighbouring text counts as one of its own: an answer often lacks the words of its question, and a
 * topic is named once and then spoken of. As fields of BM25F, so that a word that both hold counts little more than once.
 * Development half of LoCoMo, words alone, recall@5 and @10: none .564, .632; one neighbour each side .656, .741;
 * two .695, .772; three .694, .775. Half to one and a half times these weights change recall@10 by less than .008.
 */
const REACH = { previous: [0.5, 0.25], next: [0.2, 0.1] } as const

/** Places of a word that are read in one piece: some 0.3 ms. */
const PLACES_A_PIECE = 4_096

export interface WordScores {
  /**
   * At least 0; 1 for a text of usual length that holds every word of the query once, up to 1 + REPETITION for more.
   * Words that no document holds lower all scores alike, by the square root of what is left: otherwise one strange
   * word, the rarest of all, would make everything irrelevant.
   */
  of(document: number): number
  /** Documents with a score above 0, in no order. */
  readonly documents: readonly number[]
}

export interface WordSearch {
  /** Neighbours of a document, that lend it their words; below 0 at an end. Default: no neighbours. */
  readonly links?: { previous(document: number): number; next(document: number): number }
  /** Documents left out: they neither match nor lend. Default: none. */
  readonly isHidden?: (document: number) => boolean
}

/** Scores of all documents that have anything to do with a query, or with the words of a long one that say most; see askedTerms. */
export function* rankByWords(postings: Postings, query: WeightedTerms, options: WordSearch): Pieces<WordScores> {
  const sums = new Float64Array(postings.bound)
  const found: number[] = []
  const counts = createCounts(postings.bound, options.links)
  let best = 0
  let asked = 0
  let known = 0
  for (const { weight, forms } of askedTerms(postings, query)) {
    asked += weight
    if (forms.length === 0) continue
    known += weight
    const share = weight * rarity(postings.documents.size, forms)
    best += share
    for (const form of forms) yield* countForm(postings, form, counts, options)
    counts.drain((document, count) => {
      if (sums[document] === 0) found.push(document)
      sums[document] = (sums[document] as number) + (share * count * (REPETITION + 1)) / (count + REPETITION)
    })
  }
  const scale = best === 0 ? 0 : Math.sqrt(known / asked) / best
  return { of: (document) => (sums[document] ?? 0) * scale, documents: found }
}

/** Inverse document frequency in the form that is never negative (Lucene's): a word in every text still counts a little. */
function rarity(size: number, forms: readonly Form[]): number {
  const frequency = Math.min(size, forms.reduce((sum, { posting, share }) => sum + share * posting.documents.length, 0))
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5))
}

function* countForm({ lengths, totalLength, documents: { size } }: Postings, { posting, share }: Form, counts: Counts, { isHidden }: WordSearch): Pieces<void> {
  const { documents, counts: times } = posting
  const lengthShare = LENGTH_SHARE / Math.max(1, totalLength / size)
  for (let i = 0; i < documents.length; i++) {
    if (i % PLACES_A_PIECE === PLACES_A_PIECE - 1) yield
    const document = documents[i] as number
    if (isHidden?.(document) === true) continue
    counts.add(document, (share * (times[i] as number)) / (1 - LENGTH_SHARE + lengthShare * (lengths[document] ?? 0)))
  }
}

interface Counts {
  /** Counts a word for its document and, in shares, for the neighbours. */
  add(document: number, count: number): void
  /** Visits every document with a count and sets it back to 0. */
  drain(visit: (document: number, count: number) => void): void
}

/** Occurrences of one word in each document; dense, because a usual word is in most of them. */
function createCounts(bound: number, links: WordSearch['links']): Counts {
  const counts = new Float64Array(bound)
  const touched: number[] = []

  function count(document: number, amount: number): void {
    if (counts[document] === 0) touched.push(document)
    counts[document] = (counts[document] as number) + amount
  }

  function lend(from: number, amount: number, step: (document: number) => number, weights: readonly number[]): void {
    let neighbour = step(from)
    for (const weight of weights) {
      if (neighbour < 0) return
      count(neighbour, amount * weight)
      neighbour = step(neighbour)
    }
  }

  return {
    add(document, amount) {
      count(document, amount)
      if (links === undefined) return
      lend(document, amount, links.next, REACH.previous)
      lend(document, amount, links.previous, REACH.next)
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
