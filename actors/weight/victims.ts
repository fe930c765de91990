/** Which idle actors make way for what is new, in order. */
import type { Address } from '../../src/domain/address.js'
import type { Weight } from '../../src/domain/weight.js'

/** Whose record takes memory: an entry of a catalog. */
export interface Holder {
  readonly address: Address
  weight: Weight
  /** Monotonic milliseconds of its last use. */
  readonly touchedAtMs: number
}

/** The entries of one catalog, as far as they may be evicted. */
export interface Evictables {
  /** Least recently used first. */
  candidates(): Iterable<Holder>
  evict(entry: Holder): void
}

export interface Victim {
  readonly pool: Evictables
  readonly entry: Holder
}

export interface VictimsOptions {
  readonly pools: readonly Evictables[]
  /** Who asks. */
  readonly subject: string
  /** Whether an evicted actor comes back. */
  readonly isDurable: boolean
  /** Bytes that a subject's actors hold. */
  readonly heldBy: (subject: string) => number
  /** Whether an answer refers to the actor: to evict it frees nothing. */
  readonly isRead: (address: Address) => boolean
}

export interface Victims {
  /** The asker's own, least recently used first. */
  own(): Iterable<Victim>
  /**
   * Everybody's. Where nothing is lost: the least recently used of all, looked for as far as they are asked for. Where an evicted actor is
   * lost, those of the subject that holds most, least recently used first, and never one of a subject that holds less than the asker: the
   * subject that fills the node pays for it.
   */
  all(): Iterable<Victim>
}

export function findVictims({ pools, subject, isDurable, heldBy, isRead }: VictimsOptions): Victims {
  function* free(): Iterable<Victim> {
    for (const victim of leastRecent(pools)) if (!isRead(victim.entry.address)) yield victim
  }
  function* own(): Iterable<Victim> {
    for (const victim of free()) if (victim.entry.address.subject === subject) yield victim
  }
  if (isDurable) return { own, all: free }
  const idle = [...free()]
  const holdings = new Map(idle.map(({ entry }) => [entry.address.subject, heldBy(entry.address.subject)]))
  const held = ({ entry }: Victim): number => holdings.get(entry.address.subject) ?? 0
  const least = heldBy(subject)
  const all = idle.filter((victim) => held(victim) >= least).sort((a, b) => held(b) - held(a))
  return { own, all: () => all }
}

/** Of several lists in order one in order. */
function* leastRecent(pools: readonly Evictables[]): Iterable<Victim> {
  const heads: { readonly pool: Evictables; readonly left: Iterator<Holder>; entry: Holder }[] = []
  for (const pool of pools) {
    const left = pool.candidates()[Symbol.iterator]()
    const first = left.next()
    if (first.done !== true) heads.push({ pool, left, entry: first.value })
  }
  while (heads.length > 0) {
    // Stryker disable next-line EqualityOperator: of two that were used at one moment either may go first
    const head = heads.reduce((a, b) => (b.entry.touchedAtMs < a.entry.touchedAtMs ? b : a))
    const { pool, entry } = head
    const next = head.left.next()
    if (next.done === true) heads.splice(heads.indexOf(head), 1)
    else head.entry = next.value
    yield { pool, entry }
  }
}
