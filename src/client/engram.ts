/**
 * The client of the service: every call of its interface, typed by what the service says of itself. It needs `fetch` and nothing of
 * Node.js, so it runs there, in browsers, and in runtimes at the edge.
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
 * A client. Calls reject with an EngramError, or with a TypeError for what cannot be sent. A call whose answer is lost is tried again where
 * that is safe, later each time and within its deadline: what reads, what says what is to be (PUT, DELETE, a batch of memories), and runs
 * and stores, which have a key. Throws a TypeError for options that cannot be used.
 */
export function createEngram(options: EngramOptions) {
  const requests = createRequests(options, SYSTEM_TIMERS)
  return {
    ...createTurns(requests),
    /** One session, which need not be there yet. Asks nothing by itself. */
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
