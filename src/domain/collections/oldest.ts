/** Maps and sets of bounded size. */
interface Keyed<Key> {
  readonly size: number
  keys(): Iterable<Key>
  delete(key: Key): unknown
}

/** Drops the first of more than `max` entries. Returns its key; undefined if none was dropped. */
export function dropOldest<Key>(entries: Keyed<Key>, max: number): Key | undefined {
  if (entries.size <= max) return undefined
  const [oldest] = entries.keys()
  if (oldest !== undefined) entries.delete(oldest)
  return oldest
}
