/** Cache of values computed from objects, bounded by weight. An evicted value has to be computed again; no value outlives its object. */
export interface Recent<Key extends object, Value> {
  get(key: Key): Value | undefined
  /** Caches a value. `weight`: in the unit of `weightMax`, at least 0. */
  keep(key: Key, value: Value, weight: number): void
}

/** Creates a cache of up to twice `weightMax`: a young and an old generation. */
export function createRecent<Key extends object, Value>(weightMax: number): Recent<Key, Value> {
  let young = new WeakMap<Key, { readonly value: Value; readonly weight: number }>()
  let old = young
  let weightOfYoung = 0

  function add(key: Key, kept: { readonly value: Value; readonly weight: number }): void {
    if (weightOfYoung >= weightMax) {
      old = young
      young = new WeakMap()
      weightOfYoung = 0
    }
    young.set(key, kept)
    weightOfYoung += kept.weight
  }
  return {
    get(key) {
      const known = young.get(key)
      if (known !== undefined) return known.value
      const older = old.get(key)
      if (older !== undefined) add(key, older)
      return older?.value
    },
    keep: (key, value, weight) => add(key, { value, weight })
  }
}
