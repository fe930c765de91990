/**
 * The memory of a node, in bytes: what its actors hold, and what is under way. Nothing is taken before it is there: idle actors make way
 * for what is new, else it is refused.
 */
import type { Hold } from './room.js'
import type { Entry } from '../entry.js'
import type { Allowance, Allowances } from '../../src/domain/allowances.js'
import { DomainError } from '../../src/domain/errors.js'
import { inMebibytes, minus, plus, totalOf, WEIGHTLESS, type Weight } from '../../src/domain/weight.js'
import type { Clock, Counters } from '../../src/ports.js'

/** The entries of one catalog, as far as they may be evicted. */
export interface Evictables {
  /** Least recently used first. */
  candidates(): Iterable<Entry>
  evict(entry: Entry): void
}

export interface NodeBudgetOptions extends Allowances {
  readonly clock: Pick<Clock, 'after'>
  readonly counters: Counters
  /** Whether an evicted actor comes back: only then everybody's idle actors make way for anybody. */
  readonly isDurable: boolean
}

/** What work is of, for metrics. */
export type WorkKind = 'command' | 'request' | 'answer'

export interface NodeBudget {
  readonly allowances: Allowances
  /** From now on the catalog's actors may be asked to make way. */
  add(evictables: Evictables): void
  /** What an actor weighs now. Never refused: it is so. */
  set(entry: Entry, weight: Weight): void
  /** What an actor is about to weigh: kept for it from now on, once there is room. Throws `memory_exhausted`. */
  claim(entry: Entry, weight: Weight): Promise<void>
  /** Whether actors may grow by so much. */
  fits(growth: Weight): boolean
  /** Throws `memory_exhausted` unless actors may grow by so much; idle ones are then on their way out. */
  admit(growth: Weight, subject: string): void
  /** Waits until actors may grow by so much. Throws `memory_exhausted`. */
  makeWay(growth: Weight, subject: string): Promise<void>
  /** Throws `memory_exhausted` when taken beyond `work`. */
  openHold(kind: WorkKind): Hold
  /** What is held now. */
  held(): { readonly kind: Entry['address']['kind'] | WorkKind; readonly weight: Weight }[]
  /** Bytes that a subject's actors hold. */
  heldBy(subject: string): number
}

/** Milliseconds that idle actors are given to go: each is a write of milliseconds at most. */
const MAKE_WAY_MS_MAX = 2_000

export function createNodeBudget(options: NodeBudgetOptions): NodeBudget {
  const { clock, counters, actors, work } = options
  const pools: Evictables[] = []
  const byKind = new Map<Entry['address']['kind'] | WorkKind, Weight>()
  const bySubject = new Map<string, number>()
  /** Asked to go, and still there. */
  const leaving = new Set<Entry>()
  let held = WEIGHTLESS
  let working = WEIGHTLESS
  let waiting: (() => void)[] = []

  const count = (kind: Entry['address']['kind'] | WorkKind, growth: Weight): void => {
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

  function set(entry: Entry, weight: Weight): void {
    const growth = minus(weight, entry.weight)
    const { kind, subject } = entry.address
    entry.weight = weight
    held = plus(held, growth)
    count(kind, growth)
    const own = heldBy(subject) + totalOf(growth)
    if (own === 0) bySubject.delete(subject)
    else bySubject.set(subject, own)
    if (totalOf(weight) === 0) leaving.delete(entry)
    if (totalOf(growth) >= 0) return
    const called = waiting
    waiting = []
    for (const listener of called) listener()
  }

  /** Asks idle actors to go, as many as it takes. */
  function evictFor(growth: Weight, subject: string): void {
    if (!isWithin(growth, actors)) return
    for (const { pool, entry } of victims(pools, options.isDurable ? null : { subject, heldBy })) {
      if (willFit(growth)) return
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

  function exhausted(budget: 'actors' | 'work', growth: Weight, allowance: Allowance): DomainError {
    counters.count({ name: 'memory_refusal', budget })
    const what = budget === 'actors' ? 'what sessions hold' : 'work under way'
    const most = `${inMebibytes(allowance.total)}, of which ${inMebibytes(allowance.heap)} of heap`
    return new DomainError('memory_exhausted', `The node has too little memory for this (SERVICE_MEMORY_LIMIT_MB): it takes ${inMebibytes(totalOf(growth))}, and ${what} may take ${most}`)
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
    openHold(kind) {
      let own = WEIGHTLESS
      const change = (growth: Weight): void => {
        own = plus(own, growth)
        working = plus(working, growth)
        count(kind, growth)
      }
      return {
        take(weight) {
          if (!isWithin(plus(working, weight), work)) throw exhausted('work', weight, work)
          change(weight)
        },
        free: () => change(minus(WEIGHTLESS, own)),
      }
    },
    held: () => [...byKind].map(([kind, weight]) => ({ kind, weight })),
    heldBy,
  }
}

function isWithin(weight: Weight, { heap, total }: Allowance): boolean {
  return weight.heap <= heap && totalOf(weight) <= total
}

interface Victim {
  readonly pool: Evictables
  readonly entry: Entry
}

/**
 * Who goes, in order. Where nothing is lost, the least recently used of all. Where an evicted actor is lost, those of the subject that
 * holds most, least recently used first, and never one of a subject that holds less than the asker: who fills the node pays for it.
 */
function* victims(pools: readonly Evictables[], asker: { readonly subject: string; readonly heldBy: (subject: string) => number } | null): Iterable<Victim> {
  const all = pools.flatMap((pool) => [...pool.candidates()].map((entry): Victim => ({ pool, entry })))
  all.sort((a, b) => a.entry.touchedAtMs - b.entry.touchedAtMs)
  if (asker === null) return yield* all
  const { subject, heldBy } = asker
  const own = heldBy(subject)
  const holdings = new Map(all.map(({ entry }) => [entry.address.subject, heldBy(entry.address.subject)]))
  const held = (victim: Victim): number => holdings.get(victim.entry.address.subject) ?? 0
  yield* all.filter((victim) => held(victim) >= own).sort((a, b) => held(b) - held(a))
}
