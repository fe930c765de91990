/**
 * Caches of values computed from objects, bounded by weight. An evicted value has to be computed again; no value outlives its object. One
 * cache for each subject, so that no subject evicts entries of another.
 */

interface Kept<Value> {
  readonly value: Value
  readonly weight: number
}

/** Generations per subject, and number of subjects that may fill theirs before others are evicted. */
const GENERATIONS = 2
const FULL_SUBJECTS = 2

/**
 * Creates caches of up to twice `weightMax` per subject, a young and an old generation, and of up to twice that in total. Beyond it the
 * cache of the least recently used subject is dropped.
 */
export function createRecent<Key extends object, Value>(weightMax: number): { of(subject: string): Recent<Key, Value> } {
  /** Least recently used first. */
  const parts = new Map<string, Recent<Key, Value>>()
  let latest: Recent<Key, Value> | null = null
  let weight = 0

  function added(change: number, own: Recent<Key, Value>): void {
    weight += change
    for (const [subject, part] of parts) {
      if (weight <= FULL_SUBJECTS * GENERATIONS * weightMax) return
      if (part === own) continue
      parts.delete(subject)
      weight -= part.weight
    }
  }
  return {
    of(subject) {
      const part = parts.get(subject) ?? new Recent(weightMax, added)
      // Moving the only entry of a map to its end makes V8 allocate a new table.
      if (part !== latest) {
        parts.delete(subject)
        parts.set(subject, part)
        latest = part
      }
      return part
    }
  }
}

/** A class rather than closures: every subject has one. */
class Recent<Key extends object, Value> {
  private young = new WeakMap<Key, Kept<Value>>()
  private old = this.young
  private weightOfYoung = 0
  private weightOfOld = 0

  constructor(
    private readonly weightMax: number,
    private readonly added: (change: number, part: Recent<Key, Value>) => void
  ) {}

  get weight(): number {
    return this.weightOfYoung + this.weightOfOld
  }

  get(key: Key): Value | undefined {
    const known = this.young.get(key)
    if (known !== undefined) return known.value
    const older = this.old.get(key)
    if (older !== undefined) this.add(key, older)
    return older?.value
  }

  /** Caches a value. `weight`: in the unit of `weightMax`, at least 0. */
  keep(key: Key, value: Value, weight: number): void {
    this.add(key, { value, weight })
  }

  private add(key: Key, kept: Kept<Value>): void {
    const before = this.weight
    if (this.weightOfYoung >= this.weightMax) {
      this.old = this.young
      this.weightOfOld = this.weightOfYoung
      this.young = new WeakMap()
      this.weightOfYoung = 0
    }
    this.young.set(key, kept)
    this.weightOfYoung += kept.weight
    this.added(this.weight - before, this)
  }
}
