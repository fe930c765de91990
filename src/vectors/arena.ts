/**
 * Memory for vectors where the scan kernel can read it: slabs of one size in chunks of WebAssembly memory, which cannot shrink, so that
 * a chunk is given back as a whole.
 */
import { SCAN_KERNEL } from './scan-kernel.js'

/** What is used here of a global object that the types of Node.js do not declare. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => { readonly buffer: ArrayBuffer }
  readonly Instance: new (module: object, imports: { readonly arena: { readonly memory: object } }) => { readonly exports: unknown }
}

/** Numbers of a slab: 256 KiB. */
export const SLAB_NUMBERS = 65_536
const NUMBER_BYTES = 4
const SLAB_BYTES = SLAB_NUMBERS * NUMBER_BYTES

/** Numbers that the kernel reads at a time: what a vector takes is a multiple of it. */
export const NUMBERS_AT_ONCE = 16

/** WebAssembly counts memory in pages of 64 KiB: 16 MiB, as the kernel declares. */
const CHUNK_PAGES = 256
const PAGE_BYTES = 65_536
/** The first place of a chunk holds the query and what is found. */
const CHUNK_SLABS = (CHUNK_PAGES * PAGE_BYTES) / SLAB_BYTES - 1
const QUERY_AT = 0
const FOUND_AT = SLAB_BYTES / 2

/** Numbers of a vector, at most, so that a query has room. */
export const STRIDE_MAX = FOUND_AT / NUMBER_BYTES

/** Slabs without use before a chunk is given back: two chunks full of them. */
const FREE_SLABS_MAX = 2 * CHUNK_SLABS

export interface Slab {
  /** SLAB_NUMBERS of them. Not to be kept: a slab may lie elsewhere once any was taken or given back. */
  readonly numbers: Float32Array
  /** Length of the vector of so many numbers, a multiple of NUMBERS_AT_ONCE, that begins at one of them. */
  lengthAt(at: number, stride: number): number
}

/** Reads slabs with one query, wherever they lie. */
export interface SlabReader {
  /** Dot products with the first `count` vectors of a slab, in single precision. A view that the next call overwrites. */
  similarities(slab: Slab, count: number): Float32Array
  /** The same with the vector that begins at a number of a slab, alone: the very number that it has among others. */
  similarity(slab: Slab, at: number): number
  /** Dot product with the vector that begins at a number of a slab, in double precision. */
  product(slab: Slab, at: number): number
}

export interface VectorArena {
  /** Bytes taken from the machine: at most two chunks, 32 MiB, more than the slabs in use with a 64th beside them. */
  readonly bytes: number
  /** A slab of zeros. Throws RangeError when the machine has no more memory. */
  take(): Slab
  /** To be called once for each slab, which must not be used afterwards. */
  give(slab: Slab): void
  /** `query` has a multiple of NUMBERS_AT_ONCE numbers, STRIDE_MAX at most, and so has each vector. */
  reader(query: Float32Array): SlabReader
}

interface Kernel {
  similarities(query: number, vectors: number, count: number, bytes: number, out: number): void
  product(query: number, vector: number, bytes: number): number
}

interface Chunk {
  readonly memory: ArrayBuffer
  readonly kernel: Kernel
  readonly places: (PlacedSlab | null)[]
  free: number
  /** Whose query it holds. */
  reader: SlabReader | null
}

interface PlacedSlab extends Slab {
  chunk: Chunk
  /** Bytes from the beginning of the chunk. */
  at: number
  numbers: Float32Array
}

export function createVectorArena(): VectorArena {
  const module = new WebAssembly.Module(Buffer.from(SCAN_KERNEL, 'base64'))
  let chunks: Chunk[] = []
  let free = 0

  function roomy(): Chunk {
    const found = chunks.find((chunk) => chunk.free > 0)
    if (found !== undefined) return found
    const chunk = createChunk(module)
    chunks.push(chunk)
    free += CHUNK_SLABS
    return chunk
  }
  function place(slab: PlacedSlab): void {
    const chunk = roomy()
    const number = chunk.places.indexOf(null)
    slab.chunk = chunk
    slab.at = (number + 1) * SLAB_BYTES
    slab.numbers = new Float32Array(chunk.memory, slab.at, SLAB_NUMBERS)
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
      const { numbers } = slab
      place(slab)
      slab.numbers.set(numbers)
    }
  }

  return {
    get bytes() {
      return chunks.length * CHUNK_PAGES * PAGE_BYTES
    },
    take() {
      const slab = {
        lengthAt: (at: number, stride: number) =>
          Math.sqrt(slab.chunk.kernel.product(slab.at + at * NUMBER_BYTES, slab.at + at * NUMBER_BYTES, stride * NUMBER_BYTES))
      } as PlacedSlab
      place(slab)
      return slab
    },
    give(given) {
      const { chunk, at, numbers } = given as PlacedSlab
      // What was removed must not linger in memory.
      numbers.fill(0)
      chunk.places[at / SLAB_BYTES - 1] = null
      chunk.free += 1
      free += 1
      if (free >= FREE_SLABS_MAX) compact()
    },
    reader: createReader
  }
}

function createChunk(module: object): Chunk {
  const memory = new WebAssembly.Memory({ initial: CHUNK_PAGES, maximum: CHUNK_PAGES })
  const { exports } = new WebAssembly.Instance(module, { arena: { memory } })
  return {
    memory: memory.buffer,
    kernel: exports as Kernel,
    places: new Array<null>(CHUNK_SLABS).fill(null),
    free: CHUNK_SLABS,
    reader: null
  }
}

function createReader(query: Float32Array): SlabReader {
  const bytes = query.length * NUMBER_BYTES
  function load(chunk: Chunk): void {
    if (chunk.reader === reader) return
    new Float32Array(chunk.memory, QUERY_AT, query.length).set(query)
    chunk.reader = reader
  }
  const reader: SlabReader = {
    similarities(slab, count) {
      const { chunk, at } = slab as PlacedSlab
      load(chunk)
      chunk.kernel.similarities(QUERY_AT, at, count, bytes, FOUND_AT)
      return new Float32Array(chunk.memory, FOUND_AT, count)
    },
    similarity(slab, number) {
      const { chunk, at } = slab as PlacedSlab
      load(chunk)
      chunk.kernel.similarities(QUERY_AT, at + number * NUMBER_BYTES, 1, bytes, FOUND_AT)
      return new Float32Array(chunk.memory, FOUND_AT, 1)[0] as number
    },
    product(slab, number) {
      const { chunk, at } = slab as PlacedSlab
      load(chunk)
      return chunk.kernel.product(QUERY_AT, at + number * NUMBER_BYTES, bytes)
    }
  }
  return reader
}
