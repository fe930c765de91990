/**
 * Maps and sets for owners that mostly hold little. V8 allocates room for four entries in every new map, some 200 bytes, and later room for
 * up to twice as many as there are; a session has dozens of them. Classes rather than closures: there are many instances, and per-instance
 * functions would outweigh the data.
 */

interface One<Key, Value> {
  readonly key: Key
  value: Value
}

/** Keys and values in turns. */
type Listed<Key, Value> = (Key | Value)[]

/** Most entries in a list. Finding one of so many takes some hundredths of a microsecond longer than in a map. */
const LISTED_MAX = 32

/** A map that allocates nothing while empty, and little while small. Iterators see the entries present when they start. */
export class LeanMap<Key, Value> implements Iterable<[Key, Value]> {
  private held: Map<Key, Value> | Listed<Key, Value> | One<Key, Value> | null = null

  get size(): number {
    const { held } = this
    if (held === null) return 0
    if (held instanceof Map) return held.size
    return isListed(held) ? held.length >> 1 : 1
  }

  get(key: Key): Value | undefined {
    const { held } = this
    if (held === null) return undefined
    if (held instanceof Map) return held.get(key)
    if (!isListed(held)) return held.key === key ? held.value : undefined
    const at = placeIn(held, key)
    return at < 0 ? undefined : (held[at + 1] as Value)
  }

  has(key: Key): boolean {
    const { held } = this
    if (held === null) return false
    if (held instanceof Map) return held.has(key)
    return isListed(held) ? placeIn(held, key) >= 0 : held.key === key
  }

  set(key: Key, value: Value): this {
    const { held } = this
    if (held === null) this.held = { key, value }
    else if (held instanceof Map) held.set(key, value)
    else if (isListed(held)) this.list(held, key, value)
    else if (held.key === key) held.value = value
    else this.held = [held.key, held.value, key, value]
    return this
  }

  delete(key: Key): boolean {
    const { held } = this
    if (held instanceof Map) return held.delete(key)
    if (held === null || !this.has(key)) return false
    if (isListed(held) && held.length > 2) held.splice(placeIn(held, key), 2)
    else this.held = null
    return true
  }

  clear(): void {
    this.held = null
  }

  entries(): IterableIterator<[Key, Value]> {
    const { held } = this
    return held instanceof Map ? held.entries() : pairsOf(listOf(held)).values()
  }

  keys(): IterableIterator<Key> {
    const { held } = this
    return held instanceof Map ? held.keys() : everySecond<Key>(listOf(held), 0).values()
  }

  values(): IterableIterator<Value> {
    const { held } = this
    return held instanceof Map ? held.values() : everySecond<Value>(listOf(held), 1).values()
  }

  [Symbol.iterator](): IterableIterator<[Key, Value]> {
    return this.entries()
  }

  private list(held: Listed<Key, Value>, key: Key, value: Value): void {
    const at = placeIn(held, key)
    if (at >= 0) held[at + 1] = value
    // Copied: V8 reserves room in an array that grows.
    else if (held.length < 2 * LISTED_MAX) this.held = held.concat([key, value])
    else this.held = new Map(pairsOf(held)).set(key, value)
  }
}

function listOf<Key, Value>(held: Listed<Key, Value> | One<Key, Value> | null): Listed<Key, Value> {
  if (held === null) return []
  return isListed(held) ? held : [held.key, held.value]
}

function isListed<Key, Value>(held: Listed<Key, Value> | One<Key, Value>): held is Listed<Key, Value> {
  return Array.isArray(held)
}

/** Place of a key; -1 for none. */
function placeIn<Key, Value>(list: Listed<Key, Value>, key: Key): number {
  for (let at = 0; at < list.length; at += 2) if (list[at] === key) return at
  return -1
}

function pairsOf<Key, Value>(list: Listed<Key, Value>): [Key, Value][] {
  const pairs: [Key, Value][] = []
  for (let at = 0; at < list.length; at += 2) pairs.push([list[at] as Key, list[at + 1] as Value])
  return pairs
}

/** The keys of a list, from 0, or the values, from 1. */
function everySecond<Part>(list: readonly unknown[], from: 0 | 1): Part[] {
  const parts: Part[] = []
  for (let at = from; at < list.length; at += 2) parts.push(list[at] as Part)
  return parts
}

/** The same for a set, of any values except `undefined`, lists and sets. */
export class LeanSet<Value extends string | number | object> implements Iterable<Value> {
  private held: Set<Value> | Value[] | Value | undefined = undefined

  get size(): number {
    const { held } = this
    if (held instanceof Set) return held.size
    return Array.isArray(held) ? held.length : held === undefined ? 0 : 1
  }

  has(value: Value): boolean {
    const { held } = this
    return held instanceof Set ? held.has(value) : Array.isArray(held) ? held.includes(value) : held === value
  }

  add(value: Value): this {
    const { held } = this
    if (held instanceof Set) held.add(value)
    else if (held === undefined) this.held = value
    else if (!this.has(value)) this.held = withOneMore(Array.isArray(held) ? held : [held], value)
    return this
  }

  delete(value: Value): boolean {
    const { held } = this
    if (held instanceof Set) return held.delete(value)
    if (!this.has(value)) return false
    if (Array.isArray(held) && held.length > 1) held.splice(held.indexOf(value), 1)
    else this.held = undefined
    return true
  }

  clear(): void {
    this.held = undefined
  }

  [Symbol.iterator](): IterableIterator<Value> {
    const { held } = this
    if (held instanceof Set) return held.values()
    return (Array.isArray(held) ? held.slice() : held === undefined ? [] : [held]).values()
  }
}

function withOneMore<Value>(list: readonly Value[], value: Value): Value[] | Set<Value> {
  return list.length < LISTED_MAX ? list.concat([value]) : new Set(list).add(value)
}
