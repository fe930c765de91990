/**
 * The memory of a node, in bytes: what its actors hold, and what is under way. Nothing is taken before it is there: idle actors make way
 * for what is new, else it is refused.
 */
import type { Address } from '../../src/domain/address.js'
import type { Allowance, Allowances } from '../../src/domain/allowances.js'
import { DomainError } from '../../src/domain/errors.js'
import { inMebibytes, minus, plus, totalOf, type Weight, WEIGHTLESS } from '../../src/domain/weight.js'
import type { Cancel, Clock, Counters } from '../../src/ports.js'
import { createLeases } from './leases.js'
import type { Hold } from './room.js'

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

export interface NodeBudgetOptions extends Allowances {
  readonly clock: Pick<Clock, 'after'>
  readonly counters: Counters
  /** Whether an evicted actor comes back: only then everybody's idle actors make way for anybody. */
  readonly isDurable: boolean
}

/** What work is of, for metrics. */
export type WorkKind = 'command' | 'request' | 'answer'

/** What bytes are counted under: actors of a kind, work of a kind, or rows that an actor has let go of and somebody still reads. */
export type HeldKind = Holder['address']['kind'] | WorkKind | 'let_go'

export interface NodeBudget {
  readonly allowances: Allowances
  /** From now on the catalog's actors may be asked to make way. */
  add(evictables: Evictables): void
  /** What an actor weighs now. Never refused: it is so. */
  set(entry: Holder, weight: Weight): void
  /** What an actor is about to weigh: kept for it from now on, once there is room. Throws `memory_exhausted`. */
  claim(entry: Holder, weight: Weight): Promise<void>
  /** Whether actors may grow by so much. */
  fits(growth: Weight): boolean
  /** Throws `memory_exhausted` unless actors may grow by so much; idle ones are then on their way out. */
  admit(growth: Weight, subject: string): void
  /** Waits until actors may grow by so much. Throws `memory_exhausted`. */
  makeWay(growth: Weight, subject: string): Promise<void>
  /** Throws `memory_exhausted` when taken beyond `work`, or beyond the share of it that one subject may have. */
  openHold(kind: WorkKind, subject: string): Hold
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
 * Of what other subjects leave of the memory for work: one subject's bodies and answers leave room for those of others, unless there is but
 * one that is larger by itself. With a share of what is left, two subjects leave a sixteenth, and each more a quarter of that.
 */
const SUBJECT_WORK_SHARE = 3 / 4

/** Of what work may take: one that is larger than its subject's share leaves so much to what is small. */
const WORK_RESERVE_SHARE = 1 / 16

/** Milliseconds that idle actors are given to go: each is a write of milliseconds at most. */
const MAKE_WAY_MS_MAX = 2_000

export function createNodeBudget(options: NodeBudgetOptions): NodeBudget {
  const { clock, counters, actors, work } = options
  const pools: Evictables[] = []
  const byKind = new Map<HeldKind, Weight>()
  const bySubject = new Map<string, number>()
  /** Asked to go, and still there. */
  const leaving = new Set<Holder>()
  let held = WEIGHTLESS
  let waiting: (() => void)[] = []

  const count = (kind: HeldKind, growth: Weight): void => {
    byKind.set(kind, plus(byKind.get(kind) ?? WEIGHTLESS, growth))
  }
  const heldBy = (subject: string): number => bySubject.get(subject) ?? 0
  const fits = (growth: Weight): boolean => isWithin(plus(held, growth), actors)
  /** As it will be when those that leave are gone. */
  const willFit = (growth: Weight): boolean => {
    let gone = WEIGHTLESS
    for (const entry of leaving) gone = plus(gone, entry.weight)
    return isWithin(plus(minus(held, gone), growth), actors)
  }

  function change(kind: HeldKind, subject: string, growth: Weight): void {
    held = plus(held, growth)
    count(kind, growth)
    const own = heldBy(subject) + totalOf(growth)
    if (own === 0) bySubject.delete(subject)
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

  /** Asks idle actors to go, as many as it takes. */
  function evictFor(growth: Weight, subject: string): void {
    if (!isWithin(growth, actors)) return
    for (const { pool, entry } of victims(pools, options.isDurable ? null : { subject, heldBy })) {
      if (willFit(growth)) return
      if (leases.isOpen(entry.address)) continue
      leaving.add(entry)
      counters.count({ name: 'memory_eviction' })
      pool.evict(entry)
    }
  }

  async function makeWay(growth: Weight, subject: string, taken: () => void = () => undefined): Promise<void> {
    const wait = { isOver: false }
    const cancel = clock.after(MAKE_WAY_MS_MAX, () => {
      wait.isOver = true
      waiting.splice(0).forEach((listener) => listener())
    })
    try {
      while (!fits(growth)) {
        evictFor(growth, subject)
        if (fits(growth)) break
        if (wait.isOver || !willFit(growth)) throw exhausted('actors', growth, actors)
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      taken()
    } finally {
      cancel()
    }
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
    claim: (entry, weight) => makeWay(minus(weight, entry.weight), entry.address.subject, () => set(entry, weight)),
    fits,
    admit(growth, subject) {
      if (fits(growth)) return
      evictFor(growth, subject)
      if (!fits(growth)) throw exhausted('actors', growth, actors)
    },
    makeWay,
    openHold: createHolds({ work, counted: count, exhausted: (weight, allowance, what) => exhausted('work', weight, allowance, what) }),
    openLease: leases.open,
    letGo: leases.letGo,
    held: () => [...byKind].map(([kind, weight]) => ({ kind, weight })),
    heldBy
  }
}

interface HoldsOptions {
  readonly work: Allowance
  readonly counted: (kind: WorkKind, growth: Weight) => void
  readonly exhausted: (weight: Weight, allowance: Allowance, what?: string) => DomainError
}

/** What is under way, in all and by subject. */
function createHolds({ work, counted, exhausted }: HoldsOptions): NodeBudget['openHold'] {
  const singleMax = shareOf(work, 1 - WORK_RESERVE_SHARE)
  const bySubject = new Map<string, Weight>()
  let working = WEIGHTLESS
  return (kind, subject) => {
    let own = WEIGHTLESS
    const change = (growth: Weight): void => {
      own = plus(own, growth)
      working = plus(working, growth)
      counted(kind, growth)
      const its = plus(bySubject.get(subject) ?? WEIGHTLESS, growth)
      if (totalOf(its) === 0) bySubject.delete(subject)
      else bySubject.set(subject, its)
    }
    return {
      take(weight) {
        const after = plus(working, weight)
        if (!isWithin(after, work)) throw exhausted(weight, work)
        const its = bySubject.get(subject) ?? WEIGHTLESS
        const subjectMax = shareOf(without(work, minus(working, its)), SUBJECT_WORK_SHARE)
        if (!isWithin(plus(its, weight), subjectMax)) {
          // What a small node can do one thing of at a time, it still does.
          const isSingle = totalOf(its) === totalOf(own)
          if (!isSingle || !isWithin(after, singleMax)) throw exhausted(weight, subjectMax, 'work under way of one licence')
        }
        change(weight)
      },
      free: () => change(minus(WEIGHTLESS, own))
    }
  }
}

function isWithin(weight: Weight, { heap, total }: Allowance): boolean {
  return weight.heap <= heap && totalOf(weight) <= total
}

function shareOf({ heap, total }: Allowance, share: number): Allowance {
  return { heap: heap * share, total: total * share }
}

function without({ heap, total }: Allowance, weight: Weight): Allowance {
  return { heap: heap - weight.heap, total: total - totalOf(weight) }
}

interface Victim {
  readonly pool: Evictables
  readonly entry: Holder
}

/**
 * Which actors go, in order. Where nothing is lost: the least recently used of all. Where an evicted actor is lost, those of the subject
 * that holds most, least recently used first, and never one of a subject that holds less than the asker: the subject that fills the node
 * pays for it.
 */
function* victims(
  pools: readonly Evictables[],
  asker: { readonly subject: string; readonly heldBy: (subject: string) => number } | null
): Iterable<Victim> {
  const all = pools.flatMap((pool) => [...pool.candidates()].map((entry): Victim => ({ pool, entry })))
  all.sort((a, b) => a.entry.touchedAtMs - b.entry.touchedAtMs)
  if (asker === null) return yield* all
  const { subject, heldBy } = asker
  const own = heldBy(subject)
  const holdings = new Map(all.map(({ entry }) => [entry.address.subject, heldBy(entry.address.subject)]))
  const held = (victim: Victim): number => holdings.get(victim.entry.address.subject) ?? 0
  yield* all.filter((victim) => held(victim) >= own).sort((a, b) => held(b) - held(a))
}
