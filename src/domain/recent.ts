/**
 * What was worked out of objects lately, for as long as they live and it may be asked for again. Of older ones it is worked out again:
 * what is kept has a bound, and nothing of an object outlives it.
 */
export interface Recent<Key extends object, Value> {
  get(key: Key): Value | undefined
  /** `weight`: in the unit of `weightMax`, at least 0. */
  keep(key: Key, value: Value, weight: number): void
}

/** Keeps up to twice `weightMax`: those of one generation, and of the one before it. */
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
