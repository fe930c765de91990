/**
 * Fair scheduling of bulk lookups. A listing, a vote or an erasure reads thousands of records in a row, and storage answers calls in the
 * order in which they arrive. These lookups therefore take turns by subject, a few at a time, so that other calls find storage free.
 */
import type { ActorStorage } from '../../src/ports.js'
import { type ProcessorClock, processorOf } from './processor.js'
import { acquirePermit, createSemaphore } from './semaphore.js'

/** Upper bound on concurrent lookups: four times the size of a connection pool, so that no connection idles. */
const LOOKS_MAX = 16

/** Upper bound on one subject's concurrent lookups: a second subject with as many finds room. */
const SUBJECT_LOOKS_MAX = 8

/** Milliseconds that a lookup waits for its turn: as long as its request does. */
const WAIT_MS_MAX = 30_000

/** Part of the storage port that bulk lookups use. */
export type Lookups = Pick<ActorStorage, 'isDurable' | 'list' | 'heads' | 'purge'>

/** Wraps `storage`: lookups of all users of the returned object take turns. Throws what `storage` throws, or `deadline_passed`. */
export function createLookups(storage: Lookups, clock: ProcessorClock): Lookups {
  // No bound on those that wait: each is part of an admitted command, which has at most 16 lookups at a time.
  const places = createSemaphore({ clock, permitsMax: LOOKS_MAX, subjectMax: SUBJECT_LOOKS_MAX, full: null })
  const processor = processorOf(clock)
  async function inTurn<Found>(subject: string, look: () => Promise<Found>): Promise<Found> {
    const leave = await acquirePermit(places, { subject, deadlineMs: WAIT_MS_MAX })
    // Storage in memory answers without an iteration of the event loop: thousands of lookups in a row would block it.
    return processor.take(subject, look).finally(leave)
  }
  return {
    isDurable: storage.isDurable,
    purge: () => storage.purge(),
    list: (query) => inTurn(query.subject, () => storage.list(query)),
    heads: (query) => inTurn(query.subject, () => storage.heads(query))
  }
}
