/** A scan that two threads share: which slabs it has, who takes which, and what the helper has found. */

import type { SharedMemory } from '../domain/kernel.js'
import { blocksOf } from './rows.js'

/** Capacity of an area. */
export interface AreaSize {
  readonly slabs: number
  readonly places: number
  /** Blocks of all slabs. */
  readonly blocks: number
  /** Numbers of a query, padded as rows are. */
  readonly numbers: number
}

/** Similarities of consecutive places, and the greatest of each of their blocks; see `rows.ts`. */
export interface Found {
  readonly similarities: Float32Array
  readonly greatest: Float32Array
}

/** Memory of one scan at a time that both threads see. */
export interface Area extends Found {
  readonly size: AreaSize
  /** See the places below. */
  readonly header: Int32Array
  /** The unit of the query. */
  readonly unit: Float32Array
  readonly query: Int16Array
  /** Number of the memory, and offset in bytes, of each slab. */
  readonly slabs: Int32Array
  /** By slab: whether the helper has found all of it. */
  readonly done: Int32Array
}

/** Places in the header. Slabs are taken in order: NEXT is the first that nobody has. The scan is over once it reaches SLABS. */
const NEXT = 0
/** Whether the helper may still read or write the area. */
const HELD = 1
const SLABS = 2
const PLACES = 3
const NUMBERS = 4
const ROWS = 5
const HEADER = 6

const WORD = Int32Array.BYTES_PER_ELEMENT

export function areaBytes({ slabs, places, blocks, numbers }: AreaSize): number {
  return WORD * (HEADER + 1 + 3 * slabs + places + blocks) + Int16Array.BYTES_PER_ELEMENT * numbers
}

/** Views of an area's buffer, the same in both threads. */
export function areaOf(buffer: SharedArrayBuffer, size: AreaSize): Area {
  let end = 0
  const words = (count: number): [SharedArrayBuffer, number, number] => {
    const at = end
    end += WORD * count
    return [buffer, at, count]
  }
  return {
    size,
    header: new Int32Array(...words(HEADER)),
    unit: new Float32Array(...words(1)),
    slabs: new Int32Array(...words(2 * size.slabs)),
    done: new Int32Array(...words(size.slabs)),
    similarities: new Float32Array(...words(size.places)),
    greatest: new Float32Array(...words(size.blocks)),
    query: new Int16Array(buffer, end, size.numbers)
  }
}

/** What is to be scanned. */
export interface ScanTask {
  readonly query: Int16Array
  readonly unit: number
  /** Numbers of a row. */
  readonly numbers: number
  /** Rows of a slab; only the last one may have fewer. */
  readonly rows: number
  readonly places: number
  /** Where each slab lies, and its offset in bytes. As long as `layout` is the same, an equal number of the same list lies there still. */
  readonly slabs: readonly { readonly memory: SharedMemory; readonly at: number }[]
  readonly layout: number
}

/** Writes where the slabs of a scan lie to an area that nobody uses. `numberOf`: the number by which the helper knows a memory. */
export function writeSlabs({ slabs }: Area, task: Pick<ScanTask, 'slabs'>, numberOf: (memory: SharedMemory) => number): void {
  let last: SharedMemory | null = null
  let number = 0
  for (const [slab, { memory, at }] of task.slabs.entries()) {
    if (memory !== last) number = numberOf(memory)
    last = memory
    slabs[2 * slab] = number
    slabs[2 * slab + 1] = at
  }
}

/**
 * Opens a scan in an area that nobody uses, and that knows its slabs. From then on it is the helper's too, until the helper lets go of it.
 */
export function openScan({ header, unit, query, done }: Area, task: ScanTask): void {
  const count = task.slabs.length
  done.fill(0, 0, count)
  query.fill(0, 0, task.numbers).set(task.query)
  unit[0] = task.unit
  header[SLABS] = count
  header[PLACES] = task.places
  header[NUMBERS] = task.numbers
  header[ROWS] = task.rows
  header[HELD] = 1
  Atomics.store(header, NEXT, 0)
}

/** Takes the next slab; null when all are taken. */
export function takeSlab({ header }: Area): number | null {
  const slab = Atomics.add(header, NEXT, 1)
  return slab < (header[SLABS] as number) ? slab : null
}

/** Leaves no slab to take. */
export function endScan({ header }: Area): void {
  Atomics.store(header, NEXT, header[SLABS] as number)
}

/** For the helper: ends its use of the area. No copy of the query lingers. */
export function letGo({ header, query }: Area): void {
  query.fill(0)
  Atomics.store(header, HELD, 0)
}

/** Whether the helper may still use the area. */
export function isHeld({ header }: Area): boolean {
  return Atomics.load(header, HELD) === 1
}

/** What the helper has to know of a taken slab. */
export function slabAt({ header, slabs }: Area, slab: number) {
  const rows = header[ROWS] as number
  const first = slab * rows
  return {
    memory: slabs[2 * slab] as number,
    at: slabs[2 * slab + 1] as number,
    first,
    count: Math.min(rows, (header[PLACES] as number) - first),
    numbers: header[NUMBERS] as number
  }
}

/** For the helper: hands over what it has found of a slab that it has taken. */
export function handOver({ header, similarities, greatest, done }: Area, slab: number, found: Found): void {
  const rows = header[ROWS] as number
  similarities.set(found.similarities, slab * rows)
  greatest.set(found.greatest, blocksOf(slab * rows, rows))
  Atomics.store(done, slab, 1)
}

/** Whether the helper has found all of a slab; it has nothing behind the last one. */
export function isDone({ header, done }: Area, slab: number): boolean {
  return slab < (header[SLABS] as number) && Atomics.load(done, slab) === 1
}

/** What the helper has found of a range of slabs that are done. */
export function foundIn({ header, similarities, greatest }: Area, from: number, to: number): Found {
  const rows = header[ROWS] as number
  const end = Math.min(to * rows, header[PLACES] as number)
  return {
    similarities: similarities.subarray(from * rows, end),
    greatest: greatest.subarray(blocksOf(from * rows, rows), blocksOf(end, rows))
  }
}
