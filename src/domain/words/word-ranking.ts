/** Documents ranked for a query by the words that they and their neighbours hold: BM25F over an inverted index. */
import { createFloor } from '../floor.js'
import { createPace, isPauseDue, type Pace, type Pieces } from '../pieces.js'
import type { Postings } from './postings.js'
import { type Counts, createCounts, giveTally, type Links, REPETITION, takeTally, type Tally } from './word-counts.js'
import { askedTerms, type Form, placesOf, type WeightedTerms } from './word-forms.js'

/** Places of a word that are read in one piece, and documents that are summed up in one: some 0.1 ms each. */
const PLACES_A_PIECE = 4_096
const DOCUMENTS_A_PIECE = 8_192
/** The same of places of which most are passed over. */
const PASSED_A_PIECE = 32_768

/** Places that a search reads from which on choosing the best first costs less than reading all of them. */
const CHOSEN_FROM = 8_192

/** What sums in another order may be off by, relative to them. */
const ROUNDING = 1e-9

export interface WordScores {
  /**
   * At least 0; 1 for a text of usual length that holds every word of the query once, up to 1 + REPETITION for more.
   * Words that no document holds lower all scores alike, by the square root of what is left: otherwise one strange
   * word, the rarest of all, would make everything irrelevant. Of a search with a limit only for `documents`, and what was measured.
   */
  of(document: number): number
  /** Documents with a score above 0, in no order; of a search with a limit, the best of them at least. */
  readonly documents: readonly number[]
  /** Whether the score of every document is known: there is nothing to measure. */
  readonly isComplete: boolean
  /** Works out the scores of further documents, as long as nothing is put or removed. */
  measure(documents: Iterable<number>): Pieces<void>
}

export interface WordSearch {
  /** Neighbours of a document, that lend it their words; below 0 at an end. Default: no neighbours. */
  readonly links?: Links
  /** Documents left out: they neither match nor lend. Default: none. */
  readonly isHidden?: (document: number) => boolean
  /** How many of the best are asked for, ties with the last of them included. Default: all. */
  readonly limit?: number
}

const NO_LINKS: Links = { previous: () => -1, next: () => -1 }

interface RankedTerm {
  readonly forms: readonly Form[]
  /** Of the sum: its weight and rarity. */
  readonly share: number
}

/** What a search goes through: the terms that any document holds, and how a sum becomes a score. */
interface Search {
  readonly postings: Postings
  readonly links: Links
  readonly options: WordSearch
  /** In the order of the query. */
  readonly terms: readonly RankedTerm[]
  readonly scale: number
  readonly pace: Pace
}

/** Scores of the documents that have anything to do with a query, or with the words of a long one that say most; see askedTerms. */
export function* rankByWords(postings: Postings, query: WeightedTerms, options: WordSearch): Pieces<WordScores> {
  const terms: RankedTerm[] = []
  let asked = 0
  let known = 0
  let best = 0
  for (const { weight, forms } of yield* askedTerms(postings, query)) {
    asked += weight
    if (forms.length === 0) continue
    known += weight
    const share = weight * rarity(postings.size, forms)
    best += share
    terms.push({ forms, share })
  }
  const scale = best === 0 ? 0 : Math.sqrt(known / asked) / best
  const search: Search = { postings, links: options.links ?? NO_LINKS, options, terms, scale, pace: createPace() }
  const places = terms.reduce((sum, { forms }) => sum + placesOf(forms), 0)
  return options.limit === undefined || places < CHOSEN_FROM ? yield* scoreAll(search) : yield* scoreBest(search, options.limit)
}

/** Scores of every document that holds a word, or is lent one. */
function* scoreAll({ postings, links, options, terms, scale, pace }: Search): Pieces<WordScores> {
  const tally = takeTally(postings.bound)
  const sums = new Float64Array(postings.bound)
  const counts = createCounts(postings, { ...tally, sums }, { links, isHidden: options.isHidden })
  const found: number[] = []
  for (const term of terms) yield* read(counts, term, { near: null, found, pace })
  giveTally(tally)
  return { of: (document) => (sums[document] ?? 0) * scale, documents: found, isComplete: true, *measure() {} }
}

/** Scores of the documents that may be among the best. */
function* scoreBest(search: Search, limit: number): Pieces<WordScores> {
  const scores = new Map<number, number>()
  const documents = yield* candidates(search, limit)
  yield* measureInto(scores, search, documents)
  return {
    of: (document) => scores.get(document) ?? 0,
    documents,
    isComplete: false,
    *measure(others) {
      const unknown: number[] = []
      for (const document of others) if (!scores.has(document)) unknown.push(document)
      yield* measureInto(scores, search, unknown)
    }
  }
}

/**
 * Documents among which the best are. The words that say most are read first; the rest, which stand in most documents, cannot bring any
 * other document among the best once they add up to less than the last of those has (MaxScore: Turtle and Flood, 1995).
 */
function* candidates(search: Search, limit: number): Pieces<number[]> {
  const { postings, terms } = search
  const tally = takeTally(postings.bound)
  const counts = createCounts(postings, tally, { links: search.links, isHidden: search.options.isHidden })
  const byShare = terms.toSorted((a, b) => b.share - a.share)
  const found: number[] = []
  /** Those that may still be among the best; while it is null, any document may. */
  let kept: number[] | null = null
  let left = byShare.reduce((sum, { share }) => sum + atMost(share), 0)
  let floor = -Infinity
  for (const term of byShare) {
    if (left < floor) kept = within(tally, kept ?? found, floor - left)
    const near = kept === null ? null : markNear(tally, kept, search.links)
    yield* read(counts, term, { near: near && tally.marks, found, pace: search.pace })
    for (const document of near ?? []) tally.marks[document] = 0
    left -= atMost(term.share)
    const judged: readonly number[] = kept ?? found
    if (judged.length >= limit) floor = floorOf(tally.sums, judged, limit) * (1 - ROUNDING)
  }
  const best = within(tally, kept ?? found, floor)
  for (const document of found) tally.sums[document] = 0
  giveTally(tally)
  return best
}

/** Works out sums in the order of the query, so that they are the same whatever else was asked for. */
function* measureInto(scores: Map<number, number>, search: Search, documents: readonly number[]): Pieces<void> {
  if (documents.length === 0) return
  const { postings, links, terms, scale, pace } = search
  const tally = takeTally(postings.bound)
  const counts = createCounts(postings, tally, { links, isHidden: search.options.isHidden })
  const near = markNear(tally, documents, links)
  const found: number[] = []
  for (const term of terms) yield* read(counts, term, { near: tally.marks, found, pace })
  for (const document of documents) {
    const sum = tally.sums[document] as number
    if (sum > 0) scores.set(document, sum * scale)
  }
  for (const document of found) tally.sums[document] = 0
  for (const document of near) tally.marks[document] = 0
  giveTally(tally)
}

/** Marks documents and those that lend them words; returns all that are marked. */
function markNear({ marks }: Tally, documents: readonly number[], links: Links): number[] {
  const marked: number[] = []
  function mark(document: number): void {
    if (document < 0 || marks[document] === 1) return
    marks[document] = 1
    marked.push(document)
  }
  for (const document of documents) {
    mark(document)
    for (const step of [links.previous, links.next]) {
      const first = step(document)
      mark(first)
      if (first >= 0) mark(step(first))
    }
  }
  return marked
}

interface Reading {
  /** Whose places are read; null for all. */
  readonly near: Uint8Array | null
  /** Takes the documents that get their first sum. */
  readonly found: number[]
  readonly pace: Pace
}

/** Adds what a term says of documents to their sums. */
function* read(counts: Counts, { forms, share }: RankedTerm, { near, found, pace }: Reading): Pieces<void> {
  const piece = near === null ? PLACES_A_PIECE : PASSED_A_PIECE
  for (const form of forms) {
    const places = form.posting.places.length
    for (let from = 0; from < places; from += piece) {
      const to = Math.min(places, from + piece)
      counts.add(form, { from, to }, near)
      if (isPauseDue(pace, (to - from) / piece)) yield
    }
  }
  for (let from = 0; from < counts.touched(); from += DOCUMENTS_A_PIECE) {
    const to = Math.min(counts.touched(), from + DOCUMENTS_A_PIECE)
    counts.drain({ from, to }, share, found)
    if (isPauseDue(pace, (to - from) / DOCUMENTS_A_PIECE)) yield
  }
  counts.forget()
}

/** What a term adds to a sum at most, however often a document says it. */
function atMost(share: number): number {
  return share * (REPETITION + 1)
}

/** The documents whose sums are no less. */
function within({ sums }: Tally, documents: readonly number[], least: number): number[] {
  return documents.filter((document) => (sums[document] as number) >= least)
}

function floorOf(sums: Float64Array, found: readonly number[], limit: number): number {
  const floor = createFloor(limit)
  for (const document of found) floor.offer(sums[document] as number)
  return floor.value
}

/** Inverse document frequency in the form that is never negative (Lucene's): a word in every text still counts a little. */
function rarity(size: number, forms: readonly Form[]): number {
  const frequency = Math.min(
    size,
    forms.reduce((sum, { posting, share }) => sum + share * posting.places.length, 0)
  )
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5))
}
