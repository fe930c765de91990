/** Counts the words of a query in documents and their neighbours: the hot loops of a word search. */
import { countAt, documentAt, placesOf, type Posting, type Postings } from './postings.js'
import { BLOCK_BITS, blocksOf, FIRST, type Range, type Reach, takeTally, type Tally } from './tally.js'

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
const REACH: Reach = [0.25, 0.5, 0.2, 0.1]
const NO_REACH: Reach = [0, 0, 0, 0]
/** Documents that a word reaches on either side. */
const REACHED = 2

/** State of a search, which counts one word after another. Dense arrays, because a common word is in most documents. */
export interface Counts {
  readonly tally: Tally
  /** Blocks of the documents' places. */
  readonly blocks: number
  /** Place of each document among its neighbours; null if it is the document number. */
  readonly order: Int32Array | null
  readonly isHidden: ((document: number) => boolean) | undefined
  readonly lengths: readonly number[]
  /** What a word of a document adds to the divisor of its occurrences. */
  readonly lengthShare: number
  readonly reach: Reach
}

interface Read {
  readonly posting: Posting
  /** Weight of one occurrence. */
  readonly share: number
}

/** `order`: the documents, each beside its neighbours; negative numbers are none. Default: no document has neighbours. */
export function createCounts(
  { lengths, totalLength, size, bound }: Postings,
  { order, isHidden }: { readonly order: readonly number[] | undefined; readonly isHidden: ((document: number) => boolean) | undefined }
): Counts {
  const blocks = blocksOf(Math.max(bound, order?.length ?? 0))
  const tally = takeTally(blocks)
  return {
    tally,
    blocks,
    order: order === undefined || isInOrder(order) ? null : placesIn(order, tally.places.subarray(0, bound)),
    isHidden,
    lengths,
    lengthShare: LENGTH_SHARE / Math.max(1, totalLength / size),
    reach: order === undefined ? NO_REACH : REACH
  }
}

function isInOrder(order: readonly number[]): boolean {
  for (let place = 0; place < order.length; place++) if (order[place] !== place) return false
  return true
}

/** Fills in the place of each document; -1 for the others. */
function placesIn(order: readonly number[], places: Int32Array): Int32Array {
  places.fill(-1)
  let place = 0
  for (const document of order) {
    if (document >= 0) places[document] = place++
  }
  return places
}

/** Counts places of a word for their documents, and marks the blocks in which it counts. A plain loop over numbers: most time goes here. */
export function addPlaces(counting: Counts, { posting, share }: Read, { from, to }: Range): void {
  const { tally, order, isHidden, lengths, lengthShare } = counting
  const { counts, marks } = tally
  const places = placesOf(posting)
  for (let i = from, end = Math.min(to, places.length); i < end; i++) {
    const place = places[i] as number
    const document = documentAt(place)
    if (isHidden?.(document) === true) continue
    const at = FIRST + (order === null ? document : (order[document] as number))
    counts[at] = (counts[at] as number) + (share * countAt(posting, place)) / divisor(lengthShare, lengths[document] as number)
    // One of them is the block of the document itself.
    marks[(at - REACHED) >> BLOCK_BITS] = 1
    marks[(at + REACHED) >> BLOCK_BITS] = 1
  }
}

/** Adds the scores of the current word to the sums of a range of blocks, with the neighbours' counts. Counts stay as they are. */
export function drainBlocks({ tally, reach }: Counts, range: Range, share: number): void {
  tally.drain(range, { share, saturation: REPETITION, reach })
}

/** Sums by document, times `scale`. */
export function scoresOf({ tally: { sums }, order }: Counts, bound: number, scale: number): Float64Array {
  const scores = new Float64Array(bound)
  for (let document = 0; document < bound; document++) {
    const place = order === null ? document : (order[document] as number)
    if (place >= 0) scores[document] = (sums[place] as number) * scale
  }
  return scores
}

/** Divisor of an occurrence in a document of this length. */
function divisor(lengthShare: number, length: number): number {
  return 1 - LENGTH_SHARE + lengthShare * length
}
