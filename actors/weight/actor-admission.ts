/** Admits the growth of actors: where there is too little memory, idle actors are evicted, or the growth is refused. */
import { ANONYMOUS_SUBJECT, type Address } from '../../src/domain/address.js'
import { type Allowance, isWithin, shareOf, remainingAfter } from '../../src/domain/fairness/allowances.js'
import type { DomainError } from '../../src/domain/errors.js'
import { minus, plus, sumOf, totalOf, type Weight } from '../../src/domain/fairness/weight.js'
import type { Clock, Counters } from '../../src/ports.js'
import { memoryExhausted } from './exhaustion.js'
import type { MemoryUse } from './memory-use.js'
import { type Evictables, findVictims, type Holder, type Victim, type Victims } from './victims.js'

/**
 * Share that one subject may hold of the memory for actors that other subjects leave free. Actors in use cannot be evicted: without a
 * share, one subject that keeps its sessions in use would keep everybody else out. One subject leaves an eighth free, two leave a
 * sixty-fourth. On a node with a single licence that eighth stays unused.
 */
const SUBJECT_ACTORS_SHARE = 7 / 8

/**
 * Fill level that evictions go down to, of the memory for actors or of a subject's share. The 64th left free spares a full node an eviction
 * with every command.
 */
const ROOMY_SHARE = 63 / 64

/** Milliseconds to wait for idle actors to leave: each eviction is one write, of milliseconds at most. */
const MAKE_WAY_MS_MAX = 2_000

/** Request for memory. */
interface Need {
  readonly subject: string
  readonly growth: Weight
  /** Actor that is rehydrated into this memory, if any. */
  readonly restored?: Holder
}

interface ActorAdmissionOptions {
  /** Upper bound on what actors hold. */
  readonly actors: Allowance
  readonly memoryUse: MemoryUse
  readonly pools: readonly Evictables[]
  readonly isDurable: boolean
  readonly isRead: (address: Address) => boolean
  readonly clock: Pick<Clock, 'after'>
  readonly counters: Counters
}

export interface ActorAdmission {
  /** Most that one actor of the subject may take, with nothing beside it. */
  mostOf(subject: string): Allowance
  isRoom(need: Need): boolean
  /** Throws `memory_exhausted` unless there is room now. Where evictions can make room, they are under way when it throws. */
  admit(need: Need): void
  /** Calls `taken` as soon as there is room. Throws `memory_exhausted`. */
  admitEvicting(need: Need, taken: () => void): Promise<void>
  /** Wakes those who wait: memory was released. */
  freed(): void
  /** Notes that an actor is gone. */
  left(holder: Holder): void
}

export function createActorAdmission({
  actors,
  memoryUse,
  pools,
  isDurable,
  isRead,
  clock,
  counters
}: ActorAdmissionOptions): ActorAdmission {
  /** Actors whose eviction is under way. */
  const leaving = new Set<Holder>()
  let waiting: (() => void)[] = []

  const fitsBeside = (others: Weight, growth: Weight, allowance = actors): boolean => isWithin(plus(others, growth), allowance)
  const shareBeside = (others: Weight): Allowance => shareOf(remainingAfter(actors, others), SUBJECT_ACTORS_SHARE)
  /** Whether the need fits into the share `most` of its subject, which holds `own`. */
  const isInShare = ({ subject, growth, restored }: Need, own: Weight, most: Allowance): boolean => {
    // Without licences there is only one subject: it needs no share.
    if (subject === ANONYMOUS_SUBJECT || totalOf(growth) <= 0) return true
    if (restored !== undefined && totalOf(minus(own, restored.weight)) <= 0) return true
    return fitsBeside(own, growth, most)
  }
  const othersOf = (subject: string): Weight => minus(memoryUse.all, memoryUse.of(subject))
  const leavingOf = (isCounted: (holder: Holder) => boolean): Weight => sumOf([...leaving].filter(isCounted).map(({ weight }) => weight))
  const victimsFor = (subject: string): Victims =>
    findVictims({ pools, subject, isDurable, heldBy: (other) => totalOf(memoryUse.of(other)), isRead })
  /**
   * Returns a subject's share beside what cannot be evicted from the others: actors in use and, where evicted actors are lost, those of
   * subjects that hold less.
   */
  function shareOfSubject(subject: string, victims: Victims): Allowance {
    const isOfOthers = ({ address }: Holder): boolean => address.subject !== subject
    let heap = 0
    let buffers = 0
    for (const { entry } of victims.all()) {
      if (!isOfOthers(entry) || leaving.has(entry)) continue
      heap += entry.weight.heap
      buffers += entry.weight.buffers
    }
    return shareBeside(minus(othersOf(subject), plus(leavingOf(isOfOthers), { heap, buffers })))
  }
  /**
   * Whether the need fits into its subject's share. The exact answer visits every idle actor, so a positive one is cached until the subject
   * has grown by a 64th of the memory.
   */
  function isInShareNow(need: Need): boolean {
    const { subject, growth } = need
    const own = memoryUse.of(subject)
    if (isInShare(need, own, shareBeside(othersOf(subject)))) return true
    const granted = memoryUse.granted(subject)
    if (granted !== null && fitsBeside(own, growth, granted)) return true
    const share = shareOfSubject(subject, victimsFor(subject))
    const isIn = isInShare(need, own, share)
    const next = plus(own, growth)
    const spare = shareOf(actors, 1 - ROOMY_SHARE)
    const grant = { heap: Math.min(share.heap, next.heap + spare.heap), total: Math.min(share.total, totalOf(next) + spare.total) }
    memoryUse.grant(subject, isIn ? grant : null)
    return isIn
  }
  const isRoom = (need: Need): boolean => fitsBeside(memoryUse.all, need.growth) && isInShareNow(need)

  /**
   * Starts evicting idle actors: as many as the need takes and some more, or none where all of them would not be enough. Returns null if
   * there will be room, else the refusal.
   */
  function clearFor(need: Need): DomainError | null {
    const { subject, growth } = need
    const isOwn = ({ address }: Holder): boolean => address.subject === subject
    let own = minus(memoryUse.of(subject), leavingOf(isOwn))
    let all = minus(
      memoryUse.all,
      leavingOf(() => true)
    )
    const isIn = (most: Allowance): boolean => isInShare(need, own, most)
    const least = shareBeside(othersOf(subject))
    // The evictions under way may be enough.
    if (fitsBeside(all, growth) && isIn(least)) return null
    const victims = victimsFor(subject)
    const share = isIn(least) ? least : shareOfSubject(subject, victims)
    const chosen = new Set<Holder>()
    const out: Victim[] = []
    const choose = (among: Iterable<Victim>, isEnough: () => boolean): void => {
      for (const victim of among) {
        const { entry } = victim
        if (leaving.has(entry) || chosen.has(entry)) continue
        chosen.add(entry)
        out.push(victim)
        all = minus(all, entry.weight)
        if (isOwn(entry)) own = minus(own, entry.weight)
        if (isEnough()) return
      }
    }
    if (!isIn(share)) choose(victims.own(), () => isIn(shareOf(share, ROOMY_SHARE)))
    if (!fitsBeside(all, growth)) choose(victims.all(), () => fitsBeside(all, growth, shareOf(actors, ROOMY_SHARE)))
    if (!isIn(share)) return exhausted(growth, share, 'what sessions of one licence hold')
    if (!fitsBeside(all, growth)) return exhausted(growth, actors)
    for (const { pool, entry } of out) {
      leaving.add(entry)
      counters.count({ name: 'memory_eviction' })
      pool.evict(entry)
    }
    return null
  }

  function wake(): void {
    const called = waiting
    waiting = []
    for (const listener of called) listener()
  }
  function exhausted(growth: Weight, allowance: Allowance, what = 'what sessions hold'): DomainError {
    return memoryExhausted(counters, { budget: 'actors', growth, allowance, what })
  }

  return {
    mostOf: (subject) => (subject === ANONYMOUS_SUBJECT ? actors : shareOf(actors, SUBJECT_ACTORS_SHARE)),
    isRoom,
    admit(need) {
      if (isRoom(need)) return
      const refusal = clearFor(need)
      if (refusal !== null) throw refusal
      if (!isRoom(need)) throw exhausted(need.growth, actors)
    },
    async admitEvicting(need, taken) {
      const wait = { isOver: false }
      const cancel = clock.after(MAKE_WAY_MS_MAX, () => {
        wait.isOver = true
        wake()
      })
      try {
        while (!isRoom(need)) {
          const refusal = clearFor(need)
          if (refusal !== null) throw refusal
          if (isRoom(need)) break
          if (wait.isOver) throw exhausted(need.growth, actors)
          await new Promise<void>((resolve) => waiting.push(resolve))
        }
        taken()
      } finally {
        cancel()
      }
    },
    freed: wake,
    left: (holder) => void leaving.delete(holder)
  }
}
