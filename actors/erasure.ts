/** Erases a data subject from everything that a licence subject owns, whether it is in memory or only stored. */
import type { ActorKind, Address } from '../src/domain/address.js'
import type { Erased } from '../src/domain/erasure.js'
import { DomainError, isDomainError, type ErrorCode } from '../src/domain/errors.js'
import type { ActorStorage, Clock } from '../src/ports.js'
import type { Ask } from './ask.js'
import { fanOut } from './fan-out.js'
import { createSharedWork } from './shared-work.js'
import { withTimeLimit } from './time-limit.js'

/** Kinds of actors that may hold something of a data subject; each takes `user.erase`. */
const KINDS: readonly ActorKind[] = ['session', 'cluster', 'region']

/** Milliseconds for the whole: under the 120 s after which a silent connection is closed. Some 100,000 stored sessions at 1 ms each. */
const ERASURE_MS_MAX = 100_000

/** Milliseconds for one actor to answer: it may have to be read whole first. */
const ASK_MS_MAX = 30_000

/** Milliseconds before an actor that was busy is asked again: a full mailbox empties within it. */
const RETRY_MS = 250

const PAGE_RECORDS = 200

/**
 * Times that everything is asked at most. What is not asked yet may hand a vector on to what was: a second look finds it, and one
 * that finds nothing proves that nothing is left. Beyond, somebody writes under that name while it is erased.
 */
const PASSES_MAX = 3

/** The actor is fine, and could not take it now. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['busy', 'fenced', 'deadline_passed'])

/** What ended meanwhile holds nothing any more. */
const ENDED: ReadonlySet<ErrorCode> = new Set(['session_missing', 'cluster_missing', 'region_missing', 'observer_missing'])

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
  readonly caches: readonly { forget(): void }[]
}

/**
 * Repeatable, and to be repeated after a failure: throws `erasure_incomplete` when an actor or the files of the storage could not be
 * reached in time; whatever could be erased is erased then. What is written under the name meanwhile may stay.
 */
export type EraseUserEverywhere = (subject: string, userId: string, options: { readonly requestId: string }) => Promise<Erasure>

/** One for a node: purges of the storage are shared between erasures that wait for one. */
export function createErasure(options: ErasureOptions): EraseUserEverywhere {
  const { storage, clock, caches } = options
  const purge = createSharedWork(() => storage.purge())
  return async (subject, userId, { requestId }) => {
    const endsAtMs = clock.monotonicMs() + ERASURE_MS_MAX
    const affected = new Set<string>()
    let erasedMemories = 0
    try {
      for (let pass = 1; pass <= PASSES_MAX; pass++) {
        // Each pass is a request of its own, or an actor that remembers requests would answer it without looking.
        const found = await erasePass(options, { subject, userId, requestId: `${requestId}/${String(pass)}`, endsAtMs })
        erasedMemories += found.erasedMemories
        for (const id of found.sessionIds) affected.add(id)
        if (!found.isAffected) break
      }
    } finally {
      for (const cache of caches) cache.forget()
    }
    await purgeUntil(purge, clock, endsAtMs)
    return { erasedMemories, sessionsAffected: affected.size }
  }
}

interface PassQuery {
  readonly subject: string
  readonly userId: string
  readonly requestId: string
  /** Monotonic milliseconds. */
  readonly endsAtMs: number
}

interface PassResult {
  erasedMemories: number
  isAffected: boolean
  readonly sessionIds: string[]
}

/** Asks everything once. One that cannot answer does not keep the others from being erased. */
async function erasePass(options: ErasureOptions, query: PassQuery): Promise<PassResult> {
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
    let ids: string[] = []
    do {
      const last = ids.at(-1)
      ids = await storage.list({ kind, subject, limit: PAGE_RECORDS, ...(last !== undefined && { after: last }) })
      yield ids.map((id) => ({ kind, subject, id }))
    } while (ids.length === PAGE_RECORDS)
  }
}

/** Null when the actor could not be reached in time. */
async function eraseFrom({ ask, clock }: ErasureOptions, query: PassQuery, address: Address): Promise<Erased | null> {
  for (;;) {
    const leftMs = query.endsAtMs - clock.monotonicMs()
    if (leftMs <= 0) return null
    try {
      const options = { deadlineMs: Math.min(ASK_MS_MAX, leftMs), requestId: query.requestId }
      return await ask(address, { type: 'user.erase', userId: query.userId }, options)
    } catch (error) {
      if (!isDomainError(error)) throw error
      if (ENDED.has(error.code)) return { erasedMemories: 0, isAffected: false }
      if (HOPELESS.has(error.code)) throw error
      if (!PASSING.has(error.code)) return null
      await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve))
    }
  }
}

async function purgeUntil(purge: () => Promise<void>, clock: Clock, endsAtMs: number): Promise<void> {
  const late = (cause?: unknown) => incomplete('what was erased has not left the files of the storage yet', cause)
  const limitMs = Math.max(1, endsAtMs - clock.monotonicMs())
  await withTimeLimit(purge(), { clock, limitMs, late }).catch((error: unknown) => {
    throw isDomainError(error) && error.code === 'erasure_incomplete' ? error : late(error)
  })
}

function incomplete(reason: string, cause?: unknown): DomainError {
  return new DomainError('erasure_incomplete', `The erasure is incomplete: ${reason}. Repeat the request.`, { cause })
}
