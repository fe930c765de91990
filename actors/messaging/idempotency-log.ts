/**
 * Log of the requests that changed an actor, written in the same commit as their steps. A request that is repeated because its answer was
 * lost does not run again, on whichever node it arrives: it gets the answer of its first run.
 *
 * Refusals and reads are not logged: they have changed nothing, and run again. A first try that found nothing to change is not logged
 * either, as no copy of it was sent before. The log of a removed record stays in its tombstone, and the record that is created next
 * inherits it. A repeated request is refused with `outcome_unknown` if its reply is no longer kept, or if it says since when it has been
 * tried and may have left the log, which holds 64 requests. A retried request that runs is remembered until no copy of it can arrive.
 *
 * A request with a client's key may be sent again without a mark that it is repeated. It is logged on every node, is remembered far longer,
 * and is also noted when it found nothing to change. A different request with the same key is refused.
 */
import { isRead } from '../../src/domain/commands/commands.js'
import { DomainError } from '../../src/domain/errors.js'
import { isKeyed } from '../../src/domain/request-keys.js'
import type { RequestMeta, StepResult } from '../behaviour/behaviour.js'
import type { ActorCommand } from '../behaviour/delivery.js'
import {
  buriedRows,
  findRequest,
  forgetReplies,
  hasRoomForRetried,
  type IdempotencyRing,
  mayHaveLeft,
  noteRequest,
  ringRows
} from './idempotency-ring.js'

/** Whether the request ran before. */
export function isLogged(ring: IdempotencyRing, { type }: ActorCommand, { requestId }: RequestMeta): boolean {
  return findRequest(ring, { requestId, type }) !== undefined
}

/**
 * Returns the answer that the request got when it ran, or null if it did not run. Throws `outcome_unknown` when that cannot be told (with a
 * key, `answer_gone` when its answer is no longer kept), and `invalid_input` when another request came with its key. Where the request may
 * have been asked before (`isRepeated`), an answer that is no longer kept is null.
 */
export function loggedAnswer(ring: IdempotencyRing, { type }: ActorCommand, request: RequestMeta): { readonly reply: unknown } | null {
  const known = findRequest(ring, { requestId: request.requestId, type })
  if (known === undefined) {
    refuseUndecided(ring, request)
    return null
  }
  if (known.requestId !== request.requestId) throw keyTaken()
  if (known.answer !== null) return { reply: known.answer.reply }
  if (isKeyed(request.requestId)) throw answerGone()
  // Of an outbox message all that matters is that it was done: its sender would tell it again and again.
  if (request.isRepeated === true) return { reply: null }
  throw outcomeUnknown()
}

/** Throws `outcome_unknown` for a retried request that may have left the log, or for which there is no room among the retried ones. */
export function refuseUndecided(ring: IdempotencyRing, { now, triedMs }: RequestMeta): void {
  if (triedMs !== undefined && (mayHaveLeft(ring, { now, triedMs }) || !hasRoomForRetried(ring, now))) throw outcomeUnknown()
}

interface LoggedStep {
  readonly command: ActorCommand
  readonly request: RequestMeta
  /** Head as of the last commit. A commit without changes of the behaviour writes it again. */
  readonly head: unknown
  /** See `Host`. A request with a key is noted in either case. */
  readonly isLogging: boolean
}

/** Adds the log's rows to the result of a step: notes the request, and drops logged replies that may hold what was erased. */
export function logStep<Reply>(
  ring: IdempotencyRing,
  { command: { type }, request, head, isLogging }: LoggedStep,
  result: StepResult<Reply>
): StepResult<Reply> {
  const { requestId, now } = request
  const { reply, changes, isOwn = false } = result
  const note = () => noteRequest(ring, { requestId, type, at: now, reply, isOwn, isRetried: isRetried(request) })
  const isNoted = isLogging || isKeyed(requestId)
  if (result.isRemoval === true) {
    if (!isNoted && ring.keyed.requests.size === 0) return result
    if (isNoted) note()
    return { ...result, left: buriedRows(ring) }
  }
  const erases = changes?.clear === true ? 'replies' : result.erases
  const put = erases === undefined ? [] : forgetReplies(ring, erases)
  // A retry that found nothing to change is noted too: its first try may still arrive when there is something to change.
  if (isNoted && (changes !== null || (hasCopies(request) && !isRead({ type })))) put.push(...note())
  if (changes === null) return put.length === 0 ? result : { ...result, changes: { head, put, remove: [] } }
  const rows = changes.clear === true ? ringRows(ring) : put
  return rows.length === 0 ? result : { ...result, changes: { ...changes, put: [...changes.put, ...rows] } }
}

function isRetried({ triedMs, isRepeated }: RequestMeta): boolean {
  return triedMs !== undefined || isRepeated === true
}

function hasCopies(request: RequestMeta): boolean {
  return isRetried(request) || isKeyed(request.requestId)
}

function answerGone(): DomainError {
  return new DomainError('answer_gone', 'A request with this idempotency key was handled before, and its answer is no longer kept')
}

function keyTaken(): DomainError {
  const loc = ['idempotency_key']
  return new DomainError('invalid_input', 'Something else was asked with this idempotency key before', { loc })
}

export function outcomeUnknown(): DomainError {
  return new DomainError('outcome_unknown', 'The request was handled before, and its outcome is no longer known')
}
