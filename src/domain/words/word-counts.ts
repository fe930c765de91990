/** Occurrences of the words of a query in documents and their neighbours: the loops in which a word search spends its time. */
import { countAt, documentAt, placesOf, type Posting, type Postings } from './postings.js'

/**
 * How soon repetitions of a word stop counting, and how much a long text is held back: BM25 (Robertson and Zaragoza,
 * "The Probabilistic Relevance Framework: BM25 and Beyond", 2009). Chosen on the development half of LoCoMo:
 * recall@10 lies between .802 and .806 for 0.3 to 0.8 and 0.15 to 0.5, and is .790 at the usual 1.2 and 0.75.
 */
const REPETITION = 0.5
const LENGTH_SHARE = 0.3

/**
 * What a word in a neighbouring text counts as one of its own: an answer often lacks the words of its question, and a
 * topic is named once and then spoken of. As fields of BM25F, so that a word that both hold counts little more than once.
 * Development half of LoCoMo, recall@5 and @10: none .610, .683; one neighbour each side .687, .776; two .725, .804; with half of these
 * weights .710, .788, with one and a half times .720, .798.
 */
const REACH = { previous: [0.5, 0.25], next: [0.2, 0.1] } as const

/** By document, the one before it and the one after it, which lend it their words; below 0 at an end. */
export interface Links {
  readonly previous: Int32Array
  readonly next: Int32Array
}

/** Without neighbours. */
export const NO_LINKS: Links = { previous: new Int32Array(0), next: new Int32Array(0) }

/** Room for a search. */
export interface Tally {
  /** By document, the occurrences of the word that is being read; all zeros but while a search is under way. */
  readonly counts: Float64Array
  /** Documents with a count. */
  readonly touched: Int32Array
  /** By document, what an occurrence is divided by: more the longer the document is. */
  readonly norms: Float64Array
  /** By block of documents, whether all of it has its neighbours beside it; filled once a word asks for it. */
  readonly straight: Uint8Array
}

/** Documents of a block, as a power of two. */
const BLOCK_BITS = 7

/** That of the last search, for the next one: of many documents it is megabytes, and collecting it would take longer than the search. */
let spare: Tally | null = null

/** Documents behind the last one that are looked at as if there were any. */
const BEHIND = 2

/** An eighth more than is asked for, as each run adds a document. */
export function takeTally(bound: number): Tally {
  const found = spare
  spare = null
  if (found !== null && found.touched.length >= bound + BEHIND) return found
  const length = bound + (bound >> 3) + BEHIND
  return {
    counts: new Float64Array(length),
    touched: new Int32Array(length),
    norms: new Float64Array(length),
    straight: new Uint8Array((length >> BLOCK_BITS) + 1)
  }
}

/** Only of a tally that is all zeros again. */
export function giveTally(tally: Tally): void {
  spare = tally
}

/** The occurrences of one word after the other in each document; dense, because a usual word is in most of them. */
export interface Counts {
  readonly tally: Tally
  /** By document, what all words before this one said. */
  readonly sums: Float64Array
  readonly links: Links
  readonly isHidden: ((document: number) => boolean) | undefined
  /** One above the highest document. */
  readonly bound: number
  /** Documents that are noted as touched. */
  touched: number
  /** Whether the tally knows which blocks are straight. */
  isSurveyed: boolean
}

export interface Range {
  readonly from: number
  readonly to: number
}

interface Read {
  readonly posting: Posting
  /** What an occurrence counts. */
  readonly share: number
}

export function createCounts(
  { lengths, totalLength, size, bound }: Postings,
  tally: Tally,
  { links, isHidden }: { readonly links: Links; readonly isHidden: ((document: number) => boolean) | undefined }
): Counts {
  const sums = new Float64Array(bound)
  const { norms } = tally
  const lengthShare = LENGTH_SHARE / Math.max(1, totalLength / size)
  for (let document = 0; document < bound; document++) norms[document] = 1 - LENGTH_SHARE + lengthShare * (lengths[document] as number)
  return { tally, sums, links, isHidden, bound, touched: 0, isSurveyed: false }
}

/**
 * Counts some places of a word for their documents and, in shares, for the neighbours, and notes which ones it touches. One plain loop over
 * numbers: a search spends most of its time here, and a call for each neighbour would take longer than the counting.
 */
export function addPlaces(counting: Counts, { posting, share }: Read, { from, to }: Range): void {
  const { isHidden } = counting
  const { counts, touched, norms } = counting.tally
  const { previous, next } = counting.links
  const places = placesOf(posting)
  const [afterNext, afterSecond] = REACH.previous
  const [beforeNext, beforeSecond] = REACH.next
  let count = counting.touched
  for (let i = from, end = Math.min(to, places.length); i < end; i++) {
    const place = places[i] as number
    const document = documentAt(place)
    if (isHidden?.(document) === true) continue
    const amount = (share * countAt(posting, place)) / (norms[document] as number)
    const own = counts[document] as number
    if (own === 0) touched[count++] = document
    counts[document] = own + amount
    const after = document < next.length ? (next[document] as number) : -1
    if (after >= 0) {
      const known = counts[after] as number
      if (known === 0) touched[count++] = after
      counts[after] = known + amount * afterNext
      const second = next[after] as number
      if (second >= 0) {
        const former = counts[second] as number
        if (former === 0) touched[count++] = second
        counts[second] = former + amount * afterSecond
      }
    }
    const before = document < previous.length ? (previous[document] as number) : -1
    if (before >= 0) {
      const known = counts[before] as number
      if (known === 0) touched[count++] = before
      counts[before] = known + amount * beforeNext
      const second = previous[before] as number
      if (second >= 0) {
        const former = counts[second] as number
        if (former === 0) touched[count++] = second
        counts[second] = former + amount * beforeSecond
      }
    }
  }
  counting.touched = count
}

/** The same of a word that stands in so many documents that all are gone through afterwards: for the documents alone. */
export function addUsualPlaces({ tally: { counts, norms }, isHidden }: Counts, { posting, share }: Read, { from, to }: Range): void {
  const places = placesOf(posting)
  for (let i = from, end = Math.min(to, places.length); i < end; i++) {
    const place = places[i] as number
    const document = documentAt(place)
    if (isHidden?.(document) === true) continue
    const amount = (share * countAt(posting, place)) / (norms[document] as number)
    counts[document] = (counts[document] as number) + amount
  }
}

/** Adds what counts of some of the touched documents to their sums, and sets the counts back to 0. */
export function drainCounts({ tally: { counts, touched }, sums }: Counts, { from, to }: Range, share: number): void {
  for (let i = from; i < to; i++) {
    const document = touched[i] as number
    const times = counts[document] as number
    sums[document] = (sums[document] as number) + saturated(times, share)
    counts[document] = 0
  }
}

/** Adds what counts of some documents, by their numbers, and of their neighbours, which keep their counts. */
export function drainUsualCounts(counting: Counts, { from, to }: Range, share: number): void {
  if (!counting.isSurveyed) survey(counting)
  const { straight } = counting.tally
  for (let start = from; start < to;) {
    const block = start >> BLOCK_BITS
    const end = Math.min(to, (block + 1) << BLOCK_BITS)
    const drain = straight[block] === 1 ? drainStraight : drainLinked
    drain(counting, { from: start, to: end }, share)
    start = end
  }
}

/**
 * Finds the blocks whose documents, and those beside them, have their neighbours beside them, or none where the row ends. What one has
 * before it has that one behind it: only the last is looked at both ways.
 */
function survey(counting: Counts): void {
  const { bound, links, tally } = counting
  const { previous, next } = links
  for (let from = 0; from < bound; from += 1 << BLOCK_BITS) {
    const last = Math.min(bound - 1, from + (1 << BLOCK_BITS))
    let isStraight = next[last] === (last + 1 < bound ? last + 1 : -1)
    for (let document = Math.max(0, from - 1); isStraight && document <= last; document++) isStraight = previous[document] === document - 1
    tally.straight[from >> BLOCK_BITS] = isStraight ? 1 : 0
  }
  counting.isSurveyed = true
}

/** Of documents whose neighbours lie beside them: each count is read once. */
function drainStraight({ tally: { counts }, sums }: Counts, { from, to }: Range, share: number): void {
  const [beforeShare, secondBeforeShare] = REACH.previous
  const [afterShare, secondAfterShare] = REACH.next
  // Behind the last document there is room without any count.
  let secondBefore = from === 0 ? 0 : (counts[from - 2] as number)
  let before = from === 0 ? 0 : (counts[from - 1] as number)
  let own = counts[from] as number
  let after = counts[from + 1] as number
  for (let document = from; document < to; document++) {
    const secondAfter = counts[document + 2] as number
    const times = own + before * beforeShare + secondBefore * secondBeforeShare + after * afterShare + secondAfter * secondAfterShare
    sums[document] = (sums[document] as number) + saturated(times, share)
    secondBefore = before
    before = own
    own = after
    after = secondAfter
  }
}

function drainLinked({ tally: { counts }, sums, links }: Counts, { from, to }: Range, share: number): void {
  const { previous, next } = links
  const [beforeShare, secondBeforeShare] = REACH.previous
  const [afterShare, secondAfterShare] = REACH.next
  for (let document = from; document < to; document++) {
    let times = counts[document] as number
    const before = document < previous.length ? (previous[document] as number) : -1
    if (before >= 0) {
      times += (counts[before] as number) * beforeShare
      const second = previous[before] as number
      if (second >= 0) times += (counts[second] as number) * secondBeforeShare
    }
    const after = document < next.length ? (next[document] as number) : -1
    if (after >= 0) {
      times += (counts[after] as number) * afterShare
      const second = next[after] as number
      if (second >= 0) times += (counts[second] as number) * secondAfterShare
    }
    sums[document] = (sums[document] as number) + saturated(times, share)
  }
}

/** What a word says of a document in which it counts so often. */
function saturated(times: number, share: number): number {
  return (share * times * (REPETITION + 1)) / (times + REPETITION)
}
