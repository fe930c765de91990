/** Which of a catalog's actors may go, and how they go. The supervisor says whether they have to. */
import type { AnyActorRef } from 'xstate'
import { totalOf, WEIGHTLESS } from '../../src/domain/weight.js'
import { traceActor } from '../behaviour/trace.js'
import type { CatalogOptions } from './catalog-options.js'
import type { Entry } from './entry.js'
import type { Registry } from './registry.js'

/** What lives in a catalog, and what of it may have to go. */
export interface Residents {
  readonly options: CatalogOptions
  readonly registry: Registry
  supervisor: AnyActorRef | null
  /** Records without an actor that are kept in memory all the same. */
  dormantCount: number
  /** Whether the supervisor was told that there are too many. */
  isOverCap: boolean
  /** Whether the last trim left some that had work: what rests next may have to go. */
  isTrimWaiting: boolean
  /** Subjects of whom the same holds. */
  readonly subjectsWaiting: Set<string>
}

/** Whether the entry can be evicted: nobody waits for it, and there is something to evict. */
export function isEvictable(entry: Entry): boolean {
  return entry.work === 0 && (entry.isDormant || entry.activation?.cell.isOpen === true)
}

/** Whether an eviction would lose what nothing could bring back, though it ought to stay. */
export function isIrreplaceable({ options: { storage, behaviour } }: Residents, entry: Entry): boolean {
  return !storage.isDurable && behaviour.isIrreplaceable?.(entry.activation?.cell.life?.state ?? null) === true
}

/** Passivates the entry's actor once its commit under way is durable, or forgets a dormant record. */
export function evict(residents: Residents, entry: Entry): void {
  if (entry.activation !== null) traceActor(residents.options.tracer, 'actor.passivating', entry.address)
  entry.activation?.ref.send({ type: 'actor.passivate' })
  if (!entry.isDormant) return
  leaveRecord(residents, entry, { hasFailed: false })
  tidy(residents, entry)
  const { storage, logger } = residents.options
  storage
    .activate(entry.address)
    .then((record) => record && storage.release(entry.address, record.token))
    .catch((error: unknown) => logger.warn({ err: error }, 'A dormant record could not be released'))
}

/** Tells the supervisor when there are more actors than the cap allows, and when that is over. */
export function tellCap(residents: Residents): void {
  const excess = excessOf(residents)
  if (excess > 0) {
    residents.isOverCap = true
    residents.supervisor?.send({ type: 'cap.exceed' })
  } else if (residents.isOverCap) {
    residents.isOverCap = false
    residents.supervisor?.send({ type: 'cap.keep' })
  }
}

/** The same for what one subject has, in number or in bytes. */
export function tellShare(residents: Residents, { address: { subject } }: Entry): void {
  const { sessions, bytes } = shareExcessOf(residents, subject)
  if (sessions > 0 || bytes > 0) residents.supervisor?.send({ type: 'share.exceed', subject })
}

/** Brings the number of actors back to the cap, least recently used first. Those with work stay: at most the operations in flight. */
export function trim(residents: Residents): void {
  let excess = excessOf(residents)
  residents.isTrimWaiting = false
  for (const entry of butTheLast(residents.registry.entries())) {
    if (excess <= 0) break
    if (entry.work > 0) residents.isTrimWaiting = true
    if (!isEvictable(entry) || isIrreplaceable(residents, entry)) continue
    evict(residents, entry)
    excess = excessOf(residents)
  }
  residents.isTrimWaiting &&= excess > 0
}

/** The same for one subject's: its own least recently used go, and nobody else's. */
export function trimSubject(residents: Residents, subject: string): void {
  const { registry, subjectsWaiting } = residents
  let { sessions, bytes } = shareExcessOf(residents, subject)
  let isBusy = false
  for (const entry of butTheLast(registry.openOf(subject).values())) {
    if (sessions <= 0 && bytes <= 0) break
    if (entry.work > 0) isBusy = true
    const freed = totalOf(entry.weight)
    if (!isEvictable(entry) || isIrreplaceable(residents, entry)) continue
    evict(residents, entry)
    sessions -= 1
    bytes -= freed
  }
  if (isBusy && (sessions > 0 || bytes > 0)) subjectsWaiting.add(subject)
  else subjectsWaiting.delete(subject)
}

/** Nobody waits for the entry: it is forgotten when nothing is left of it, or it may be what a trim has waited for. */
export function rest(residents: Residents, entry: Entry): void {
  tidy(residents, entry)
  if (entry.work > 0) return
  if (residents.isTrimWaiting) tellCap(residents)
  if (residents.subjectsWaiting.has(entry.address.subject)) tellShare(residents, entry)
}

/**
 * Notes what is left of an actor that is over: nothing, but of one that failed its record, where storage is memory. That weighs about what
 * the actor did.
 */
export function leaveRecord(residents: Residents, entry: Entry, { hasFailed }: { readonly hasFailed: boolean }): void {
  const { storage, budget } = residents.options
  const isDormant = hasFailed && !storage.isDurable
  setDormant(residents, entry, isDormant)
  if (!isDormant) budget.set(entry, WEIGHTLESS)
}

export function setDormant(residents: Residents, entry: Entry, isDormant: boolean): void {
  if (entry.isDormant === isDormant) return
  entry.isDormant = isDormant
  residents.dormantCount += isDormant ? 1 : -1
}

/** Forgets an entry that nothing is left of. */
export function tidy({ registry }: Residents, entry: Entry): void {
  if (entry.work === 0 && entry.activation === null && !entry.isDormant) registry.remove(entry)
}

/** The one used last stays, even where all others are at work: what was answered just now must not be gone at once. */
function* butTheLast(entries: Iterable<Entry>): Generator<Entry> {
  let last: Entry | undefined
  for (const entry of entries) {
    if (last !== undefined) yield last
    last = entry
  }
}

function excessOf({ registry, dormantCount, options }: Residents): number {
  return registry.activeCount + dormantCount - options.activeMax
}

/** Below 0 where there is room, or no cap. */
function shareExcessOf({ registry, options }: Residents, subject: string): { readonly sessions: number; readonly bytes: number } {
  const { subjectActiveMax, subjectBytesMax, budget } = options
  return {
    sessions: subjectActiveMax === undefined ? 0 : registry.openOf(subject).size - subjectActiveMax,
    bytes: subjectBytesMax === undefined ? 0 : budget.heldBy(subject) - subjectBytesMax
  }
}
