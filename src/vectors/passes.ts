/** Passes over all similarities of a scan, computed by the kernel some at a time. */
import { floorOf, LANES_A_VALUE } from '../domain/collections/floor.js'
import { PAGE_BYTES } from '../domain/kernel.js'
import type { Pieces } from '../domain/pieces.js'
import { createNearMemory, type NearMemory } from './kernel.js'

/** Numbers of a pass that are read at a time, and the most lanes: what fills a page. Some microseconds. */
const NUMBERS = PAGE_BYTES / Float32Array.BYTES_PER_ELEMENT
/** Numbers that the kernel compares at a time. */
const AT_ONCE = 4

/** Each has a page of its own, and the lanes that of the places found. */
const NUMBERS_AT = 0
const LANES_AT = PAGE_BYTES
const FOUND_AT = PAGE_BYTES
const PAGES = 2

interface Room {
  readonly kernel: NearMemory['kernel']
  readonly numbers: Float32Array
  readonly lanes: Float32Array
  readonly found: Int32Array
}

/** Shared by the process, since nothing is kept in it from one call to the next. */
let made: Room | null = null

function roomOf(): Room {
  return (made ??= createRoom())
}

function createRoom(): Room {
  const { memory, kernel } = createNearMemory(PAGES)
  return {
    kernel,
    numbers: new Float32Array(memory, NUMBERS_AT, NUMBERS),
    lanes: new Float32Array(memory, LANES_AT, NUMBERS),
    found: new Int32Array(memory, FOUND_AT, NUMBERS)
  }
}

/** What `floorOf` returns, to the bit. */
export function floorOfScan(similarities: Float32Array, count: number, limit: number): number {
  const lanes = LANES_A_VALUE * limit
  if (count < 2 * lanes || lanes > NUMBERS) return floorOf(similarities, count, limit)
  const room = roomOf()
  room.lanes.set(similarities.subarray(0, lanes))
  // Each part begins with the first lane.
  const part = NUMBERS - (NUMBERS % lanes)
  for (let from = 0; from < count; from += part) {
    const end = load(room, similarities.subarray(from, Math.min(count, from + part)))
    room.kernel.greatest(NUMBERS_AT, end, LANES_AT, LANES_AT + lanes * Float32Array.BYTES_PER_ELEMENT)
  }
  return floorOf(room.lanes, lanes, limit)
}

/** The first `count` places whose similarity is at least `least`, ascending, in pieces. */
export function* placesFrom(similarities: Float32Array, count: number, least: number): Pieces<number[]> {
  const room = roomOf()
  // In single precision, rounded down by a little more than rounding to the nearest can raise it.
  const bound = least - Math.abs(least) * 2 ** -23 - 2 ** -149
  const places: number[] = []
  for (let from = 0; from < count; from += NUMBERS) {
    if (from > 0) yield
    const end = load(room, similarities.subarray(from, Math.min(count, from + NUMBERS)))
    const foundEnd = room.kernel.reaching(NUMBERS_AT, end, bound, from, FOUND_AT)
    const found = (foundEnd - FOUND_AT) / Int32Array.BYTES_PER_ELEMENT
    for (let at = 0; at < found; at++) {
      const place = room.found[at] as number
      if (place < count && (similarities[place] as number) >= least) places.push(place)
    }
  }
  return places
}

/** Writes numbers for the kernel, padded by ones that are least. Returns where they end. */
function load({ numbers }: Room, some: Float32Array): number {
  const whole = Math.ceil(some.length / AT_ONCE) * AT_ONCE
  numbers.set(some)
  numbers.fill(-Infinity, some.length, whole)
  return NUMBERS_AT + whole * Float32Array.BYTES_PER_ELEMENT
}
