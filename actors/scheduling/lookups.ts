/**
 * Who looks at many records (a listing, a vote, an erasure) asks storage for each of them, thousands in a row. Storage answers in the order
 * in which it is asked: so these take turns by subject, a few at a time, and whatever else storage is asked for finds it free.
 */
import type { ActorStorage } from '../../src/ports.js'
import { type ProcessorClock, processorOf } from './processor.js'
import { acquirePermit, createSemaphore } from './semaphore.js'

/** Looks at the same time: four times what a pool of connections does at once, so that none of them rests. */
const LOOKS_MAX = 16

/** Those of one subject: another one that looks at as much finds a place. */
const SUBJECT_LOOKS_MAX = 8

/** Milliseconds that a look waits for its turn: as long as its request does. */
const WAIT_MS_MAX = 30_000

/** What those who look at many records need of storage. */
export type Lookups = Pick<ActorStorage, 'isDurable' | 'list' | 'heads' | 'purge'>

/** The looks of all that get this object take turns. Throws what `storage` throws, or `deadline_passed`. */
export function createLookups(storage: Lookups, clock: ProcessorClock): Lookups {
  // Each is part of a command that has its place, and looks at 16 records at once: so many wait, and none is refused.
  const places = createSemaphore({ clock, permitsMax: LOOKS_MAX, subjectMax: SUBJECT_LOOKS_MAX, full: null })
  const processor = processorOf(clock)
  async function inTurn<Found>(subject: string, look: () => Promise<Found>): Promise<Found> {
    const leave = await acquirePermit(places, { subject, deadlineMs: WAIT_MS_MAX })
    // What answers from memory answers before anything else is done: thousands in a row would keep the event loop.
    return processor.take(subject, look).finally(leave)
  }
  return {
    isDurable: storage.isDurable,
    purge: () => storage.purge(),
    list: (query) => inTurn(query.subject, () => storage.list(query)),
    heads: (query) => inTurn(query.subject, () => storage.heads(query))
  }
}
