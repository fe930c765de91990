/**
 * The memory of a node, in bytes: what its actors hold, and what is under way. Nothing is taken before it is there: idle actors make way
 * for what is new, else it is refused. Of both a subject may have a share, so that those who come later find some.
 */
import { type Address, ANONYMOUS_SUBJECT } from '../../src/domain/address.js'
import { type Allowance, type Allowances, isWithin, shareOf, without } from '../../src/domain/allowances.js'
import { DomainError } from '../../src/domain/errors.js'
import { inMebibytes, minus, plus, sumOf, totalOf, type Weight, WEIGHTLESS } from '../../src/domain/weight.js'
import type { Cancel, Clock, Counters } from '../../src/ports.js'
import { createHolds, type OpenHold, type WorkKind } from './holds.js'
import { createLeases } from './leases.js'
import { type Evictables, findVictims, type Holder, type Victim, type Victims } from './victims.js'

export interface NodeBudgetOptions extends Allowances {
  readonly clock: Pick<Clock, 'after'>
  readonly counters: Counters
  /** Whether an evicted actor comes back: only then everybody's idle actors make way for anybody. */
  readonly isDurable: boolean
}

/** What bytes are counted under: actors of a kind, work of a kind, or rows that an actor has let go of and somebody still reads. */
export type HeldKind = Holder['address']['kind'] | WorkKind | 'let_go'

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
  /** Whether the subject's actors may grow by so much. */
  fits(growth: Weight, subject: string): boolean
  /** Throws `memory_exhausted` unless the subject's actors may grow by so much; idle ones are then on their way out. */
  admit(growth: Weight, subject: string): void
  /** Waits until the subject's actors may grow by so much. Throws `memory_exhausted`. */
  makeWay(growth: Weight, subject: string): Promise<void>
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

/**
 * Of what other subjects leave of the memory for actors. Those in use cannot make way: without a share, one subject's sessions that are
 * kept in use would keep everybody else out of the node. So one subject leaves an eighth, two leave a sixty-fourth. An eighth is what a
 * node of one licence does without.
 */
const SUBJECT_ACTORS_SHARE = 7 / 8

/** Milliseconds that idle actors are given to go: each is a write of milliseconds at most. */
const MAKE_WAY_MS_MAX = 2_000

/** What is asked for. */
interface Need {
  readonly subject: string
  readonly growth: Weight
  /** The actor that comes back with it, if one does. */
  readonly restored?: Holder
}

export function createNodeBudget(options: NodeBudgetOptions): NodeBudget {
  const { clock, counters, actors, work } = options
  const pools: Evictables[] = []
  const byKind = new Map<HeldKind, Weight>()
  const bySubject = new Map<string, Weight>()
  /** Asked to go, and still there. */
  const leaving = new Set<Holder>()
  let held = WEIGHTLESS
  let waiting: (() => void)[] = []

  const count = (kind: HeldKind, growth: Weight): void => {
    byKind.set(kind, plus(byKind.get(kind) ?? WEIGHTLESS, growth))
  }
  const ownOf = (subject: string): Weight => bySubject.get(subject) ?? WEIGHTLESS
  const heldBy = (subject: string): number => totalOf(ownOf(subject))
  const fitsBeside = (others: Weight, growth: Weight): boolean => isWithin(plus(others, growth), actors)
  const shareBeside = (others: Weight): Allowance => shareOf(without(actors, others), SUBJECT_ACTORS_SHARE)
  /** With so much of the subject's own, and so much of others that does not make way. */
  const isInShare = ({ subject, growth, restored }: Need, own: Weight, others: Weight): boolean => {
    // Without licences there is nobody else.
    if (subject === ANONYMOUS_SUBJECT || totalOf(growth) <= 0) return true
    if (restored !== undefined && totalOf(minus(own, restored.weight)) <= 0) return true
    return isWithin(plus(own, growth), shareBeside(others))
  }
  const victimsFor = (subject: string): Victims =>
    findVictims({ pools, subject, isDurable: options.isDurable, heldBy, isRead: leases.isOpen })
  const othersOf = (subject: string): Weight => minus(held, ownOf(subject))
  const leavingOf = (isCounted: (holder: Holder) => boolean): Weight => sumOf([...leaving].filter(isCounted).map(({ weight }) => weight))
  /** What others hold and would not make way: it is in use, or of a subject that holds less where it would be lost. */
  const heldFast = (subject: string, { all }: Victims): Weight => {
    const isOfOthers = ({ address }: Holder): boolean => address.subject !== subject
    const idle = sumOf(
      all
        .map(({ entry }) => entry)
        .filter(isOfOthers)
        .map(({ weight }) => weight)
    )
    return minus(othersOf(subject), plus(leavingOf(isOfOthers), idle))
  }
  const isRoom = (need: Need): boolean => {
    if (!fitsBeside(held, need.growth)) return false
    const { subject } = need
    const own = ownOf(subject)
    return isInShare(need, own, othersOf(subject)) || isInShare(need, own, heldFast(subject, victimsFor(subject)))
  }

  function change(kind: HeldKind, subject: string, growth: Weight): void {
    held = plus(held, growth)
    count(kind, growth)
    const own = plus(ownOf(subject), growth)
    if (totalOf(own) === 0) bySubject.delete(subject)
    else bySubject.set(subject, own)
    if (totalOf(growth) >= 0) return
    const called = waiting
    waiting = []
    for (const listener of called) listener()
  }
  const leases = createLeases({
    kept: ({ subject }, weight) => change('let_go', subject, weight),
    freed: ({ subject }, weight) => change('let_go', subject, minus(WEIGHTLESS, weight))
  })

  function set(entry: Holder, weight: Weight): void {
    const growth = minus(weight, entry.weight)
    const before = entry.weight
    entry.weight = weight
    if (totalOf(weight) === 0) {
      leaving.delete(entry)
      leases.letGo(entry.address, before)
    }
    change(entry.address.kind, entry.address.subject, growth)
  }

  /** Asks idle actors to go, as many as it takes, or none where all of them would not be enough. Whether there will be room. */
  function evictFor(need: Need): boolean {
    const { subject, growth } = need
    const victims = victimsFor(subject)
    const others = heldFast(subject, victims)
    const isOwn = ({ address }: Holder): boolean => address.subject === subject
    let own = minus(ownOf(subject), leavingOf(isOwn))
    let all = minus(
      held,
      leavingOf(() => true)
    )
    const chosen = new Set<Victim>()
    const choose = (among: readonly Victim[], isEnough: () => boolean): void => {
      for (const victim of among) {
        if (isEnough()) return
        if (chosen.has(victim)) continue
        chosen.add(victim)
        const { entry } = victim
        all = minus(all, entry.weight)
        if (isOwn(entry)) own = minus(own, entry.weight)
      }
    }
    choose(victims.own, () => isInShare(need, own, others))
    choose(victims.all, () => fitsBeside(all, growth))
    if (!fitsBeside(all, growth) || !isInShare(need, own, others)) return false
    for (const { pool, entry } of chosen) {
      leaving.add(entry)
      counters.count({ name: 'memory_eviction' })
      pool.evict(entry)
    }
    return true
  }

  async function makeWay(need: Need, taken: () => void = () => undefined): Promise<void> {
    const wait = { isOver: false }
    const cancel = clock.after(MAKE_WAY_MS_MAX, () => {
      wait.isOver = true
      waiting.splice(0).forEach((listener) => listener())
    })
    try {
      while (!isRoom(need)) {
        const willBeRoom = evictFor(need)
        if (isRoom(need)) break
        if (wait.isOver || !willBeRoom) throw refusalOf(need)
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      taken()
    } finally {
      cancel()
    }
  }

  function refusalOf(need: Need): DomainError {
    const { subject, growth } = need
    const others = heldFast(subject, victimsFor(subject))
    if (isInShare(need, ownOf(subject), others)) return exhausted('actors', growth, actors)
    return exhausted('actors', growth, shareBeside(others), 'what sessions of one licence hold')
  }

  function exhausted(
    budget: 'actors' | 'work',
    growth: Weight,
    allowance: Allowance,
    what = budget === 'actors' ? 'what sessions hold' : 'work under way'
  ): DomainError {
    counters.count({ name: 'memory_refusal', budget })
    const most = `${inMebibytes(allowance.total)}, of which ${inMebibytes(allowance.heap)} of heap`
    return new DomainError(
      'memory_exhausted',
      `The node has too little memory for this (SERVICE_MEMORY_LIMIT_MB): it takes ${inMebibytes(totalOf(growth))}, and ${what} may take ${most}`
    )
  }

  return {
    allowances: { actors, work },
    add: (evictables) => void pools.push(evictables),
    set,
    claim: (entry, weight) => makeWay({ subject: entry.address.subject, growth: minus(weight, entry.weight) }, () => set(entry, weight)),
    reclaim: (entry, weight) =>
      makeWay({ subject: entry.address.subject, growth: minus(weight, entry.weight), restored: entry }, () => set(entry, weight)),
    fits: (growth, subject) => isRoom({ growth, subject }),
    admit(growth, subject) {
      const need = { growth, subject }
      if (isRoom(need)) return
      evictFor(need)
      if (!isRoom(need)) throw refusalOf(need)
    },
    makeWay: (growth, subject) => makeWay({ growth, subject }),
    openHold: createHolds({ work, counted: count, exhausted: (weight, allowance, what) => exhausted('work', weight, allowance, what) }),
    openLease: leases.open,
    letGo: leases.letGo,
    held: () => [...byKind].map(([kind, weight]) => ({ kind, weight })),
    heldBy
  }
}
