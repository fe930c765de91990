/** Finds the label of an owner by one of its texts, such as its id. */
import { murmurHash } from './murmur-hash.js'
import type { Labels } from './labels.js'

/** Stands for no label. */
export const NO_LABEL = -1

/** Most owners in a single part. A larger one would take milliseconds to grow. */
export const ONE_PART_MAX = 16_384

/** A part is selected by the highest bits of the hash, a slot in it by the lowest. */
const PARTS = 256
const PART_SHIFT = 24

const SLOTS_MIN = 8

/**
 * Most slots looked at for one text. The hash is no secret: a client that chooses the texts can lead many of them to one slot. Owners for
 * whom this leaves no room are kept in a map.
 */
const PROBES_MAX = 64

const SEED = 0

interface Part {
  /** Two numbers a slot: the hash, and the label plus one, or 0 in a free slot. At most three quarters of the slots are used. */
  slots: Int32Array
  used: number
}

/** Shared free slot of a part without owners; never written to. */
const NO_SLOTS = new Int32Array(2)

/**
 * A hash table of numbers alone. A map by text has three references for each entry, which the garbage collector follows, and compares with
 * texts all over the memory. A class rather than closures: every session has some.
 */
export class LabelFinder<Owner> {
  /** One part while there are few owners; then `PARTS`. */
  private parts: Part[] = [emptyPart()]
  private crowded: Map<string, number> | null = null
  /** Number of owners. */
  size = 0

  /** `textOf`: the text by which an owner is found. No two owners have the same. */
  constructor(
    private readonly owners: Labels<Owner>,
    private readonly textOf: (owner: Owner) => string
  ) {}

  /** Returns the owner of a text; undefined for none. */
  find(text: string): Owner | undefined {
    const label = this.labelOf(text)
    return label === NO_LABEL ? undefined : this.owners.get(label)
  }

  /** Returns the label of the owner of a text, or `NO_LABEL`. */
  labelOf(text: string): number {
    const hash = murmurHash(text, SEED)
    const { slots } = this.partOf(hash)
    const last = slots.length - 2
    for (let at = (hash << 1) & last, probes = 0; probes < PROBES_MAX; at = (at + 2) & last, probes++) {
      const label = (slots[at + 1] as number) - 1
      if (label < 0) break
      if (slots[at] === hash && this.textAt(label) === text) return label
    }
    return this.crowded?.get(text) ?? NO_LABEL
  }

  /** Adds the owner of a label. */
  add(label: number): void {
    const hash = murmurHash(this.textAt(label), SEED)
    const part = this.partOf(hash)
    this.put(part, hash, label)
    this.size += 1
    if (this.size > ONE_PART_MAX && this.parts.length === 1) this.divide(part)
  }

  /** Removes the owner of a label, which must be present. */
  delete(label: number): void {
    this.size -= 1
    const text = this.textAt(label)
    if (this.crowded?.delete(text) === true) return
    const hash = murmurHash(text, SEED)
    const part = this.partOf(hash)
    const { slots } = part
    const last = slots.length - 2
    let at = (hash << 1) & last
    while (slots[at + 1] !== label + 1) at = (at + 2) & last
    closeGap(slots, at)
    part.used -= 1
  }

  clear(): void {
    this.parts = [emptyPart()]
    this.crowded = null
    this.size = 0
  }

  private textAt(label: number): string {
    return this.textOf(this.owners.get(label) as Owner)
  }

  private partOf(hash: number): Part {
    return this.parts[this.parts.length === 1 ? 0 : hash >>> PART_SHIFT] as Part
  }

  private put(part: Part, hash: number, label: number): void {
    if (8 * (part.used + 1) > 3 * part.slots.length) this.grow(part)
    const { slots } = part
    const last = slots.length - 2
    for (let at = (hash << 1) & last, probes = 0; probes < PROBES_MAX; at = (at + 2) & last, probes++) {
      if (slots[at + 1] !== 0) continue
      slots[at] = hash
      slots[at + 1] = label + 1
      part.used += 1
      return
    }
    this.crowded ??= new Map()
    this.crowded.set(this.textAt(label), label)
  }

  private grow(part: Part): void {
    const { slots } = part
    part.slots = new Int32Array(Math.max(2 * SLOTS_MIN, 2 * slots.length))
    part.used = 0
    this.putAll(slots)
  }

  /** In one go, as it only moves numbers. */
  private divide({ slots }: Part): void {
    this.parts = Array.from({ length: PARTS }, emptyPart)
    this.putAll(slots)
  }

  private putAll(slots: Int32Array): void {
    for (let at = 0; at < slots.length; at += 2) {
      const hash = slots[at] as number
      const label = (slots[at + 1] as number) - 1
      if (label >= 0) this.put(this.partOf(hash), hash, label)
    }
  }
}

function emptyPart(): Part {
  return { slots: NO_SLOTS, used: 0 }
}

/**
 * Frees a slot, and moves those behind it up that would not be found behind a free one. None stands as far as `PROBES_MAX` slots behind its
 * own, so no further ones are looked at: a client can choose texts that all stand in one row.
 */
function closeGap(slots: Int32Array, gap: number): void {
  const last = slots.length - 2
  let free = gap
  for (let at = (free + 2) & last; slots[at + 1] !== 0 && ((at - free) & last) < 2 * PROBES_MAX; at = (at + 2) & last) {
    const home = ((slots[at] as number) << 1) & last
    if (((at - home) & last) < ((at - free) & last)) continue
    slots[free] = slots[at] as number
    slots[free + 1] = slots[at + 1] as number
    free = at
  }
  slots[free] = 0
  slots[free + 1] = 0
}
