/** Eviction of a catalog's actors: which may be evicted, and how. The supervisor decides when. */
import type { AnyActorRef } from 'xstate'
import { totalOf, WEIGHTLESS } from '../../src/domain/fairness/weight.js'
import { traceActor } from '../behaviour/trace.js'
import type { CatalogOptions } from './catalog-options.js'
import type { Entry } from './entry.js'
import type { Registry } from './registry.js'

/** Actors of a catalog, with the state of evictions that are due. */
export interface EvictionState {
  readonly options: CatalogOptions
  readonly registry: Registry
  supervisor: AnyActorRef | null
  /** Number of records that stay in memory without an actor. */
  dormantCount: number
  /** Whether the supervisor was told that the cap is exceeded. */
  isOverCap: boolean
  /** Whether the last trim stayed above the cap because of busy actors: an actor that becomes idle may then have to be evicted. */
  isTrimWaiting: boolean
  /** Subjects whose last `trimSubject` stayed above a cap because of busy actors. */
  readonly subjectsWaiting: Set<string>
}

/** Whether the entry can be evicted: no command is under way, and there is an open actor or a dormant record. */
export function isEvictable(entry: Entry): boolean {
  return entry.work === 0 && (entry.isDormant || entry.activation?.cell.isOpen === true)
}

/** Whether an eviction would lose state that cannot be restored and ought to be kept. */
export function isIrreplaceable({ options: { storage, behaviour } }: EvictionState, entry: Entry): boolean {
  return !storage.isDurable && behaviour.isIrreplaceable?.(entry.activation?.cell.life?.state ?? null) === true
}

/** Passivates the entry's actor once its commit under way is durable, or drops a dormant record. */
export function evict(eviction: EvictionState, entry: Entry): void {
  if (entry.activation !== null) traceActor(eviction.options.tracer, 'actor.passivating', entry.address)
  entry.activation?.ref.send({ type: 'actor.passivate' })
  if (!entry.isDormant) return
  leaveRecord(eviction, entry, { hasFailed: false })
  tidy(eviction, entry)
  const { storage, logger } = eviction.options
  storage
    .activate(entry.address)
    .then((record) => record && storage.release(entry.address, record.token))
    .catch((error: unknown) => logger.warn({ err: error }, 'A dormant record could not be released'))
}

/** Tells the supervisor when the cap on actors is exceeded, and when it no longer is. */
export function tellCap(eviction: EvictionState): void {
  const excess = excessOf(eviction)
  if (excess > 0) {
    eviction.isOverCap = true
    eviction.supervisor?.send({ type: 'cap.exceed' })
  } else if (eviction.isOverCap) {
    eviction.isOverCap = false
    eviction.supervisor?.send({ type: 'cap.keep' })
  }
}

/** Tells the supervisor when the entry's subject exceeds one of its caps, on actors or on bytes. */
export function tellSubjectCap(eviction: EvictionState, { address: { subject } }: Entry): void {
  const { sessions, bytes } = shareExcessOf(eviction, subject)
  if (sessions > 0 || bytes > 0) eviction.supervisor?.send({ type: 'share.exceed', subject })
}

/** Evicts idle actors, least recently used first, down to the cap. Busy ones stay: at most as many as there are operations in flight. */
export function trim(eviction: EvictionState): void {
  let excess = excessOf(eviction)
  eviction.isTrimWaiting = false
  for (const entry of butTheLast(eviction.registry.entries())) {
    if (excess <= 0) break
    if (entry.work > 0) eviction.isTrimWaiting = true
    if (!isEvictable(entry) || isIrreplaceable(eviction, entry)) continue
    evict(eviction, entry)
    excess = excessOf(eviction)
  }
  eviction.isTrimWaiting &&= excess > 0
}

/** Evicts idle actors of one subject, least recently used first, down to its caps. */
export function trimSubject(eviction: EvictionState, subject: string): void {
  const { registry, subjectsWaiting } = eviction
  let { sessions, bytes } = shareExcessOf(eviction, subject)
  let isBusy = false
  for (const entry of butTheLast(registry.openOf(subject).values())) {
    if (sessions <= 0 && bytes <= 0) break
    if (entry.work > 0) isBusy = true
    const freed = totalOf(entry.weight)
    if (!isEvictable(entry) || isIrreplaceable(eviction, entry)) continue
    evict(eviction, entry)
    sessions -= 1
    bytes -= freed
  }
  if (isBusy && (sessions > 0 || bytes > 0)) subjectsWaiting.add(subject)
  else subjectsWaiting.delete(subject)
}

/** Called when a command was answered: drops an entry that is empty, and resumes a trim that waited for idle actors. */
export function noteAnswered(eviction: EvictionState, entry: Entry): void {
  tidy(eviction, entry)
  if (entry.work > 0) return
  if (eviction.isTrimWaiting) tellCap(eviction)
  if (eviction.subjectsWaiting.has(entry.address.subject)) tellSubjectCap(eviction, entry)
}

/**
 * Notes what remains of an ended actor: nothing, except where a failed actor's record is still in a storage that is in memory. Such a
 * dormant record keeps the weight of the actor.
 */
export function leaveRecord(eviction: EvictionState, entry: Entry, { hasFailed }: { readonly hasFailed: boolean }): void {
  const { storage, budget } = eviction.options
  const isDormant = hasFailed && !storage.isDurable
  setDormant(eviction, entry, isDormant)
  if (!isDormant) budget.set(entry, WEIGHTLESS)
}

export function setDormant(eviction: EvictionState, entry: Entry, isDormant: boolean): void {
  if (entry.isDormant === isDormant) return
  entry.isDormant = isDormant
  eviction.dormantCount += isDormant ? 1 : -1
}

/** Removes an entry without commands, actor or dormant record. */
export function tidy({ registry }: EvictionState, entry: Entry): void {
  if (entry.work === 0 && entry.activation === null && !entry.isDormant) registry.remove(entry)
}

/** Yields all entries but the last: the most recently used actor stays, even where all others are busy. */
function* butTheLast(entries: Iterable<Entry>): Generator<Entry> {
  let last: Entry | undefined
  for (const entry of entries) {
    if (last !== undefined) yield last
    last = entry
  }
}

function excessOf({ registry, dormantCount, options }: EvictionState): number {
  return registry.activeCount + dormantCount - options.activeMax
}

/** Returns by how much a subject exceeds its caps: negative where there is room, 0 where there is no cap. */
function shareExcessOf({ registry, options }: EvictionState, subject: string): { readonly sessions: number; readonly bytes: number } {
  const { subjectActiveMax = 0, subjectBytesMax = 0, budget } = options
  return {
    sessions: subjectActiveMax === 0 ? 0 : registry.openOf(subject).size - subjectActiveMax,
    bytes: subjectBytesMax === 0 ? 0 : budget.heldBy(subject) - subjectBytesMax
  }
}
