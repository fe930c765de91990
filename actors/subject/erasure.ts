/** Erases a data subject from everything that a licence subject owns, in memory or only stored. */
import type { Address } from '../../src/domain/address.js'
import { type Erased, ERASED_KINDS } from '../../src/domain/commands/erasure.js'
import { DomainError, type ErrorCode, isDomainError } from '../../src/domain/errors.js'
import { OPERATIONS_IN_FLIGHT_MAX } from '../../src/domain/limits.js'
import type { ActorStorage, Clock } from '../../src/ports.js'
import type { Ask } from '../asking/ask.js'
import { fanOut } from '../asking/fan-out.js'
import { createSharedWork } from '../asking/shared-work.js'
import { pause, withTimeLimit } from '../../src/time-limit.js'
import type { Peers } from '../placement/peers.js'
import { acquirePermit, createSemaphore } from '../scheduling/semaphore.js'
import { idPages } from './record-pages.js'

/** Milliseconds that a request waits: below the 120 s after which a silent connection is closed. Enough for some 20,000 sessions twice. */
const REQUEST_MS_MAX = 100_000

/** Milliseconds for one answer of an actor, which may have to be read whole first, and for all tries of one actor. */
const ASK_MS_MAX = 30_000
const ACTOR_MS_MAX = 60_000

/** Milliseconds before a busy actor is asked again: a full mailbox empties within them. */
const RETRY_MS = 250

const PAGE_RECORDS = 200

/**
 * Upper bound on the requests of one subject that erase or wait for an erasure. An erasure goes on when its caller has gone, so the places
 * of callers do not bound them. Together they ask an actor for an eighth of what its mailbox takes.
 */
const SUBJECT_REQUESTS_MAX = 8

/** Milliseconds that a further request waits: with the time of its own it stays below those 120 s. */
const WAIT_MS_MAX = 10_000

/**
 * Upper bound on the passes over all actors. An actor that is not erased yet may hand a vector to one that was: a second pass finds it, and
 * a pass that finds nothing shows that nothing is left. Two are usual. More are needed while clusters spread feedback, or while somebody
 * writes under the name, which may go on for any time.
 */
const PASSES_MAX = 5

/** Transient refusals: the actor is fine and could not take the command now. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['busy', 'fenced', 'deadline_passed', 'outcome_unknown'])

/** Refusals of an actor that has ended meanwhile: it holds nothing any more. */
const ENDED: ReadonlySet<ErrorCode> = new Set(['session_missing', 'cluster_missing', 'region_missing', 'user_missing'])

/** Refusals that every other actor would answer with too. */
const HOPELESS: ReadonlySet<ErrorCode> = new Set(['storage_unavailable', 'draining'])

interface Erasure {
  readonly erasedMemories: number
  /** Number of sessions in which anything changed. */
  readonly sessionsAffected: number
}

interface ErasureOptions {
  readonly ask: Ask
  readonly storage: Pick<ActorStorage, 'list' | 'purge'>
  readonly clock: Clock
  /** Caches of texts or of their vectors, outside of the actors. */
  readonly caches: readonly { forget(subject: string): void }[]
  /** The other nodes, which have such caches too. */
  readonly peers: Pick<Peers, 'askAll'>
}

/**
 * Erases a data subject. Idempotent, and to be repeated after a failure: throws `erasure_incomplete` when an actor, a node or the files of
 * the storage could not be reached, after everything else was erased. `storage_unavailable` and `draining` end it at once, as no other
 * actor would answer either. `busy` and `deadline_passed` while others of the subject are under way: nothing was erased. An erasure that
 * takes longer than a request waits goes on, and the next request waits for the same one. What is written under the name meanwhile may
 * stay.
 */
export type EraseUserEverywhere = (subject: string, userId: string, options: { readonly requestId: string }) => Promise<Erasure>

interface Running {
  /** Number of the last request at its start. */
  readonly begunAt: number
  readonly startedAtMs: number
  readonly result: Promise<Erasure>
}

/** Creates the erasure of a node: one per node, so that requests share it. */
export function createErasure(options: ErasureOptions): EraseUserEverywhere {
  const { clock } = options
  const full = 'Too many erasures of this licence are under way'
  const places = createSemaphore({ clock, permitsMax: OPERATIONS_IN_FLIGHT_MAX, subjectMax: SUBJECT_REQUESTS_MAX, full })
  const erase = createEraseAll(options)
  const running = new Map<string, Running>()
  let requests = 0

  async function share(key: string, work: () => Promise<Erasure>): Promise<Erasure> {
    const request = ++requests
    for (let known = running.get(key); known !== undefined; known = running.get(key)) {
      const hasOutlasted = clock.monotonicMs() - known.startedAtMs >= REQUEST_MS_MAX
      // An erasure that began before this request may have missed what was written in between.
      if (known.begunAt >= request || hasOutlasted) return known.result
      await known.result.catch(() => undefined)
    }
    const result = work().finally(() => running.delete(key))
    running.set(key, { begunAt: requests, startedAtMs: clock.monotonicMs(), result })
    return result
  }

  return async (subject, userId, { requestId }) => {
    const leave = await acquirePermit(places, { subject, deadlineMs: WAIT_MS_MAX })
    const shared = share(JSON.stringify([subject, userId]), () => erase({ subject, userId, requestId })).finally(leave)
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
      for (let pass = 1, isLeft = true; isLeft; pass++) {
        if (pass > PASSES_MAX) throw incomplete('something is still written under the name, or passed on between sessions')
        // Each pass has a request id of its own: otherwise an actor would answer it from its idempotency log.
        const found = await erasePass(options, { ...query, requestId: `${query.requestId}/${String(pass)}` })
        erasedMemories += found.erasedMemories
        for (const id of found.sessionIds) affected.add(id)
        isLeft = found.isAffected
      }
    } finally {
      for (const cache of options.caches) cache.forget(query.subject)
    }
    // A node that is cut off clears its caches by itself before it rejoins.
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

/** Asks every actor once. An actor that cannot answer does not keep the others from being erased. */
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
  for (const kind of ERASED_KINDS) {
    for await (const ids of idPages(storage, { kind, subject, limit: PAGE_RECORDS })) yield ids.map((id) => ({ kind, subject, id }))
  }
}

/** Erases from one actor, with retries. Returns null if it could not be reached in time. */
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
