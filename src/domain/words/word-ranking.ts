/** Documents ranked for a query by the words that they and their neighbours hold: BM25F over an inverted index. */
import type { Pieces } from '../pieces.js'
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

/** Semaphore of a word that are read in one piece, and documents that are summed up in one: some 0.1 ms each. */
const PLACES_A_PIECE = 4_096
const DOCUMENTS_A_PIECE = 8_192

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
  const tally = takeTally(postings.bound)
  const counts = createCounts(postings, tally, options)
  let best = 0
  let asked = 0
  let known = 0
  let read = 0
  for (const { weight, forms } of yield* askedTerms(postings, query)) {
    asked += weight
    if (forms.length === 0) continue
    known += weight
    const share = weight * rarity(postings.documents.size, forms)
    best += share
    for (const form of forms) {
      const places = form.posting.documents.length
      for (let from = 0; from < places; from += PLACES_A_PIECE) {
        const to = Math.min(places, from + PLACES_A_PIECE)
        counts.add(form, from, to)
        read += to - from
        if (read < PLACES_A_PIECE) continue
        read = 0
        yield
      }
    }
    for (let from = 0; from < counts.touched; from += DOCUMENTS_A_PIECE) {
      counts.drain({ from, to: Math.min(counts.touched, from + DOCUMENTS_A_PIECE), share, sums, found })
      if (from > 0) yield
    }
    counts.forget()
  }
  // Only here, where all of it is 0 again.
  spare = tally
  const scale = best === 0 ? 0 : Math.sqrt(known / asked) / best
  return { of: (document) => (sums[document] ?? 0) * scale, documents: found }
}

/** Inverse document frequency in the form that is never negative (Lucene's): a word in every text still counts a little. */
function rarity(size: number, forms: readonly Form[]): number {
  const frequency = Math.min(
    size,
    forms.reduce((sum, { posting, share }) => sum + share * posting.documents.length, 0)
  )
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5))
}

interface Drained {
  /** Of those that were touched. */
  readonly from: number
  readonly to: number
  readonly share: number
  /** By document. */
  readonly sums: Float64Array
  readonly found: number[]
}

/** Occurrences of one word in each document; dense, because a usual word is in most of them. */
interface Counts {
  /** Counts some places of a word for their documents and, in shares, for the neighbours. */
  add(form: Form, from: number, to: number): void
  /** Documents with a count. */
  readonly touched: number
  /** Adds what counts of some documents to their sums, and sets the counts back to 0. */
  drain(drained: Drained): void
  /** To be called when all are drained. */
  forget(): void
}

/** Room to count in. */
interface Tally {
  /** By document; 0 but while a word is counted. */
  readonly counts: Float64Array
  readonly touched: Int32Array
}

/** That of the last search, for the next one: of many documents it is a megabyte, and collecting it would take longer than the search. */
let spare: Tally | null = null

function takeTally(bound: number): Tally {
  const found = spare
  spare = null
  return found !== null && found.counts.length >= bound ? found : { counts: new Float64Array(bound), touched: new Int32Array(bound) }
}

const NO_LINKS = { previous: () => -1, next: () => -1 }

// The loops stand in plain functions, over numbers alone: that is where a search spends its time.
function createCounts(
  { lengths, totalLength, documents: { size } }: Postings,
  { counts, touched }: Tally,
  { links = NO_LINKS, isHidden }: WordSearch
): Counts {
  const lengthShare = LENGTH_SHARE / Math.max(1, totalLength / size)
  const [afterNext, afterSecond] = REACH.previous
  const [beforeNext, beforeSecond] = REACH.next
  let touchedCount = 0

  function count(document: number, amount: number): void {
    const known = counts[document] as number
    if (known === 0) touched[touchedCount++] = document
    counts[document] = known + amount
  }

  return {
    get touched() {
      return touchedCount
    },
    add({ posting: { documents, counts: times }, share }, from, to) {
      for (let i = from; i < to; i++) {
        const document = documents[i] as number
        if (isHidden?.(document) === true) continue
        const amount = (share * (times[i] as number)) / (1 - LENGTH_SHARE + lengthShare * (lengths[document] ?? 0))
        count(document, amount)
        const after = links.next(document)
        if (after >= 0) {
          count(after, amount * afterNext)
          const second = links.next(after)
          if (second >= 0) count(second, amount * afterSecond)
        }
        const before = links.previous(document)
        if (before >= 0) {
          count(before, amount * beforeNext)
          const second = links.previous(before)
          if (second >= 0) count(second, amount * beforeSecond)
        }
      }
    },
    drain({ from, to, share, sums, found }) {
      for (let i = from; i < to; i++) {
        const document = touched[i] as number
        const times = counts[document] as number
        const sum = sums[document] as number
        if (sum === 0) found.push(document)
        sums[document] = sum + (share * times * (REPETITION + 1)) / (times + REPETITION)
        counts[document] = 0
      }
    },
    forget() {
      touchedCount = 0
    }
  }
}
