/** Eviction of a catalog's actors: which may be evicted, and how. The supervisor decides when. */
import { totalOf, type Weight, WEIGHTLESS } from '../../src/domain/fairness/weight.js'
import { traceActor } from '../behaviour/trace.js'
import type { Actors } from './actors.js'
import { type Activation, type Entry, isOpen } from './entry.js'

/** Whether the entry can be evicted: no command is under way, and there is an open actor or a dormant record. */
export function isEvictable(entry: Entry): boolean {
  return entry.work === 0 && (entry.isDormant || isOpen(entry))
}

/** Whether an eviction would lose state that cannot be restored and ought to be kept. */
export function isIrreplaceable({ options: { storage, behaviour } }: Actors, entry: Entry): boolean {
  return !storage.isDurable && behaviour.isIrreplaceable?.(entry.activation?.life?.state ?? null) === true
}

/** Passivates the entry's actor once its commit under way is durable, or drops a dormant record. */
export function evict(actors: Actors, entry: Entry): void {
  if (entry.activation !== null) traceActor(actors.options.tracer, 'actor.passivating', entry.address)
  entry.activation?.ref?.send({ type: 'actor.passivate' })
  if (!entry.isDormant) return
  leaveRecord(actors, entry, { hasFailed: false })
  tidy(actors, entry)
  const { storage, logger } = actors.options
  storage
    .activate(entry.address)
    .then((record) => record && storage.release(entry.address, record.token))
    .catch((error: unknown) => logger.warn({ err: error }, 'A dormant record could not be released'))
}

/** Tells the supervisor when the cap on actors is exceeded, and when it no longer is. */
export function tellCap(actors: Actors): void {
  const excess = excessOf(actors)
  if (excess > 0) {
    actors.isOverCap = true
    actors.supervisor?.send({ type: 'cap.exceed' })
  } else if (actors.isOverCap) {
    actors.isOverCap = false
    actors.supervisor?.send({ type: 'cap.keep' })
  }
}

/** Tells the supervisor when the entry's subject exceeds one of its caps, on actors or on bytes. */
export function tellSubjectCap(actors: Actors, { address: { subject } }: Entry): void {
  const { sessions, bytes } = shareExcessOf(actors, subject)
  if (sessions > 0 || bytes > 0) actors.supervisor?.send({ type: 'share.exceed', subject })
}

/** Evicts idle actors, least recently used first, down to the cap. Busy ones stay: at most as many as there are operations in flight. */
export function trim(actors: Actors): void {
  let excess = excessOf(actors)
  actors.isTrimWaiting = false
  for (const entry of butTheLast(actors.registry.entries())) {
    if (excess <= 0) break
    if (entry.work > 0) actors.isTrimWaiting = true
    if (!isEvictable(entry) || isIrreplaceable(actors, entry)) continue
    evict(actors, entry)
    excess = excessOf(actors)
  }
  actors.isTrimWaiting &&= excess > 0
}

/** Evicts idle actors of one subject, least recently used first, down to its caps. */
export function trimSubject(actors: Actors, subject: string): void {
  const { registry, subjectsWaiting } = actors
  let { sessions, bytes } = shareExcessOf(actors, subject)
  let isBusy = false
  for (const entry of butTheLast(registry.openOf(subject).values())) {
    if (sessions <= 0 && bytes <= 0) break
    if (entry.work > 0) isBusy = true
    const freed = totalOf(entry.weight)
    if (!isEvictable(entry) || isIrreplaceable(actors, entry)) continue
    evict(actors, entry)
    sessions -= 1
    bytes -= freed
  }
  if (isBusy && (sessions > 0 || bytes > 0)) subjectsWaiting.add(subject)
  else subjectsWaiting.delete(subject)
}

/** Called when a command was answered: drops an entry that is empty, and resumes a trim that waited for idle actors. */
export function noteAnswered(actors: Actors, entry: Entry): void {
  tidy(actors, entry)
  if (entry.work > 0) return
  if (actors.isTrimWaiting) tellCap(actors)
  if (actors.subjectsWaiting.has(entry.address.subject)) tellSubjectCap(actors, entry)
}

/**
 * Notes what remains of an ended actor: nothing, except where a failed actor's record is still in a storage that is in memory. Such a
 * dormant record keeps the weight of the actor.
 */
export function leaveRecord(actors: Actors, entry: Entry, { hasFailed }: { readonly hasFailed: boolean }): void {
  const { storage, budget } = actors.options
  const isDormant = hasFailed && !storage.isDurable
  setDormant(actors, entry, isDormant)
  if (!isDormant) budget.set(entry, WEIGHTLESS)
}

/** Notes the present weight of an actor. */
export function noteWeight(actors: Actors, entry: Entry, weight: Weight): void {
  actors.options.budget.set(entry, weight)
  tellSubjectCap(actors, entry)
}

/** Lets no further step run. No-op if none may run. */
export function close(actors: Actors, activation: Activation): void {
  if (!activation.isOpen) return
  activation.isOpen = false
  actors.registry.noteClosed(activation.entry)
  tellCap(actors)
}

export function setDormant(actors: Actors, entry: Entry, isDormant: boolean): void {
  if (entry.isDormant === isDormant) return
  entry.isDormant = isDormant
  actors.dormantCount += isDormant ? 1 : -1
}

/** Removes an entry without commands, actor or dormant record. */
export function tidy({ registry }: Actors, entry: Entry): void {
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

function excessOf({ registry, dormantCount, options }: Actors): number {
  return registry.activeCount + dormantCount - options.activeMax
}

/** Returns by how much a subject exceeds its caps: negative where there is room, 0 where there is no cap. */
function shareExcessOf({ registry, options }: Actors, subject: string): { readonly sessions: number; readonly bytes: number } {
  const { subjectActiveMax = 0, subjectBytesMax = 0, budget } = options
  return {
    sessions: subjectActiveMax === 0 ? 0 : registry.openOf(subject).size - subjectActiveMax,
    bytes: subjectBytesMax === 0 ? 0 : budget.heldBy(subject) - subjectBytesMax
  }
}
