/** How rows of rounded numbers lie in a slab, and how the kernel reads them; see `scan.wat`. */
import type { Pieces } from '../domain/pieces.js'
import type { ScanMemory } from './kernel.js'

/** 256 KiB, and the units of sixteen rows of 16,384 numbers, which then fit in full. */
export const SLAB_BYTES = 262_144 + 256

/** Numbers of a row that the kernel reads at a time; a row is padded to a multiple of it. */
const NUMBERS_AT_ONCE = 16
/** Rows that it reads at a time: they lie interleaved, and their units behind them. */
export const ROWS_AT_ONCE = 4
const UNIT_BYTES = Float32Array.BYTES_PER_ELEMENT

export const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT

/** Rows of a block. The last block of a slab may have fewer. */
const BLOCK = 16

/** Numbers of a row for vectors of a dimension. */
export function numbersOf(dimension: number): number {
  return Math.ceil(dimension / NUMBERS_AT_ONCE) * NUMBERS_AT_ONCE
}

export function rowBytes(numbers: number): number {
  return numbers + UNIT_BYTES
}

/** Rows that fit into a slab: a multiple of ROWS_AT_ONCE. */
export function rowsOfSlab(dimension: number): number {
  return ROWS_AT_ONCE * Math.floor(SLAB_BYTES / (ROWS_AT_ONCE * rowBytes(numbersOf(dimension))))
}

/** Offset in bytes, in its slab, of the first numbers of a row. */
export function rowAt(numbers: number, row: number): number {
  return groupAt(numbers, row) + NUMBERS_AT_ONCE * (row % ROWS_AT_ONCE)
}

/** Offset in bytes of its unit. */
export function unitAt(numbers: number, row: number): number {
  return groupAt(numbers, row) + ROWS_AT_ONCE * numbers + UNIT_BYTES * (row % ROWS_AT_ONCE)
}

/** Offset in bytes of the rows that lie together with one. */
function groupAt(numbers: number, row: number): number {
  return Math.floor(row / ROWS_AT_ONCE) * ROWS_AT_ONCE * rowBytes(numbers)
}

/** Indexes of the words that a row consists of, in a slab of words. */
export function wordsOf(numbers: number, row: number): number[] {
  const words = [unitAt(numbers, row) / WORD_BYTES]
  for (let at = 0; at < numbers; at += NUMBERS_AT_ONCE) {
    const first = (rowAt(numbers, row) + at * ROWS_AT_ONCE) / WORD_BYTES
    for (let word = 0; word < NUMBERS_AT_ONCE / WORD_BYTES; word++) words.push(first + word)
  }
  return words
}

/** Blocks of as many rows of one slab. */
function blocksOfSlab(rows: number): number {
  return Math.ceil(rows / BLOCK)
}

/** Blocks of the first `places` places, of which a slab has `rows`. */
export function blocksOf(places: number, rows: number): number {
  return Math.floor(places / rows) * blocksOfSlab(rows) + blocksOfSlab(places % rows)
}

/** Blocks looked at per piece: some tenths of a millisecond, if all of their places are found. */
const BLOCKS_A_PIECE = 1_024

/** Similarities by place, and the greatest of each block, slab by slab. */
export interface Blocks {
  readonly similarities: Float32Array
  readonly greatest: Float32Array
  /** Places of a slab. */
  readonly rows: number
}

/**
 * Writes the greatest similarity of each block behind the `count` similarities of a slab, in the memory in which the kernel has written
 * these. Returns a view.
 */
export function writeGreatest({ kernel, memory }: ScanMemory, foundAt: number, count: number): Float32Array {
  const blocks = blocksOfSlab(count)
  const end = blocks * BLOCK
  new Float32Array(memory.buffer, foundAt, end).fill(-Infinity, count)
  const greatestAt = foundAt + end * Float32Array.BYTES_PER_ELEMENT
  kernel.greatest(foundAt, greatestAt, greatestAt)
  return new Float32Array(memory.buffer, greatestAt, blocks)
}

/** The places of the blocks whose greatest similarity is at least `least`, and of them those whose own is. Ascending. */
export function* placesInBlocks({ similarities, greatest, rows }: Blocks, count: number, least: number): Pieces<number[]> {
  const places: number[] = []
  const blocks = blocksOfSlab(rows)
  for (let block = 0; block < greatest.length; block++) {
    if (block % BLOCKS_A_PIECE === BLOCKS_A_PIECE - 1) yield
    if ((greatest[block] as number) < least) continue
    const slab = Math.floor(block / blocks)
    const first = slab * rows + (block % blocks) * BLOCK
    const end = Math.min(first + BLOCK, (slab + 1) * rows, count)
    for (let place = first; place < end; place++) if ((similarities[place] as number) >= least) places.push(place)
  }
  return places
}
