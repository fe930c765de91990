/** Counts the words of a query in documents and their neighbours: the hot loops of a word search. */
import { countAt, documentAt, placesOf, type Posting, type Postings } from './postings.js'

/**
 * BM25's saturation of repeated words (k1) and penalty for long texts (b): Robertson and Zaragoza, "The Probabilistic Relevance Framework:
 * BM25 and Beyond", 2009. Chosen on the development half of LoCoMo: recall@10 lies between .802 and .806 for 0.3 to 0.8 and 0.15 to 0.5,
 * and is .790 at the usual 1.2 and 0.75.
 */
const REPETITION = 0.5
const LENGTH_SHARE = 0.3

/**
 * Weights of a word in a neighbouring text, relative to 1 in the text itself. An answer often lacks the words of its question, and a topic
 * is named once and then spoken of. The weights act as fields of BM25F, so that a word in both texts counts little more than once.
 * Development half of LoCoMo, recall@5 and @10: no neighbours .610, .683; one on each side .687, .776; two .725, .804; with half of these
 * weights .710, .788, with one and a half times .720, .798.
 */
const REACH = { previous: [0.5, 0.25], next: [0.2, 0.1] } as const

/** Neighbours by document, which lend it their words: the one before and the one after; negative at an end. */
export interface Links {
  readonly previous: Int32Array
  readonly next: Int32Array
}

/** No neighbours. */
export const NO_LINKS: Links = { previous: new Int32Array(0), next: new Int32Array(0) }

/** Scratch arrays of a search. */
interface Tally {
  /** Occurrences of the current word by document; all zeros between searches. */
  readonly counts: Float64Array
  /** Documents with a non-zero count. */
  readonly touched: Int32Array
  /** By block of documents: 1 if every document's neighbours have the adjacent numbers. Filled when a word first needs it. */
  readonly contiguous: Uint8Array
}

/** Base-2 logarithm of the documents in a block. */
const BLOCK_BITS = 7

/** Tally of the last search, for reuse: with many documents it is megabytes, and collecting it would take longer than a search. */
let spare: Tally | null = null

/** Extra documents past the last one, so that loops can read beyond the end. */
const BEHIND = 2

/** Allocates an eighth more than asked for, because each run adds a document. */
export function takeTally(bound: number): Tally {
  const found = spare
  spare = null
  if (found !== null && found.touched.length >= bound + BEHIND) return found
  const length = bound + (bound >> 3) + BEHIND
  return {
    counts: new Float64Array(length),
    touched: new Int32Array(length),
    contiguous: new Uint8Array((length >> BLOCK_BITS) + 1)
  }
}

/** Returns a tally for reuse. Its counts must be all zeros again. */
export function giveTally(tally: Tally): void {
  spare = tally
}

/** State of a search, which counts one word after another. Dense arrays, because a common word is in most documents. */
export interface Counts {
  readonly tally: Tally
  /** Score by document, from all words before the current one. */
  readonly sums: Float64Array
  readonly links: Links
  readonly isHidden: ((document: number) => boolean) | undefined
  readonly lengths: readonly number[]
  /** What a word of a document adds to the divisor of its occurrences. */
  readonly lengthShare: number
  /** One above the highest document number. */
  readonly bound: number
  /** Number of documents in `tally.touched`. */
  touched: number
  /** Whether `tally.contiguous` is filled. */
  isSurveyed: boolean
}

export interface Range {
  readonly from: number
  readonly to: number
}

interface Read {
  readonly posting: Posting
  /** Weight of one occurrence. */
  readonly share: number
}

export function createCounts(
  { lengths, totalLength, size, bound }: Postings,
  tally: Tally,
  { links, isHidden }: { readonly links: Links; readonly isHidden: ((document: number) => boolean) | undefined }
): Counts {
  const lengthShare = LENGTH_SHARE / Math.max(1, totalLength / size)
  return { tally, sums: new Float64Array(bound), links, isHidden, lengths, lengthShare, bound, touched: 0, isSurveyed: false }
}

/**
 * Counts places of a word for their documents and, weighted, for the neighbours, and notes the documents that it touches. One plain loop
 * over numbers: a search spends most of its time here, and a call per neighbour would cost more than the counting.
 */
export function addPlaces(counting: Counts, { posting, share }: Read, { from, to }: Range): void {
  const { isHidden, lengths, lengthShare } = counting
  const { counts, touched } = counting.tally
  const { previous, next } = counting.links
  const places = placesOf(posting)
  const [afterNext, afterSecond] = REACH.previous
  const [beforeNext, beforeSecond] = REACH.next
  let count = counting.touched
  for (let i = from, end = Math.min(to, places.length); i < end; i++) {
    const place = places[i] as number
    const document = documentAt(place)
    if (isHidden?.(document) === true) continue
    const amount = (share * countAt(posting, place)) / divisor(lengthShare, lengths[document] as number)
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

/** The same for a word so common that all documents are drained afterwards: counts the documents alone, without neighbours. */
export function addCommonPlaces(counting: Counts, { posting, share }: Read, { from, to }: Range): void {
  const { isHidden, lengths, lengthShare } = counting
  const { counts } = counting.tally
  const places = placesOf(posting)
  for (let i = from, end = Math.min(to, places.length); i < end; i++) {
    const place = places[i] as number
    const document = documentAt(place)
    if (isHidden?.(document) === true) continue
    const amount = (share * countAt(posting, place)) / divisor(lengthShare, lengths[document] as number)
    counts[document] = (counts[document] as number) + amount
  }
}

/** Adds the scores of some touched documents to their sums and resets their counts to 0. */
export function drainCounts({ tally: { counts, touched }, sums }: Counts, { from, to }: Range, share: number): void {
  for (let i = from; i < to; i++) {
    const document = touched[i] as number
    const times = counts[document] as number
    sums[document] = (sums[document] as number) + saturated(times, share)
    counts[document] = 0
  }
}

/** Adds the scores of a range of documents to their sums, with their neighbours' counts. Counts stay as they are. */
export function drainCommonCounts(counting: Counts, { from, to }: Range, share: number): void {
  if (!counting.isSurveyed) survey(counting)
  const { contiguous } = counting.tally
  for (let start = from; start < to;) {
    const block = start >> BLOCK_BITS
    const end = Math.min(to, (block + 1) << BLOCK_BITS)
    const drain = contiguous[block] === 1 ? drainContiguous : drainLinked
    drain(counting, { from: start, to: end }, share)
    start = end
  }
}

/**
 * Finds the contiguous blocks: those in which every document, and the one on each side of the block, has the adjacent numbers as
 * neighbours, or none at the ends. Links are mutual, so only the last document is checked in both directions.
 */
function survey(counting: Counts): void {
  const { bound, links, tally } = counting
  const { previous, next } = links
  for (let from = 0; from < bound; from += 1 << BLOCK_BITS) {
    const last = Math.min(bound - 1, from + (1 << BLOCK_BITS))
    let isContiguous = next[last] === (last + 1 < bound ? last + 1 : -1)
    for (let document = Math.max(0, from - 1); isContiguous && document <= last; document++)
      isContiguous = previous[document] === document - 1
    tally.contiguous[from >> BLOCK_BITS] = isContiguous ? 1 : 0
  }
  counting.isSurveyed = true
}

/** For documents whose neighbours have the adjacent numbers: reads each count once. */
function drainContiguous({ tally: { counts }, sums }: Counts, { from, to }: Range, share: number): void {
  const [beforeShare, secondBeforeShare] = REACH.previous
  const [afterShare, secondAfterShare] = REACH.next
  // Past the last document there are zeros.
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

/** Divisor of an occurrence in a document of this length. */
function divisor(lengthShare: number, length: number): number {
  return 1 - LENGTH_SHARE + lengthShare * length
}

/** Score of a word that counts `times` in a document. */
function saturated(times: number, share: number): number {
  return (share * times * (REPETITION + 1)) / (times + REPETITION)
}
