/** Scratch memory of a word search: numbers by document, in blocks that the kernel of `score.wat` reads and writes. */
import { createKernels, PAGE_BYTES } from '../kernel.js'
import { SCORE_KERNEL } from './score-kernel.js'

/** Base-2 logarithm of the documents in a block. */
export const BLOCK_BITS = 4
const BLOCK = 1 << BLOCK_BITS

/** Empty blocks on either side of the documents, so that no loop looks for an end. */
const MARGIN = 1
/** Index in `counts` of the first document. Shifted by BLOCK_BITS, an index in `counts` is that of its block in `marks`. */
export const FIRST = MARGIN * BLOCK

/** Most places that are counted at once. */
export const PLACES_AT_ONCE = 8_192

export interface Range {
  readonly from: number
  readonly to: number
}

/** Weights of a word in the neighbours of a document. */
export type Reach = readonly [secondBefore: number, before: number, after: number, secondAfter: number]

/** Functions of the kernel. Positions are byte offsets into its memory. */
interface ScoreKernel {
  count(
    ...weighed: [
      ...at: [places: number, end: number, counts: number, marks: number, lengths: number, order: number],
      ...weights: [share: number, least: number, perLength: number]
    ]
  ): void
  drain(counts: number, sums: number, marks: number, end: number, share: number, saturation: number, ...reach: Reach): void
  scale(sums: number, end: number, greatest: number, scale: number): void
}

const createScoreMemory = createKernels<ScoreKernel>(SCORE_KERNEL)

/** Counts that the kernel leaves at the end of a range, for the documents behind it. */
const LEFT = 2

const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT
const PLACE_BYTES = Int32Array.BYTES_PER_ELEMENT

/** How a word counts. */
interface Weights {
  /** Score of a word that counts once, relative to the others. */
  readonly share: number
  readonly saturation: number
  readonly reach: Reach
}

/** How an occurrence counts: `share` over `least` plus `perLength` times the words of its document. */
interface OccurrenceWeights {
  readonly share: number
  readonly least: number
  readonly perLength: number
}

/** Numbers by document, at the place of each among its neighbours. */
export class Tally {
  /** Occurrences of the current word by place, from FIRST on; all zeros between words. */
  readonly counts: Float64Array
  /** Score by place, from all words before the current one. */
  readonly sums: Float64Array
  /** Greatest sum by block, once the sums are scaled. */
  readonly greatest: Float64Array
  /** By block: 1 if the current word counts in it; all zeros between words. */
  readonly marks: Uint8Array
  /** Words of each document. */
  readonly lengths: Int32Array
  /** Room for the place of each document. */
  readonly order: Int32Array
  /** Room for places of a word. */
  readonly places: Int32Array
  private readonly kernel: ScoreKernel

  constructor(readonly blocks: number) {
    const documents = blocks * BLOCK
    let bytes = 0
    const reserve = (count: number, size: number): number => {
      const at = bytes
      bytes = Math.ceil((bytes + count * size) / NUMBER_BYTES) * NUMBER_BYTES
      return at
    }
    const countsAt = reserve(documents + 2 * FIRST, NUMBER_BYTES)
    const sumsAt = reserve(documents, NUMBER_BYTES)
    const greatestAt = reserve(blocks, NUMBER_BYTES)
    const marksAt = reserve(blocks + 2 * MARGIN, 1)
    const lengthsAt = reserve(documents, PLACE_BYTES)
    const orderAt = reserve(documents, PLACE_BYTES)
    const placesAt = reserve(PLACES_AT_ONCE, PLACE_BYTES)
    const { memory, kernel } = createScoreMemory(Math.ceil(bytes / PAGE_BYTES))
    this.kernel = kernel
    this.counts = new Float64Array(memory, countsAt, documents + 2 * FIRST)
    this.sums = new Float64Array(memory, sumsAt, documents)
    this.greatest = new Float64Array(memory, greatestAt, blocks)
    this.marks = new Uint8Array(memory, marksAt, blocks + 2 * MARGIN)
    this.lengths = new Int32Array(memory, lengthsAt, documents)
    this.order = new Int32Array(memory, orderAt, documents)
    this.places = new Int32Array(memory, placesAt, PLACES_AT_ONCE)
  }

  /** Counts the current word at the first `count` of `places`. `isOrdered`: documents have the places in `order`, not their numbers. */
  count(count: number, isOrdered: boolean, { share, least, perLength }: OccurrenceWeights): void {
    const { counts, marks, lengths, order, places, kernel } = this
    const end = places.byteOffset + count * PLACE_BYTES
    const countsAt = counts.byteOffset + FIRST * NUMBER_BYTES
    const orderAt = isOrdered ? order.byteOffset : 0
    kernel.count(places.byteOffset, end, countsAt, marks.byteOffset + MARGIN, lengths.byteOffset, orderAt, share, least, perLength)
  }

  /**
   * Adds the scores of the current word to the sums of all documents in a range of blocks, as far as they are marked, and forgets it there.
   * The ranges of a word follow each other.
   */
  drain({ from, to }: Range, { share, saturation, reach }: Weights): void {
    const { counts, sums, marks } = this
    const marksAt = marks.byteOffset + MARGIN
    const countsAt = counts.byteOffset + FIRST * NUMBER_BYTES
    const bytes = from * BLOCK * NUMBER_BYTES
    this.kernel.drain(countsAt + bytes, sums.byteOffset + bytes, marksAt + from, marksAt + to, share, saturation, ...reach)
  }

  /** Forgets what is left of the current word, once it is drained from the first `blocks` blocks, in which all of it counts. */
  endWord(blocks: number): void {
    const { counts, marks } = this
    const end = FIRST + blocks * BLOCK
    for (let left = 1; left <= LEFT; left++) counts[end - left] = 0
    marks[MARGIN - 1] = marks[MARGIN + blocks] = 0
  }

  /** Multiplies the sums at the first `places` places, and finds the greatest of each of their blocks. Those behind them become zeros. */
  scale(places: number, scale: number): void {
    const { sums, greatest } = this
    const blocks = blocksOf(places)
    const end = blocks * BLOCK
    sums.fill(0, places, end)
    greatest.fill(0, blocks)
    this.kernel.scale(sums.byteOffset, sums.byteOffset + end * NUMBER_BYTES, greatest.byteOffset, scale)
  }
}

/** Blocks that hold as many documents. */
export function blocksOf(documents: number): number {
  return (documents + BLOCK - 1) >> BLOCK_BITS
}

/** Tallies of the last searches, for reuse: with many documents each is megabytes, and collecting them would take longer than a search. */
const spares: Tally[] = []
/** Searches of large sessions that are under way at once as a rule. */
const SPARES_MAX = 4

/** Tally for as many blocks, all zeros. A new one has room for an eighth more, because each run adds a document. */
export function takeTally(blocks: number): Tally {
  const found = spares.pop()
  if (found === undefined || found.blocks < blocks) return new Tally(blocks + (blocks >> 3))
  found.sums.fill(0, 0, blocks << BLOCK_BITS)
  return found
}

/** Returns a tally for reuse. Its counts and marks must be all zeros again. */
export function giveTally(tally: Tally): void {
  if (spares.length < SPARES_MAX) spares.push(tally)
}
