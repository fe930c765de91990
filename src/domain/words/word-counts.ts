/** Counts the words of a query in documents and their neighbours: the hot loops of a word search. */
import { countOf, documentAt, listOf, LongPlaces } from './places.js'
import { countAt, placeCount, type Posting, type Postings } from './postings.js'
import { BLOCK_BITS, blocksOf, FIRST, giveTally, PLACES_AT_ONCE, type Range, type Reach, takeTally, type Tally } from './tally.js'

/**
 * BM25's saturation of repeated words (k1) and penalty for long texts (b): Robertson and Zaragoza, "The Probabilistic Relevance Framework:
 * BM25 and Beyond", 2009. Chosen on the development half of LoCoMo: recall@10 lies between .802 and .806 for 0.3 to 0.8 and 0.15 to 0.5,
 * and is .790 at the usual 1.2 and 0.75.
 */
const REPETITION = 0.5
const LENGTH_SHARE = 0.3
/** Divisor of an occurrence in a text without words. */
const LEAST = 1 - LENGTH_SHARE

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

/** The places of all documents: each beside its neighbours. */
export interface Order {
  /** Negative numbers are none. */
  readonly documents: readonly number[]
  /** Whether the document at each place has the number of that place. */
  readonly isNumbered: boolean
}

/** State of a search, which counts one word after another. Dense arrays, because a common word is in most documents. */
export interface Counts {
  readonly tally: Tally
  /** Number of places. */
  readonly end: number
  /** Place of each document; null if it is the document number. */
  readonly order: Int32Array | null
  readonly isHidden: ((document: number) => boolean) | undefined
  /** What a word of a document adds to the divisor of its occurrences. */
  readonly perLength: number
  readonly reach: Reach
}

/** A word that is read. */
export interface Read {
  readonly posting: Posting
  /** Weight of one occurrence. */
  readonly share: number
}

/** `order`: default: no document has neighbours. */
export function createCounts(
  { lengths, totalLength, size, bound }: Postings,
  { order, isHidden }: { readonly order: Order | undefined; readonly isHidden: ((document: number) => boolean) | undefined }
): Counts {
  const end = order?.documents.length ?? bound
  const tally = takeTally(blocksOf(Math.max(bound, end)))
  tally.lengths.set(lengths.subarray(0, bound))
  return {
    tally,
    end,
    order: order === undefined || order.isNumbered ? null : placesIn(order, tally.order.subarray(0, bound)),
    isHidden,
    perLength: LENGTH_SHARE / Math.max(1, totalLength / size),
    reach: order === undefined ? NO_REACH : REACH
  }
}

/** Fills in the place of each document; -1 for the others. */
function placesIn({ documents }: Order, places: Int32Array): Int32Array {
  places.fill(-1)
  let place = 0
  for (const document of documents) {
    if (document >= 0) places[document] = place++
  }
  return places
}

/** Counts places of a common word for their documents, and marks the blocks in which it counts: most time goes here. */
export function addPlaces(counting: Counts, read: Read, range: Range): void {
  const { posting, share } = read
  if (posting.many !== null) addOneByOne(counting, read, range)
  else addByKernel(counting, appended(counting, posting, range, 0), share)
}

/** The same for all places of words of one share, at most PLACES_AT_ONCE together: the kernel is called once for most of them. */
export function addWords(counting: Counts, postings: readonly Posting[], share: number): void {
  let count = 0
  for (const posting of postings) {
    if (posting.many === null) count = appended(counting, posting, EVERY_PLACE, count)
    else {
      addByKernel(counting, count, share)
      count = 0
      addOneByOne(counting, { posting, share }, EVERY_PLACE)
    }
  }
  addByKernel(counting, count, share)
}

const EVERY_PLACE: Range = { from: 0, to: PLACES_AT_ONCE }

/** Writes places of a word for the kernel, behind the first `count`. Returns how many there are then. */
function appended({ tally, isHidden }: Counts, { places }: Posting, { from, to }: Range, count: number): number {
  const room = tally.places
  const end = Math.min(to, countOf(places))
  if (isHidden === undefined && places instanceof LongPlaces) {
    room.set(places.numbers.subarray(from, end), count)
    return count + end - from
  }
  const list = listOf(places)
  for (let at = from; at < end; at++) {
    const place = list[at] as number
    if (isHidden?.(documentAt(place)) !== true) room[count++] = place
  }
  return count
}

function addByKernel({ tally, order, perLength }: Counts, count: number, share: number): void {
  if (count > 0) tally.count(count, order !== null, { share, least: LEAST, perLength })
}

/** The same for counts too large for a place: the same operations in their order give the same numbers. */
function addOneByOne({ tally, order, isHidden, perLength }: Counts, { posting, share }: Read, { from, to }: Range): void {
  const { counts, marks, lengths } = tally
  const places = listOf(posting.places)
  const end = Math.min(to, placeCount(posting))
  for (let i = from; i < end; i++) {
    const place = places[i] as number
    const document = documentAt(place)
    if (isHidden?.(document) === true) continue
    const at = FIRST + (order === null ? document : (order[document] as number))
    counts[at] = (counts[at] as number) + (share * countAt(posting, place)) / (LEAST + perLength * (lengths[document] as number))
    // One of them is the block of the document itself.
    marks[(at - REACHED) >> BLOCK_BITS] = 1
    marks[(at + REACHED) >> BLOCK_BITS] = 1
  }
}

/** Adds the scores of the current word to the sums of a range of blocks, with the neighbours' counts, and forgets it there. */
export function drainBlocks({ tally, reach }: Counts, range: Range, share: number): void {
  tally.drain(range, { share, saturation: REPETITION, reach })
}

/** Scores of documents. */
export interface WordScores {
  /** At least 0, by document number; 0 for absent documents. */
  readonly scores: Float64Array
  /** Greatest score of each block: of the documents whose numbers, shifted by BLOCK_BITS, are the block's. */
  readonly greatest: Float64Array
  /** What both lie in, to be given back when they are no longer read; null if they lie in memory of their own. */
  readonly tally: Tally | null
}

/** Documents from which scores are not copied: it would take a tenth of the search. */
const LENT_MIN = 16_384

/** The sums times `scale`, of documents with numbers below `bound`. The tally must not be used any more. */
export function takeScores({ tally, order, end }: Counts, bound: number, scale: number): WordScores {
  tally.scale(end, scale)
  const { sums, greatest } = tally
  const blocks = blocksOf(bound)
  if (order === null && bound >= LENT_MIN) return { scores: sums.subarray(0, bound), greatest: greatest.subarray(0, blocks), tally }
  const found = order === null ? { scores: sums.slice(0, bound), greatest: greatest.slice(0, blocks), tally: null } : noScores(bound)
  if (order !== null) copyInOrder(sums, order, found)
  giveTally(tally)
  return found
}

/** Copies sums from places to documents. */
function copyInOrder(sums: Float64Array, order: Int32Array, { scores, greatest }: WordScores): void {
  for (let document = 0; document < order.length; document++) {
    const place = order[document] as number
    if (place < 0) continue
    const score = sums[place] as number
    const block = document >> BLOCK_BITS
    scores[document] = score
    if (score > (greatest[block] as number)) greatest[block] = score
  }
}

/** Scores of documents that hold no word of a query. */
export function noScores(bound: number): WordScores {
  return { scores: new Float64Array(bound), greatest: new Float64Array(blocksOf(bound)), tally: null }
}
