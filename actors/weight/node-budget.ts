/**
 * The memory of a node, in bytes: what its actors hold, and what is under way. Nothing is taken before it is there: idle actors make way
 * for what is new, else it is refused. Of both a subject may have a share, so that those who come later find some.
 */
import type { Address } from '../../src/domain/address.js'
import type { Allowances } from '../../src/domain/allowances.js'
import { minus, totalOf, type Weight, WEIGHTLESS } from '../../src/domain/weight.js'
import type { Cancel, Clock, Counters } from '../../src/ports.js'
import { createHeld, type HeldKind } from './held.js'
import { createHolds, type OpenHold } from './holds.js'
import { type Keep, SubjectKeep } from './keep.js'
import { createLeases } from './leases.js'
import type { Evictables, Holder } from './victims.js'
import { createWay, memoryExhausted } from './way.js'

export interface NodeBudgetOptions extends Allowances {
  readonly clock: Pick<Clock, 'after'>
  readonly counters: Counters
  /** Whether an evicted actor comes back: only then everybody's idle actors make way for anybody. */
  readonly isDurable: boolean
}

export interface NodeBudget {
  readonly allowances: Allowances
  /** From now on the catalog's actors may be asked to make way. */
  add(evictables: Evictables): void
  /** What an actor weighs now. Never refused: it is so. */
  set(entry: Holder, weight: Weight): void
  /** What a new actor is about to weigh: kept for it from now on, once there is room. Throws `memory_exhausted`. */
  claim(entry: Holder, weight: Weight): Promise<void>
  /** The same for one that comes back. With nothing of its subject beside it, it may weigh more than a subject's share. */
  reclaim(entry: Holder, weight: Weight): Promise<void>
  /** For one command to an actor of the subject. */
  openKeep(subject: string): Keep
  /** Throws `memory_exhausted` when taken beyond `work`, or beyond the share of it that one subject may have. */
  openHold: OpenHold
  /**
   * An answer refers to rows of this actor until the lease ends: what the actor lets go of counts until then, and evicting it frees
   * nothing.
   */
  openLease(address: Address): Cancel
  /** An actor has replaced or removed rows that weighed so much. */
  letGo(address: Address, weight: Weight): void
  /** What is held now. */
  held(): { readonly kind: HeldKind; readonly weight: Weight }[]
  /** Bytes that a subject's actors hold. */
  heldBy(subject: string): number
}

export function createNodeBudget({ clock, counters, isDurable, actors, work }: NodeBudgetOptions): NodeBudget {
  const pools: Evictables[] = []
  const held = createHeld({ freed: () => way.freed() })
  const leases = createLeases({
    kept: ({ subject }, weight) => held.change('let_go', subject, weight),
    freed: ({ subject }, weight) => held.change('let_go', subject, minus(WEIGHTLESS, weight))
  })
  const way = createWay({ actors, held, pools, isDurable, isRead: leases.isOpen, clock, counters })

  function set(entry: Holder, weight: Weight): void {
    const before = entry.weight
    entry.weight = weight
    if (totalOf(weight) === 0) {
      way.left(entry)
      leases.letGo(entry.address, before)
    }
    held.change(entry.address.kind, entry.address.subject, minus(weight, before))
  }

  return {
    allowances: { actors, work },
    add: (evictables) => void pools.push(evictables),
    set,
    claim: (entry, weight) => way.make({ subject: entry.address.subject, growth: minus(weight, entry.weight) }, () => set(entry, weight)),
    reclaim: (entry, weight) =>
      way.make({ subject: entry.address.subject, growth: minus(weight, entry.weight), restored: entry }, () => set(entry, weight)),
    openKeep: (subject) => new SubjectKeep(subject, held, way),
    openHold: createHolds({
      work,
      counted: held.count,
      exhausted: (growth, allowance, what = 'work under way') => memoryExhausted(counters, { budget: 'work', growth, allowance, what })
    }),
    openLease: leases.open,
    letGo: leases.letGo,
    held: held.byKind,
    heldBy: (subject) => totalOf(held.of(subject))
  }
}
