/**
 * Memory budget of a node, in bytes: one allowance for what its actors hold, one for work under way. Memory is reserved before it is used:
 * where there is too little, idle actors are evicted, or the request is refused. One subject may have a share of each allowance only, so
 * that subjects that come later find room.
 */
import type { Address } from '../../src/domain/address.js'
import type { Allowance, Allowances } from '../../src/domain/fairness/allowances.js'
import { minus, totalOf, type Weight, WEIGHTLESS } from '../../src/domain/fairness/weight.js'
import type { Cancel, Clock, Counters } from '../../src/ports.js'
import { createMemoryUse, type MemoryUseKind } from './memory-use.js'
import { createHolds, type OpenHold } from './holds.js'
import { Reservation } from './reservation.js'
import { createLeases } from './leases.js'
import type { Evictables, Holder } from './victims.js'
import { createActorAdmission } from './actor-admission.js'
import { memoryExhausted, neverFits } from './exhaustion.js'

interface NodeBudgetOptions extends Allowances {
  readonly clock: Pick<Clock, 'after'>
  readonly counters: Counters
  /** Whether an evicted actor can be brought back from storage. Only then may an actor of any subject be evicted for any other. */
  readonly isDurable: boolean
}

export interface NodeBudget {
  readonly allowances: Allowances
  /** Registers a catalog whose actors may be evicted from now on. */
  add(evictables: Evictables): void
  /** Sets the present weight of an actor. Never refused: the memory is already in use. */
  set(entry: Holder, weight: Weight): void
  /** Reserves the weight of an actor that is about to be made, once there is room. Throws `memory_exhausted`. */
  claim(entry: Holder, weight: Weight): Promise<void>
  /** Reserves like `claim`, for an actor that is rehydrated. If its subject holds nothing else, it may pass the subject's share. */
  reclaim(entry: Holder, weight: Weight): Promise<void>
  /** Opens the reservation of one command to an actor of the subject. */
  openReservation(subject: string): Reservation
  openHold: OpenHold
  /** Most that one actor of the subject may take, with nothing beside it. */
  recordMax(subject: string): Allowance
  /**
   * Opens a lease for an answer that refers to rows of this actor. Until it ends, rows that the actor releases still count, and the actor
   * is not evicted for others, as that would free nothing.
   */
  openLease(address: Address): Cancel
  /** Notes that an actor has replaced or removed rows of this weight. */
  letGo(address: Address, weight: Weight): void
  /** Present use by kind, for metrics. */
  held(): { readonly kind: MemoryUseKind; readonly weight: Weight }[]
  /** Bytes that a subject's actors hold. */
  heldBy(subject: string): number
}

export function createNodeBudget({ clock, counters, isDurable, actors, work }: NodeBudgetOptions): NodeBudget {
  const pools: Evictables[] = []
  const memoryUse = createMemoryUse({ freed: () => admission.freed() })
  const leases = createLeases({
    kept: ({ subject }, weight) => memoryUse.change('let_go', subject, weight),
    freed: ({ subject }, weight) => memoryUse.change('let_go', subject, minus(WEIGHTLESS, weight))
  })
  const admission = createActorAdmission({ actors, memoryUse, pools, isDurable, isRead: leases.isOpen, clock, counters })

  function set(entry: Holder, weight: Weight): void {
    const before = entry.weight
    entry.weight = weight
    if (totalOf(weight) === 0) {
      admission.left(entry)
      leases.letGo(entry.address, before)
    }
    memoryUse.change(entry.address.kind, entry.address.subject, minus(weight, before))
  }

  return {
    allowances: { actors, work },
    add: (evictables) => void pools.push(evictables),
    set,
    claim: (entry, weight) =>
      admission.admitEvicting({ subject: entry.address.subject, growth: minus(weight, entry.weight) }, () => set(entry, weight)),
    reclaim: (entry, weight) =>
      admission.admitEvicting({ subject: entry.address.subject, growth: minus(weight, entry.weight), restored: entry }, () =>
        set(entry, weight)
      ),
    openReservation: (subject) => new Reservation(subject, memoryUse, admission),
    openHold: createHolds({
      work,
      counted: memoryUse.count,
      exhausted: (growth, allowance, what = 'work under way') => memoryExhausted(counters, { budget: 'work', growth, allowance, what }),
      tooLarge: (growth, allowance) => neverFits(counters, { growth, allowance })
    }),
    recordMax: admission.mostOf,
    openLease: leases.open,
    letGo: leases.letGo,
    held: memoryUse.byKind,
    heldBy: (subject) => totalOf(memoryUse.of(subject))
  }
}
