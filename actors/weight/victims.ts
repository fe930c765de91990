/** Selects the idle actors to evict when memory is needed, in order. */
import type { Address } from '../../src/domain/address.js'
import type { Weight } from '../../src/domain/fairness/weight.js'

/** Entry of a catalog whose record takes memory. */
export interface Holder {
  readonly address: Address
  weight: Weight
  /** Monotonic milliseconds of its last use. */
  readonly touchedAtMs: number
}

/** Entries of one catalog that may be evicted. */
export interface Evictables {
  /** Least recently used first. */
  candidates(): Iterable<Holder>
  evict(entry: Holder): void
}

export interface Victim {
  readonly pool: Evictables
  readonly entry: Holder
}

interface VictimsOptions {
  readonly pools: readonly Evictables[]
  /** Subject that needs memory. */
  readonly subject: string
  /** Whether an evicted actor can be brought back from storage. */
  readonly isDurable: boolean
  /** Bytes that a subject's actors hold. */
  readonly heldBy: (subject: string) => number
  /** Whether an answer still refers to the actor's rows: evicting it would free nothing. */
  readonly isRead: (address: Address) => boolean
}

export interface Victims {
  /** Candidates of the subject that needs memory, least recently used first. */
  own(): Iterable<Victim>
  /**
   * Candidates of all subjects. With durable storage: least recently used first, enumerated lazily. Where an evicted actor is lost: those
   * of the subject that holds most come first, each subject's least recently used first, and none of a subject that holds less than the
   * one that needs memory. The subject that fills the node pays for it.
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

/** Merges the candidates of all pools, least recently used first. */
function* leastRecent(pools: readonly Evictables[]): Iterable<Victim> {
  const heads: { readonly pool: Evictables; readonly left: Iterator<Holder>; entry: Holder }[] = []
  for (const pool of pools) {
    const left = pool.candidates()[Symbol.iterator]()
    const first = left.next()
    if (first.done !== true) heads.push({ pool, left, entry: first.value })
  }
  while (heads.length > 0) {
    // Stryker disable next-line EqualityOperator: of two that were used at the same moment either may come first
    const head = heads.reduce((a, b) => (b.entry.touchedAtMs < a.entry.touchedAtMs ? b : a))
    const { pool, entry } = head
    const next = head.left.next()
    if (next.done === true) heads.splice(heads.indexOf(head), 1)
    else head.entry = next.value
    yield { pool, entry }
  }
}
