/**
 * Arena for vectors that the scan kernel reads: slabs of one size, in chunks of WebAssembly memory. WebAssembly memory cannot shrink, so a
 * chunk is only ever freed as a whole.
 */
import { createSharedMemory, PAGE_BYTES, type SharedMemory } from '../domain/kernel.js'
import { type ScanMemory, withScanKernel } from './kernel.js'
import { numbersOf, rowAt, rowBytes, ROWS_AT_ONCE, rowsOfSlab, SLAB_BYTES, unitAt, WORD_BYTES, wordsOf, writeGreatest } from './rows.js'
import type { ScanHelper, ScanJob } from './scan-helper.js'

/** Slabs of a chunk. They lie behind scratch space of that size: the query and the results, or a vector to be rounded. */
const CHUNK_SLABS = 63
/** 16 MiB. */
const SLABS_PAGES = Math.ceil(((1 + CHUNK_SLABS) * SLAB_BYTES) / PAGE_BYTES)
/** And scratch space for the thread that helps with scans: a page for the query, and one for the results. */
const CHUNK_PAGES = SLABS_PAGES + 2
const HELPER_QUERY_AT = SLABS_PAGES * PAGE_BYTES
const HELPER_FOUND_AT = HELPER_QUERY_AT + PAGE_BYTES
const QUERY_AT = 0
const FOUND_AT = SLAB_BYTES / 2
const VECTOR_AT = 0

/** Most numbers of a vector, so that it fits into the scratch space, and rounded into the helper's. */
export const KERNEL_NUMBERS_MAX = PAGE_BYTES / Int16Array.BYTES_PER_ELEMENT

/** Free slabs that trigger the release of a chunk: as many as two chunks have. */
const FREE_SLABS_MAX = 2 * CHUNK_SLABS

/** A quantised vector: whole numbers, and the value of one unit. */
export interface Rounded {
  readonly numbers: Int16Array
  readonly unit: number
}

/** Result of writing a vector. */
interface WrittenRow {
  /** Length of the rounding error. A dot product with the rounded vector is off by at most this times the other vector's length. */
  readonly error: number
  readonly length: number
}

export interface Slab {
  /** Writes a vector to a row, rounded to one signed byte a number. */
  write(row: number, vector: Float32Array): WrittenRow
  /** Overwrites a row with zeros. */
  wipe(row: number): void
  /** Copies a row of this or another slab. Both slabs need the same row size. */
  copy(row: number, from: Slab, fromRow: number): void
}

/** Reads any slab with one query. */
export interface SlabReader {
  /** Approximate dot products with the first `count` rows of a slab. Returns a view that the next call overwrites. */
  similarities(slab: Slab, count: number): Float32Array
  /** Greatest of each block of what `similarities` has just returned for that slab. Returns such a view as well. */
  greatest(slab: Slab, count: number): Float32Array
  /** Approximate dot product with one row, the same to the bit as `similarities` gives for it. */
  similarity(slab: Slab, row: number): number
}

export interface VectorArena {
  /** Bytes allocated: at most two chunks (32 MiB) more than the slabs in use, plus a 64th for scratch space. */
  readonly bytes: number
  /** Allocates a slab for vectors of a dimension, all zeros. Throws RangeError when the machine is out of memory. */
  take(dimension: number): Slab
  /** Frees a slab. Call it once per slab and do not use the slab afterwards. */
  give(slab: Slab): void
  /** Reader for slabs of the query's dimension. Sums of products must fit into 31 bits and a sign. */
  reader(query: Rounded): SlabReader
  /** Whether the helper helps with a scan of the first `places` rows of slabs, all of one dimension. */
  isHelped(slabs: readonly Slab[], places: number): boolean
  /** Lets the helper begin with such a scan; null while it has enough to do. */
  announce(slabs: readonly Slab[], query: Rounded, places: number): ScanJob | null
  /** Wipes the queries that readers have left in memory: removed data may have been asked for. */
  forgetQueries(): void
}

interface Chunk extends ScanMemory {
  readonly buffer: SharedArrayBuffer
  readonly places: (PlacedSlab | null)[]
  free: number
  /** Scratch view for the vector to be rounded. */
  readonly vector: Float32Array
  /** Reader whose query lies in the scratch space. */
  reader: SlabReader | null
  /** Numbers of the longest query that may still lie there, whole or in part. */
  asked: number
}

interface PlacedSlab extends Slab {
  chunk: Chunk
  /** That of the chunk. */
  readonly memory: SharedMemory
  /** Offset in bytes from the start of the chunk. */
  at: number
  words: Int32Array
  /** Numbers of a row. */
  readonly numbers: number
}

/** `helper`: a thread that takes a part of large scans. Default: none. */
export function createVectorArena(helper?: ScanHelper): VectorArena {
  let chunks: Chunk[] = []
  let free = 0
  /** Changes whenever a slab gets a place or loses it. */
  let layout = 0

  function chunkWithSpace(): Chunk {
    const found = chunks.find((chunk) => chunk.free > 0)
    if (found !== undefined) return found
    const chunk = createChunk()
    chunks.push(chunk)
    free += CHUNK_SLABS
    return chunk
  }
  function place(slab: PlacedSlab): void {
    const chunk = chunkWithSpace()
    const number = chunk.places.indexOf(null)
    slab.chunk = chunk
    slab.at = (number + 1) * SLAB_BYTES
    slab.words = new Int32Array(chunk.buffer, slab.at, SLAB_BYTES / WORD_BYTES)
    chunk.places[number] = slab
    chunk.free -= 1
    free -= 1
    layout += 1
  }
  /** Frees the chunk with the most free slabs, after moving its slabs to other chunks. */
  function compact(): void {
    const emptiest = chunks.reduce((a, b) => (b.free > a.free ? b : a))
    chunks = chunks.filter((chunk) => chunk !== emptiest)
    free -= emptiest.free
    for (const slab of emptiest.places) {
      if (slab === null) continue
      const { words } = slab
      place(slab)
      slab.words.set(words)
    }
    helper?.release(emptiest.memory)
  }

  return {
    get bytes() {
      return chunks.length * CHUNK_PAGES * PAGE_BYTES
    },
    take(dimension) {
      const slab = createSlab(numbersOf(dimension))
      place(slab)
      return slab
    },
    give(given) {
      const { chunk, at, words } = given as PlacedSlab
      // Removed data must not linger in memory.
      words.fill(0)
      chunk.places[at / SLAB_BYTES - 1] = null
      chunk.free += 1
      free += 1
      layout += 1
      if (free >= FREE_SLABS_MAX) compact()
    },
    reader: createReader,
    isHelped(slabs, places) {
      const [slab] = slabs as readonly PlacedSlab[]
      if (helper === undefined || slab === undefined) return false
      return places * rowBytes(slab.numbers) >= helper.bytesMin
    },
    announce(slabs, { numbers: query, unit }, places) {
      const numbers = numbersOf(query.length)
      const placed = slabs as readonly PlacedSlab[]
      return helper?.announce({ slabs: placed, layout, query, unit, numbers, places, rows: rowsOfSlab(numbers) }) ?? null
    },
    forgetQueries() {
      for (const chunk of chunks) {
        if (chunk.asked === 0) continue
        new Int16Array(chunk.buffer, QUERY_AT, chunk.asked).fill(0)
        chunk.reader = null
        chunk.asked = 0
      }
    }
  }
}

function createChunk(): Chunk {
  const memory = createSharedMemory(CHUNK_PAGES)
  const { buffer } = memory
  return {
    ...withScanKernel(memory),
    buffer,
    vector: new Float32Array(buffer, VECTOR_AT, KERNEL_NUMBERS_MAX),
    places: new Array<null>(CHUNK_SLABS).fill(null),
    free: CHUNK_SLABS,
    reader: null,
    asked: 0
  }
}

/** The helper's scratch space in a chunk. */
export function helperRoom({ buffer }: SharedMemory) {
  return {
    queryAt: HELPER_QUERY_AT,
    query: new Int16Array(buffer, HELPER_QUERY_AT, KERNEL_NUMBERS_MAX),
    foundAt: HELPER_FOUND_AT,
    found: new Float32Array(buffer, HELPER_FOUND_AT, PAGE_BYTES / Float32Array.BYTES_PER_ELEMENT)
  }
}

/** A slab that `place` has not placed in a chunk yet. */
function createSlab(numbers: number): PlacedSlab {
  const slab = {
    numbers,
    get memory() {
      return slab.chunk.memory
    },
    write(row, vector) {
      const { at, chunk } = slab
      chunk.reader = null
      chunk.vector.set(vector)
      chunk.vector.fill(0, vector.length, numbers)
      const [left, all] = chunk.kernel.round(VECTOR_AT, numbers, at + rowAt(numbers, row), at + unitAt(numbers, row))
      // The vector may be removed later: no copy of it may linger in memory.
      chunk.vector.fill(0, 0, vector.length)
      return { error: Math.sqrt(left), length: Math.sqrt(all) }
    },
    wipe(row) {
      for (const word of wordsOf(numbers, row)) slab.words[word] = 0
    },
    copy(row, from, fromRow) {
      const other = (from as PlacedSlab).words
      const words = wordsOf(numbers, row)
      for (const [at, word] of wordsOf(numbers, fromRow).entries()) slab.words[words[at] as number] = other[word] as number
    }
  } as PlacedSlab
  return slab
}

function createReader({ numbers, unit }: Rounded): SlabReader {
  function load(chunk: Chunk): void {
    if (chunk.reader === reader) return
    const count = numbersOf(numbers.length)
    new Int16Array(chunk.buffer, QUERY_AT, count).fill(0).set(numbers)
    chunk.reader = reader
    chunk.asked = Math.max(chunk.asked, count)
  }
  /** `row`: a multiple of ROWS_AT_ONCE. */
  function read(slab: Slab, row: number, count: number): Float32Array {
    const { chunk, at, numbers: rowNumbers } = slab as PlacedSlab
    load(chunk)
    chunk.kernel.similarities(QUERY_AT, unit, at + rowAt(rowNumbers, row), count, rowNumbers, FOUND_AT)
    return new Float32Array(chunk.buffer, FOUND_AT, count)
  }
  const reader: SlabReader = {
    similarities: (slab, count) => read(slab, 0, count),
    greatest: (slab, count) => writeGreatest((slab as PlacedSlab).chunk, FOUND_AT, count),
    similarity(slab, row) {
      const lane = row % ROWS_AT_ONCE
      return read(slab, row - lane, ROWS_AT_ONCE)[lane] as number
    }
  }
  return reader
}
