/**
 * The log of the requests that changed an actor, written in the very commit of their steps. So a request that is repeated because its
 * answer was lost is not run again, whichever node it comes to: it gets the answer that the first one got.
 *
 * Refusals and reads are not logged: they have changed nothing, and run again; nor is a first try that found nothing to change, for no copy
 * of it was sent before. The log of a removed record stays in its tombstone, and the next one to make it inherits it. A repeated request
 * whose reply is not kept any more is refused with `outcome_unknown`, and so is one that says how long it has been tried and may have left
 * the log, which holds 64. One that is run although it was tried before is remembered until no copy of it can arrive any more.
 *
 * A request with a key of its client may be sent again by that one, who says nothing of it: it is logged on every node, is remembered far
 * longer, and is also noted when it found nothing to change. Another request with its key is refused.
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

/** Whether the request ran. */
export function isLogged(ring: IdempotencyRing, { type }: ActorCommand, { requestId }: RequestMeta): boolean {
  return findRequest(ring, { requestId, type }) !== undefined
}

/**
 * What the request was answered when it ran; null when it did not. Throws `outcome_unknown` when that cannot be told, or `answer_gone` of
 * one with a key; and `invalid_input` when something else was asked under its key.
 */
export function loggedAnswer(ring: IdempotencyRing, { type }: ActorCommand, request: RequestMeta): { readonly reply: unknown } | null {
  const known = findRequest(ring, { requestId: request.requestId, type })
  if (known === undefined) {
    refuseUndecided(ring, request)
    return null
  }
  if (known.requestId !== request.requestId) throw keyTaken()
  if (known.answer === null) throw isKeyed(request.requestId) ? answerGone() : outcomeUnknown()
  return { reply: known.answer.reply }
}

/** Refuses a request that may have run and left the log, or that could not be remembered until its copies are gone. */
export function refuseUndecided(ring: IdempotencyRing, { now, triedS }: RequestMeta): void {
  if (triedS !== undefined && (mayHaveLeft(ring, { now, triedS }) || !hasRoomForRetried(ring, now))) throw outcomeUnknown()
}

export interface LoggedStep {
  readonly command: ActorCommand
  readonly request: RequestMeta
  /** As of the last commit: what one without changes of the behaviour's own writes again. */
  readonly head: unknown
  /** See `Host`; a request with a key is noted all the same. */
  readonly isLogging: boolean
}

/** The result of a step with what the log makes of it: the request is noted, and replies that may hold what was erased are forgotten. */
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
    if (!isNoted && ring.keyed.size === 0) return result
    if (isNoted) note()
    return { ...result, left: buriedRows(ring, now) }
  }
  const erases = changes?.clear === true ? 'replies' : result.erases
  const put = erases === undefined ? [] : forgetReplies(ring, erases)
  // What a retry finds nothing to do in is noted, too: its first try may come when there is something.
  if (isNoted && (changes !== null || (hasCopies(request) && !isRead({ type })))) put.push(...note())
  if (changes === null) return put.length === 0 ? result : { ...result, changes: { head, put, remove: [] } }
  const rows = changes.clear === true ? ringRows(ring) : put
  return rows.length === 0 ? result : { ...result, changes: { ...changes, put: [...changes.put, ...rows] } }
}

function isRetried({ triedS, isRepeated }: RequestMeta): boolean {
  return triedS !== undefined || isRepeated === true
}

function hasCopies(request: RequestMeta): boolean {
  return isRetried(request) || isKeyed(request.requestId)
}

function answerGone(): DomainError {
  return new DomainError('answer_gone', 'A request with this idempotency key was handled before, and its answer is not kept any more')
}

function keyTaken(): DomainError {
  const loc = ['idempotency_key']
  return new DomainError('invalid_input', 'Something else was asked with this idempotency key before', { loc })
}

export function outcomeUnknown(): DomainError {
  return new DomainError('outcome_unknown', 'The request was handled before, and its outcome is not known any more')
}
