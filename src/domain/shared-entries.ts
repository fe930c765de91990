/** What is remembered of many subjects, so many entries in all: nobody's flood drives out what is remembered of another. */
export interface SharedEntries<Value> {
  /** Makes it the one used last. */
  get(key: string): Value | undefined
  has(key: string): boolean
  /**
   * As the one used last; a key is always of the same subject. Of one entry too many the one goes that was used longest ago: of the subject
   * itself where that has more than an equal part, else of all.
   */
  keep(subject: string, key: string, value: Value): void
  delete(key: string): void
}

interface Entry<Value> {
  readonly subject: string
  readonly value: Value
}

/** `entriesMax`: from 1. */
export function createSharedEntries<Value>(entriesMax: number): SharedEntries<Value> {
  /** Both with the ones used longest ago first. */
  const entries = new Map<string, Entry<Value>>()
  const keysOf = new Map<string, Set<string>>()

  function remove(key: string): void {
    const entry = entries.get(key)
    if (entry === undefined) return
    entries.delete(key)
    const own = keysOf.get(entry.subject)
    own?.delete(key)
    if (own?.size === 0) keysOf.delete(entry.subject)
  }
  function add(key: string, entry: Entry<Value>): void {
    entries.set(key, entry)
    const own = keysOf.get(entry.subject)
    if (own === undefined) keysOf.set(entry.subject, new Set([key]))
    else own.add(key)
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
    has: (key) => entries.has(key),
    keep(subject, key, value) {
      remove(key)
      add(key, { subject, value })
      if (entries.size > entriesMax) makeRoom(subject)
    },
    delete: remove
  }
}
