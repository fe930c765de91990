/** Lists, sets and maps by key. */

/** Adds an item to the list of its key. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [item])
  else known.push(item)
}

/** Returns the set of a key, made now if there is none. */
export function setOf<Key, Item>(sets: Map<Key, Set<Item>>, key: Key): Set<Item> {
  const known = sets.get(key)
  if (known !== undefined) return known
  const made = new Set<Item>()
  sets.set(key, made)
  return made
}

/** Returns the map of a key, made now if there is none. */
export function mapOf<Key, Name, Value>(maps: Map<Key, Map<Name, Value>>, key: Key): Map<Name, Value> {
  const known = maps.get(key)
  if (known !== undefined) return known
  const made = new Map<Name, Value>()
  maps.set(key, made)
  return made
}

interface Group<Item> {
  readonly size: number
  delete(item: Item): unknown
}

/** Removes an item from the set or map of its key, and with the last one the set or map. No-op if it is not there. */
export function removeFrom<Key, Item>(groups: Map<Key, Group<Item>>, key: Key, item: Item): void {
  const group = groups.get(key)
  group?.delete(item)
  if (group?.size === 0) groups.delete(key)
}
