/** Erases a data subject from everything that a licence subject owns, whether it is in memory or only stored. */
import type { ActorKind, Address } from '../../src/domain/address.js'
import type { Erased } from '../../src/domain/commands/erasure.js'
import { DomainError, type ErrorCode, isDomainError } from '../../src/domain/errors.js'
import type { ActorStorage, Clock } from '../../src/ports.js'
import type { Ask } from '../asking/ask.js'
import { fanOut } from '../asking/fan-out.js'
import { createSharedWork } from '../asking/shared-work.js'
import { pause, withTimeLimit } from '../asking/time-limit.js'
import type { Peers } from '../placement/peers.js'
import { idPages } from './record-pages.js'

/** Kinds of actors that may hold something of a data subject; each takes `user.erase`. */
const KINDS: readonly ActorKind[] = ['session', 'cluster', 'region']

/** Milliseconds that a request waits: under the 120 s after which a silent connection is closed. Twice some 20,000 stored sessions. */
const REQUEST_MS_MAX = 100_000

/** Milliseconds for one actor to answer, which may have to be read whole first; and for asking it again while it cannot. */
const ASK_MS_MAX = 30_000
const ACTOR_MS_MAX = 60_000

/** Milliseconds before an actor that was busy is asked again: a full mailbox empties within it. */
const RETRY_MS = 250

const PAGE_RECORDS = 200

/**
 * Times that everything is asked at most. What is not asked yet may hand a vector on to what was: a second look finds it, and one
 * that finds nothing proves that nothing is left. Beyond, somebody writes under that name while it is erased.
 */
const PASSES_MAX = 3

/** The actor is fine, and could not take it now. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['busy', 'fenced', 'deadline_passed', 'outcome_unknown'])

/** What ended meanwhile holds nothing any more. */
const ENDED: ReadonlySet<ErrorCode> = new Set(['session_missing', 'cluster_missing', 'region_missing'])

/** No other actor will answer either. */
const HOPELESS: ReadonlySet<ErrorCode> = new Set(['storage_unavailable', 'draining'])

export interface Erasure {
  readonly erasedMemories: number
  /** Sessions in which anything changed. */
  readonly sessionsAffected: number
}

export interface ErasureOptions {
  readonly ask: Ask
  readonly storage: Pick<ActorStorage, 'list' | 'purge'>
  readonly clock: Clock
  /** What remembers texts or their vectors beside the actors. */
  readonly caches: readonly { forget(subject: string): void }[]
  /** The other nodes have such caches too. */
  readonly peers: Pick<Peers, 'askAll'>
}

/**
 * Repeatable, and to be repeated after a failure: throws `erasure_incomplete` when an actor, a node or the files of the storage could not
 * be reached; whatever could be erased is erased then. `storage_unavailable` and `draining` end it at once: nobody else would answer
 * either. One that takes longer than a request waits goes on, and the next request for it waits for the same one. What is written under
 * the name meanwhile may stay.
 */
export type EraseUserEverywhere = (subject: string, userId: string, options: { readonly requestId: string }) => Promise<Erasure>

interface Running {
  /** Number of the last request when it began. */
  readonly begunAt: number
  readonly startedAtMs: number
  readonly result: Promise<Erasure>
}

/** One for a node. */
export function createErasure(options: ErasureOptions): EraseUserEverywhere {
  const { clock } = options
  const erase = createEraseAll(options)
  const running = new Map<string, Running>()
  let requests = 0

  async function share(key: string, work: () => Promise<Erasure>): Promise<Erasure> {
    const request = ++requests
    for (let known = running.get(key); known !== undefined; known = running.get(key)) {
      const hasOutlasted = clock.monotonicMs() - known.startedAtMs >= REQUEST_MS_MAX
      // One that had begun before this request may have passed by what was written in between.
      if (known.begunAt >= request || hasOutlasted) return known.result
      await known.result.catch(() => undefined)
    }
    const result = work().finally(() => running.delete(key))
    running.set(key, { begunAt: requests, startedAtMs: clock.monotonicMs(), result })
    return result
  }

  return (subject, userId, { requestId }) => {
    const shared = share(JSON.stringify([subject, userId]), () => erase({ subject, userId, requestId }))
    return withTimeLimit(shared, {
      clock,
      limitMs: REQUEST_MS_MAX,
      late: () => incomplete('it takes longer than a request waits, and goes on')
    })
  }
}

interface ErasureQuery {
  readonly subject: string
  readonly userId: string
  readonly requestId: string
}

function createEraseAll(options: ErasureOptions): (query: ErasureQuery) => Promise<Erasure> {
  const purge = createSharedWork(() => options.storage.purge())
  return async (query) => {
    const affected = new Set<string>()
    let erasedMemories = 0
    try {
      for (let pass = 1; pass <= PASSES_MAX; pass++) {
        // Each pass is a request of its own, or an actor that remembers requests would answer it without looking.
        const found = await erasePass(options, { ...query, requestId: `${query.requestId}/${String(pass)}` })
        erasedMemories += found.erasedMemories
        for (const id of found.sessionIds) affected.add(id)
        if (!found.isAffected) break
      }
    } finally {
      for (const cache of options.caches) cache.forget(query.subject)
    }
    // A node that is cut off forgets by itself, before it belongs to the others again.
    const { missing } = await options.peers.askAll({ type: 'texts.forget', subject: query.subject })
    if (missing > 0) throw incomplete(`${String(missing)} nodes could not be reached`)
    await purge().catch((error: unknown) => {
      throw incomplete('what was erased has not left the files of the storage yet', error)
    })
    return { erasedMemories, sessionsAffected: affected.size }
  }
}

interface PassResult {
  erasedMemories: number
  isAffected: boolean
  readonly sessionIds: string[]
}

/** Asks everything once. One that cannot answer does not keep the others from being erased. */
async function erasePass(options: ErasureOptions, query: ErasureQuery): Promise<PassResult> {
  const result: PassResult = { erasedMemories: 0, isAffected: false, sessionIds: [] }
  let asked = 0
  let failed = 0
  for await (const page of ownedPages(options.storage, query.subject)) {
    const answers = await fanOut(page, options.clock, (address) => eraseFrom(options, query, address))
    for (const [at, answer] of answers.entries()) {
      asked += 1
      if (answer === null) failed += 1
      if (!answer?.isAffected) continue
      result.isAffected = true
      result.erasedMemories += answer.erasedMemories
      if (page[at]?.kind === 'session') result.sessionIds.push(page[at].id)
    }
  }
  if (failed > 0) throw incomplete(`${String(failed)} of ${String(asked)} sessions and groups could not be reached`)
  return result
}

async function* ownedPages(storage: Pick<ActorStorage, 'list'>, subject: string): AsyncIterable<readonly Address[]> {
  for (const kind of KINDS) {
    for await (const ids of idPages(storage, { kind, subject, limit: PAGE_RECORDS })) yield ids.map((id) => ({ kind, subject, id }))
  }
}

/** Null when the actor could not be reached in time. */
async function eraseFrom({ ask, clock }: ErasureOptions, { userId, requestId }: ErasureQuery, address: Address): Promise<Erased | null> {
  const endsAtMs = clock.monotonicMs() + ACTOR_MS_MAX
  for (let isRepeated = false; clock.monotonicMs() < endsAtMs; isRepeated = true) {
    try {
      return await ask(address, { type: 'user.erase', userId }, { deadlineMs: ASK_MS_MAX, requestId, isRepeated })
    } catch (error) {
      if (!isDomainError(error)) throw error
      if (ENDED.has(error.code)) return { erasedMemories: 0, isAffected: false }
      if (HOPELESS.has(error.code)) throw error
      if (!PASSING.has(error.code)) return null
      await pause(clock, RETRY_MS)
    }
  }
  return null
}

function incomplete(reason: string, cause?: unknown): DomainError {
  return new DomainError('erasure_incomplete', `The erasure is incomplete: ${reason}. Repeat the request.`, { cause })
}
