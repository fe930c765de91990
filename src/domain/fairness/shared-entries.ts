/** Caches that many subjects share. */
import { removeFrom, setOf } from '../collections/by-key.js'

/** Cache of entries of many subjects, bounded in total. A subject beyond its equal share evicts only its own, so a flood spares others. */
interface SharedEntries<Value> {
  /** Returns the value, and makes its entry the most recently used. */
  get(key: string): Value | undefined
  /**
   * Stores a value as the most recently used. A key always belongs to the same subject. Beyond the bound the least recently used entry is
   * evicted: of the subject itself if it has more than an equal share, else of all.
   */
  keep(subject: string, key: string, value: Value): void
  delete(key: string): void
}

/** Key of what a subject has under a name. Both may be any text, so the length of the subject is written, as in `addressKey`. */
export function entryKey(subject: string, name: string): string {
  return `${subject.length}:${subject}:${name}`
}

interface Entry<Value> {
  readonly subject: string
  readonly value: Value
}

/** `entriesMax`: at least 1. */
export function createSharedEntries<Value>(entriesMax: number): SharedEntries<Value> {
  /** Least recently used first, like the keys of each subject. */
  const entries = new Map<string, Entry<Value>>()
  const keysOf = new Map<string, Set<string>>()

  function remove(key: string): void {
    const entry = entries.get(key)
    if (entry === undefined) return
    entries.delete(key)
    removeFrom(keysOf, entry.subject, key)
  }
  function add(key: string, entry: Entry<Value>): void {
    entries.set(key, entry)
    setOf(keysOf, entry.subject).add(key)
  }
  function makeRoom(subject: string): void {
    const own = keysOf.get(subject) ?? new Set()
    const isOver = own.size > 1 && own.size * keysOf.size > entriesMax
    const [oldest] = isOver ? own : entries.keys()
    if (oldest !== undefined) remove(oldest)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      remove(key)
      add(key, entry)
      return entry.value
    },
    keep(subject, key, value) {
      remove(key)
      add(key, { subject, value })
      if (entries.size > entriesMax) makeRoom(subject)
    },
    delete: remove
  }
}
