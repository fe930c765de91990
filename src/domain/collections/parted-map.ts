/**
 * A map that can grow to millions of entries without long pauses. V8 copies a full map as a whole: 10 ms for one of 65,000 entries, 225 ms
 * for one of two million.
 */
import { LeanMap } from './lean-map.js'
import { murmurHash } from './murmur-hash.js'

export interface PartedMap<Value> {
  /**
   * One part while there are few entries; then `PARTS`, selected by the hash of the key. The hash is no secret: a client that chooses the
   * keys can put all of them into one part.
   */
  parts: LeanMap<string, Value>[]
  /** The former single part while its entries move to the others; null otherwise. */
  former: Former<Value> | null
  /** Number of entries. */
  size: number
}

interface Former<Value> {
  readonly entries: LeanMap<string, Value>
  /** Entries that have not moved. */
  readonly rest: Iterator<[string, Value]>
}

/** Most entries in a single part. */
export const ONE_PART_MAX = 16_384

/** Must be a power of two. */
const PARTS = 256

/** Entries that move with each one that is added. */
const MOVES = 4

const SEED = 0

export function createPartedMap<Value>(): PartedMap<Value> {
  return { parts: [new LeanMap<string, Value>()], former: null, size: 0 }
}

export function getIn<Value>(map: PartedMap<Value>, key: string): Value | undefined {
  const value = partOf(map, key).get(key)
  return value === undefined && map.former !== null ? map.former.entries.get(key) : value
}

export function hasIn<Value>(map: PartedMap<Value>, key: string): boolean {
  return partOf(map, key).has(key) || map.former?.entries.has(key) === true
}

/** Adds or replaces. */
export function setIn<Value>(map: PartedMap<Value>, key: string, value: Value): void {
  if (map.former !== null) moveSome(map, map.former, key)
  const part = partOf(map, key)
  const before = part.size
  part.set(key, value)
  map.size += part.size - before
  if (map.size > ONE_PART_MAX && map.parts.length === 1) divide(map, part)
}

export function deleteIn<Value>(map: PartedMap<Value>, key: string): void {
  if (partOf(map, key).delete(key) || map.former?.entries.delete(key) === true) map.size -= 1
}

export function clearAll<Value>(map: PartedMap<Value>): void {
  Object.assign(map, createPartedMap<Value>())
}

/** Values; in insertion order as long as there is one part. */
export function* valuesOf<Value>({ parts, former }: PartedMap<Value>): Generator<Value, void> {
  if (former !== null) yield* former.entries.values()
  for (const part of parts) yield* part.values()
}

function partOf<Value>({ parts }: PartedMap<Value>, key: string): LeanMap<string, Value> {
  return parts[parts.length === 1 ? 0 : murmurHash(key, SEED) & (PARTS - 1)] as LeanMap<string, Value>
}

/** Starts the move from the single part into many. Done in one go, it would take 5 ms. */
function divide<Value>(map: PartedMap<Value>, single: LeanMap<string, Value>): void {
  map.parts = Array.from({ length: PARTS }, () => new LeanMap<string, Value>())
  map.former = { entries: single, rest: single.entries() }
}

/** Moves a few entries, and the one that is about to be replaced. */
function moveSome<Value>(map: PartedMap<Value>, former: Former<Value>, replaced: string): void {
  move(map, former, replaced)
  for (let moved = 0; moved < MOVES; moved++) {
    const next = former.rest.next()
    if (next.done === true) {
      map.former = null
      return
    }
    move(map, former, next.value[0])
  }
}

function move<Value>(map: PartedMap<Value>, { entries }: Former<Value>, key: string): void {
  const value = entries.get(key)
  if (value === undefined) return
  entries.delete(key)
  partOf(map, key).set(key, value)
}
