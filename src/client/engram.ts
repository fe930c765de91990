/**
 * Typed client of the service, with one method per call of its HTTP interface. The types are generated from the service's own schema. It
 * needs only `fetch` and no Node.js API, so it runs in Node.js, in browsers and in edge runtimes.
 */
import { createChat } from './chat.js'
import { createDebug } from './debug.js'
import { createClusters, createObserver, createRegions } from './groups.js'
import { createCompliance, createNetwork } from './network.js'
import { createOperations } from './operations.js'
import { createRequests, type EngramOptions } from './requests.js'
import { createSession, createSessions, createTurns } from './sessions.js'
import { SYSTEM_TIMERS } from './timers.js'

/**
 * Creates a client. Throws a TypeError for options that cannot be used.
 *
 * A failed call rejects with an EngramError, or with a TypeError for arguments that cannot be sent. A call whose answer is lost or reports
 * a transient failure is retried when that is safe, with a growing back-off and within its deadline. Safe are calls that read, idempotent
 * ones (PUT, DELETE, a batch of memories), and runs and stores, which carry an idempotency key.
 */
export function createEngram(options: EngramOptions) {
  const requests = createRequests(options, SYSTEM_TIMERS)
  return {
    ...createTurns(requests),
    /** Returns a handle on one session and sends nothing. The session need not exist yet. */
    session: (id: string) => createSession(requests, id),
    sessions: createSessions(requests),
    clusters: createClusters(requests),
    regions: createRegions(requests),
    observer: createObserver(requests),
    network: createNetwork(requests),
    compliance: createCompliance(requests),
    chat: createChat(requests),
    debug: createDebug(requests),
    ...createOperations(requests)
  }
}

export type Engram = ReturnType<typeof createEngram>
export type EngramSession = ReturnType<Engram['session']>
