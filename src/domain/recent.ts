/**
 * What was worked out of objects lately, for as long as they live and it may be asked for again. Of older ones it is worked out again:
 * what is kept has a bound, and nothing of an object outlives it.
 */
export interface Recent<Key extends object, Value> {
  get(key: Key): Value | undefined
  /** `weight`: in the unit of the bound, at least 0. */
  keep(key: Key, value: Value, weight: number): void
}

/** Of many subjects, each with a part of its own: what one of them keeps pushes out nothing of another's. */
export interface RecentOfSubjects<Key extends object, Value> {
  of(subject: string): Recent<Key, Value>
}

interface Kept<Value> {
  readonly value: Value
  readonly weight: number
}

/** Generations of a subject, and subjects that may fill theirs, before others lose what they have. */
const GENERATIONS = 2
const FULL_SUBJECTS = 2

/**
 * Keeps up to twice `weightMax` of a subject: those of one generation, and of the one before it. Of all up to as much as two such subjects,
 * beyond which the one that was here longest ago loses its part.
 */
export function createRecent<Key extends object, Value>(weightMax: number): RecentOfSubjects<Key, Value> {
  /** Those that were here last at the end. */
  const parts = new Map<string, Part<Key, Value>>()
  let weight = 0

  function added(change: number, own: Part<Key, Value>): void {
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
      const part = parts.get(subject) ?? new Part(weightMax, added)
      parts.delete(subject)
      parts.set(subject, part)
      return part
    }
  }
}

/** A class, because each subject has one. */
class Part<Key extends object, Value> implements Recent<Key, Value> {
  private young = new WeakMap<Key, Kept<Value>>()
  private old = this.young
  private weightOfYoung = 0
  private weightOfOld = 0

  constructor(
    private readonly weightMax: number,
    private readonly added: (change: number, part: Part<Key, Value>) => void
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
