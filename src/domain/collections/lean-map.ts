/**
 * Maps and sets for owners that mostly hold nothing or a single entry. V8 allocates room for four entries in every new map, some 200 bytes,
 * and a session has dozens of them. Classes rather than closures: there are many instances, and per-instance functions would outweigh the
 * data.
 */

interface One<Key, Value> {
  readonly key: Key
  value: Value
}

/** A map that allocates nothing while empty. Iterators see the entries present when they start. */
export class LeanMap<Key, Value> implements Iterable<[Key, Value]> {
  private held: Map<Key, Value> | One<Key, Value> | null = null

  get size(): number {
    const { held } = this
    return held instanceof Map ? held.size : held === null ? 0 : 1
  }

  get(key: Key): Value | undefined {
    const { held } = this
    if (held instanceof Map) return held.get(key)
    return held !== null && held.key === key ? held.value : undefined
  }

  has(key: Key): boolean {
    const { held } = this
    return held instanceof Map ? held.has(key) : held !== null && held.key === key
  }

  set(key: Key, value: Value): this {
    const { held } = this
    if (held instanceof Map) held.set(key, value)
    else if (held === null) this.held = { key, value }
    else if (held.key === key) held.value = value
    else this.held = new Map<Key, Value>().set(held.key, held.value).set(key, value)
    return this
  }

  delete(key: Key): boolean {
    const { held } = this
    if (held instanceof Map) return held.delete(key)
    if (!this.has(key)) return false
    this.held = null
    return true
  }

  clear(): void {
    this.held = null
  }

  entries(): IterableIterator<[Key, Value]> {
    const { held } = this
    if (held instanceof Map) return held.entries()
    return (held === null ? [] : ([[held.key, held.value]] satisfies [Key, Value][])).values()
  }

  keys(): IterableIterator<Key> {
    const { held } = this
    if (held instanceof Map) return held.keys()
    return (held === null ? [] : [held.key]).values()
  }

  values(): IterableIterator<Value> {
    const { held } = this
    if (held instanceof Map) return held.values()
    return (held === null ? [] : [held.value]).values()
  }

  [Symbol.iterator](): IterableIterator<[Key, Value]> {
    return this.entries()
  }
}

/** The same for a set, of any values except `undefined` and sets. */
export class LeanSet<Value extends string | number | object> implements Iterable<Value> {
  private held: Set<Value> | Value | undefined = undefined

  get size(): number {
    const { held } = this
    return held instanceof Set ? held.size : held === undefined ? 0 : 1
  }

  has(value: Value): boolean {
    const { held } = this
    return held instanceof Set ? held.has(value) : held === value
  }

  add(value: Value): this {
    const { held } = this
    if (held instanceof Set) held.add(value)
    else if (held === undefined) this.held = value
    else if (held !== value) this.held = new Set<Value>().add(held).add(value)
    return this
  }

  delete(value: Value): boolean {
    const { held } = this
    if (held instanceof Set) return held.delete(value)
    if (held !== value) return false
    this.held = undefined
    return true
  }

  clear(): void {
    this.held = undefined
  }

  [Symbol.iterator](): IterableIterator<Value> {
    const { held } = this
    return (held instanceof Set ? held : held === undefined ? [] : [held]).values()
  }
}
