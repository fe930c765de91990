/**
 * A map that can grow to millions of entries without long pauses. V8 copies a full map as a whole: 225 ms for one of two million entries.
 */
import { murmurHash } from './murmur-hash.js'

export interface PartedMap<Value> {
  /**
   * One part while there are few entries; then `PARTS`, selected by the hash of the key. The hash is no secret: a client that chooses the
   * keys can put all of them into one part.
   */
  parts: Map<string, Value>[]
  /** Number of entries. */
  size: number
}

/** Most entries in a single part. Splitting takes some 5 ms. */
export const ONE_PART_MAX = 16_384

/** Must be a power of two. */
const PARTS = 256

const SEED = 0

export function createPartedMap<Value>(): PartedMap<Value> {
  return { parts: [new Map<string, Value>()], size: 0 }
}

export function getIn<Value>(map: PartedMap<Value>, key: string): Value | undefined {
  return partOf(map, key).get(key)
}

/** Adds or replaces. */
export function setIn<Value>(map: PartedMap<Value>, key: string, value: Value): void {
  const part = partOf(map, key)
  const before = part.size
  part.set(key, value)
  map.size += part.size - before
  if (map.size > ONE_PART_MAX && map.parts.length === 1) split(map)
}

export function deleteIn<Value>(map: PartedMap<Value>, key: string): void {
  if (partOf(map, key).delete(key)) map.size -= 1
}

/** Values; in insertion order as long as there is one part. */
export function* valuesOf<Value>({ parts }: PartedMap<Value>): Generator<Value, void> {
  for (const part of parts) yield* part.values()
}

function partOf<Value>({ parts }: PartedMap<Value>, key: string): Map<string, Value> {
  return parts[parts.length === 1 ? 0 : murmurHash(key, SEED) & (PARTS - 1)] as Map<string, Value>
}

function split<Value>(map: PartedMap<Value>): void {
  const [whole] = map.parts as [Map<string, Value>]
  map.parts = Array.from({ length: PARTS }, () => new Map<string, Value>())
  for (const [key, value] of whole) partOf(map, key).set(key, value)
}
