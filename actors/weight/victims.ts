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
  readonly own: readonly Victim[]
  /**
   * Everybody's. Where nothing is lost: the least recently used of all. Where an evicted actor is lost, those of the subject that holds
   * most, least recently used first, and never one of a subject that holds less than the asker: the subject that fills the node pays for
   * it.
   */
  readonly all: readonly Victim[]
}

export function findVictims({ pools, subject, isDurable, heldBy, isRead }: VictimsOptions): Victims {
  const idle = pools.flatMap((pool) => [...pool.candidates()].map((entry): Victim => ({ pool, entry })))
  const free = idle.filter(({ entry }) => !isRead(entry.address))
  free.sort((a, b) => a.entry.touchedAtMs - b.entry.touchedAtMs)
  const own = free.filter(({ entry }) => entry.address.subject === subject)
  if (isDurable) return { own, all: free }
  const holdings = new Map(free.map(({ entry }) => [entry.address.subject, heldBy(entry.address.subject)]))
  const held = ({ entry }: Victim): number => holdings.get(entry.address.subject) ?? 0
  const least = heldBy(subject)
  return { own, all: free.filter((victim) => held(victim) >= least).sort((a, b) => held(b) - held(a)) }
}
