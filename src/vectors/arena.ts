/**
 * Memory for vectors where the scan kernel can read it: slabs of one size in chunks of WebAssembly memory, which cannot shrink, so that
 * a chunk is given back as a whole.
 */
import { createKernelMemory, type KernelMemory, PAGE_BYTES } from './kernel.js'

/** 256 KiB. */
const SLAB_BYTES = 262_144

/** Numbers that the kernel reads at a time: what a row holds is a multiple of it. */
const NUMBERS_AT_ONCE = 16
/** Behind the numbers of a row: what they stand for, and nothing, so that the next one begins where the kernel reads well. */
const ROW_END_BYTES = 16

/** 16 MiB, as many as the kernel takes. */
const CHUNK_PAGES = 256
/** The first place of a chunk holds the query and what is found, or a vector that is written. */
const CHUNK_SLABS = (CHUNK_PAGES * PAGE_BYTES) / SLAB_BYTES - 1
const QUERY_AT = 0
const FOUND_AT = SLAB_BYTES / 2
const VECTOR_AT = 0

/** Numbers of a vector that the kernel takes at most, so that a query has room. */
export const KERNEL_NUMBERS_MAX = FOUND_AT / Int16Array.BYTES_PER_ELEMENT

/** Slabs without use before a chunk is given back: two chunks full of them. */
const FREE_SLABS_MAX = 2 * CHUNK_SLABS

/** A vector in whole numbers. Both of what is kept: the numbers, and what one of them stands for. */
export interface Rounded {
  readonly numbers: Int16Array
  readonly unit: number
}

/** Of a vector that was written. */
export interface WrittenRow {
  /** Length of what rounding left out: products with the vector are off by no more than this, times the length of the other one. */
  readonly error: number
  readonly length: number
}

export interface Slab {
  /** Writes a vector to the row of this number, rounded to whole numbers that a byte holds. */
  write(row: number, vector: Float32Array): WrittenRow
  /** Leaves nothing of it. */
  wipe(row: number): void
  /** Copies a row of another slab, or of this one, of as many numbers. */
  copy(row: number, from: Slab, fromRow: number): void
}

/** Reads slabs with one query, wherever they lie. */
export interface SlabReader {
  /** About the dot products with the first `count` rows of a slab. A view that the next call overwrites. */
  similarities(slab: Slab, count: number): Float32Array
  /** The same with one row alone: the very number that it has among others. */
  similarity(slab: Slab, row: number): number
}

export interface VectorArena {
  /** Bytes taken from the machine: at most two chunks, 32 MiB, more than the slabs in use with a 64th beside them. */
  readonly bytes: number
  /** A slab for vectors of a dimension, all zeros. Throws RangeError when the machine has no more memory. */
  take(dimension: number): Slab
  /** To be called once for each slab, which must not be used afterwards. */
  give(slab: Slab): void
  /** For slabs of the query's dimension. No product of whole numbers may add up to more than 31 bits. */
  reader(query: Rounded): SlabReader
}

/** Rows that a slab has room for. */
export function rowsOfSlab(dimension: number): number {
  return Math.floor(SLAB_BYTES / (numbersOf(dimension) + ROW_END_BYTES))
}

function numbersOf(dimension: number): number {
  return Math.ceil(dimension / NUMBERS_AT_ONCE) * NUMBERS_AT_ONCE
}

interface Chunk extends KernelMemory {
  readonly places: (PlacedSlab | null)[]
  free: number
  /** Where one lies that is written. */
  readonly vector: Float32Array
  /** Whose query it holds. */
  reader: SlabReader | null
}

interface PlacedSlab extends Slab {
  chunk: Chunk
  /** Bytes from the beginning of the chunk. */
  at: number
  bytes: Int8Array
  /** Bytes of a row. */
  readonly rowBytes: number
}

export function createVectorArena(): VectorArena {
  let chunks: Chunk[] = []
  let free = 0

  function roomy(): Chunk {
    const found = chunks.find((chunk) => chunk.free > 0)
    if (found !== undefined) return found
    const chunk = createChunk()
    chunks.push(chunk)
    free += CHUNK_SLABS
    return chunk
  }
  function place(slab: PlacedSlab): void {
    const chunk = roomy()
    const number = chunk.places.indexOf(null)
    slab.chunk = chunk
    slab.at = (number + 1) * SLAB_BYTES
    slab.bytes = new Int8Array(chunk.memory, slab.at, SLAB_BYTES)
    chunk.places[number] = slab
    chunk.free -= 1
    free -= 1
  }
  /** Moves the slabs of the emptiest chunk into the room of the others, and forgets it. */
  function compact(): void {
    const emptiest = chunks.reduce((a, b) => (b.free > a.free ? b : a))
    chunks = chunks.filter((chunk) => chunk !== emptiest)
    free -= emptiest.free
    for (const slab of emptiest.places) {
      if (slab === null) continue
      const { bytes } = slab
      place(slab)
      slab.bytes.set(bytes)
    }
  }

  return {
    get bytes() {
      return chunks.length * CHUNK_PAGES * PAGE_BYTES
    },
    take(dimension) {
      const slab = createSlab(numbersOf(dimension) + ROW_END_BYTES)
      place(slab)
      return slab
    },
    give(given) {
      const { chunk, at, bytes } = given as PlacedSlab
      // What was removed must not linger in memory.
      bytes.fill(0)
      chunk.places[at / SLAB_BYTES - 1] = null
      chunk.free += 1
      free += 1
      if (free >= FREE_SLABS_MAX) compact()
    },
    reader: createReader
  }
}

function createChunk(): Chunk {
  const { memory, kernel } = createKernelMemory(CHUNK_PAGES)
  return {
    memory,
    kernel,
    vector: new Float32Array(memory, VECTOR_AT, KERNEL_NUMBERS_MAX),
    places: new Array<null>(CHUNK_SLABS).fill(null),
    free: CHUNK_SLABS,
    reader: null
  }
}

/** Without a place. */
function createSlab(rowBytes: number): PlacedSlab {
  const slab = {
    rowBytes,
    write(row, vector) {
      const { at, chunk } = slab
      const count = rowBytes - ROW_END_BYTES
      chunk.reader = null
      chunk.vector.set(vector)
      chunk.vector.fill(0, vector.length, count)
      const [left, all] = chunk.kernel.round(VECTOR_AT, count, at + row * rowBytes)
      // What will be removed must not linger in memory.
      chunk.vector.fill(0, 0, vector.length)
      return { error: Math.sqrt(left), length: Math.sqrt(all) }
    },
    wipe: (row) => void slab.bytes.fill(0, row * rowBytes, (row + 1) * rowBytes),
    copy(row, from, fromRow) {
      const other = from as PlacedSlab
      slab.bytes.set(other.bytes.subarray(fromRow * rowBytes, (fromRow + 1) * rowBytes), row * rowBytes)
    }
  } as PlacedSlab
  return slab
}

function createReader({ numbers, unit }: Rounded): SlabReader {
  function load(chunk: Chunk): void {
    if (chunk.reader === reader) return
    new Int16Array(chunk.memory, QUERY_AT, numbersOf(numbers.length)).fill(0).set(numbers)
    chunk.reader = reader
  }
  function read(slab: Slab, row: number, count: number): Float32Array {
    const { chunk, at, rowBytes } = slab as PlacedSlab
    load(chunk)
    chunk.kernel.similarities(QUERY_AT, unit, at + row * rowBytes, count, rowBytes - ROW_END_BYTES, FOUND_AT)
    return new Float32Array(chunk.memory, FOUND_AT, count)
  }
  const reader: SlabReader = {
    similarities: (slab, count) => read(slab, 0, count),
    similarity: (slab, row) => read(slab, row, 1)[0] as number
  }
  return reader
}
