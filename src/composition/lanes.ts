/** Concurrency limits of the HTTP interface, one semaphore per kind of request. */
import { createSemaphore } from '../../actors/scheduling/semaphore.js'
import { OPERATIONS_IN_FLIGHT_MAX, SUBJECT_OPERATIONS_MAX, UPSTREAM_CALLS_MAX } from '../domain/limits.js'
import type { Lanes } from '../http/contract/contracts.js'
import type { Clock } from '../ports.js'

/** Maximum share of the calls to the model service for one subject, whatever is configured. */
const SUBJECT_CALLS_SHARE = 3 / 4

/**
 * `subjectConcurrency` limits how many commands of one subject are in progress at once, and also its streams and its tool calls. Checks get
 * half as many.
 */
export function createLanes({ clock, subjectConcurrency }: { readonly clock: Clock; readonly subjectConcurrency: number }): Lanes {
  const operationsMax = Math.min(subjectConcurrency, SUBJECT_OPERATIONS_MAX)
  const full = 'Too many requests of this licence wait to be answered'
  return {
    commands: createSemaphore({ clock, permitsMax: OPERATIONS_IN_FLIGHT_MAX, subjectMax: operationsMax, full }),
    checks: createSemaphore({ clock, permitsMax: OPERATIONS_IN_FLIGHT_MAX, subjectMax: Math.ceil(operationsMax / 2), full }),
    streams: createSemaphore({
      clock,
      permitsMax: UPSTREAM_CALLS_MAX,
      subjectMax: Math.min(subjectConcurrency, UPSTREAM_CALLS_MAX * SUBJECT_CALLS_SHARE),
      full
    }),
    tools: createSemaphore({ clock, permitsMax: OPERATIONS_IN_FLIGHT_MAX, subjectMax: operationsMax, full })
  }
}
