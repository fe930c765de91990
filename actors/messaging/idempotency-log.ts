/**
 * Gives a behaviour a log of the requests that changed it, in the very commit of their steps. So a request that is repeated because
 * its answer was lost is not run again, whichever node it comes to: it gets the answer that the first one got.
 */
import type { Address } from '../../src/domain/address.js'
import { isRead } from '../../src/domain/commands/commands.js'
import { DomainError } from '../../src/domain/errors.js'
import { inOneGo, type Pieces } from '../../src/domain/pieces.js'
import { WEIGHTLESS } from '../../src/domain/weight.js'
import type { RecordChanges } from '../../src/ports.js'
import type { Behaviour, RequestMeta, StepMeta, StepResult } from '../behaviour/behaviour.js'
import type { ActorCommand } from '../behaviour/delivery.js'
import { chartWithin } from '../behaviour/state-chart.js'
import { stepOf } from '../behaviour/stepping.js'
import {
  buriedRows,
  findRequest,
  forgetReplies,
  hasRoomForRetried,
  type IdempotencyRing,
  inheritRing,
  isOrigin,
  mayHaveLeft,
  noteRequest,
  REQUEST,
  restoreRing,
  ringRows
} from './idempotency-ring.js'

export interface RequestLogOptions {
  /** False: nothing is added, as on a single node, where no answer is lost. What is there from before still counts, and is still erased. */
  readonly isLogging: boolean
}

interface Answering<State> {
  readonly inner: State
  readonly ring: IdempotencyRing
  /** As of the last commit: what one without changes of the behaviour's own writes again. */
  head: unknown
}

/** Null for a request that was answered already. */
type Ready<Prepared> = { readonly inner: Prepared } | null

/**
 * The behaviour, with each request that changes something run at most once. Refusals and reads are not logged: they have changed
 * nothing, and run again; nor is a first try that found nothing to change, for no copy of it was sent before. The log of a removed record stays in its tombstone, and the next one to make it inherits it. A repeated request whose
 * reply is not kept any more is refused with `outcome_unknown`, and so is one that says how long it has been tried and may have left the log,
 * which holds 64. One that is run although it was tried before is remembered until no copy of it can arrive any more.
 */
export function withIdempotencyLog<State, Command extends ActorCommand, Prepared, Reply>(
  behaviour: Behaviour<State, Command, Prepared, Reply>,
  { isLogging }: RequestLogOptions
): Behaviour<Answering<State>, Command, Ready<Prepared>, Reply> {
  type Whole = Behaviour<Answering<State>, Command, Ready<Prepared>, Reply>
  return {
    ...decorated(behaviour),
    *restore(address, record) {
      const rows = record.rows.filter(({ collection }) => collection !== REQUEST)
      const ring = restoreRing(record.rows.filter(({ collection }) => collection === REQUEST))
      return { inner: yield* behaviour.restore(address, { ...record, rows }), ring, head: record.head }
    },
    async initiate(address, command, meta, left = []) {
      const ring = inheritRing(left, isLogging ? { requestId: meta.requestId, type: command.type } : null)
      const first = await behaviour.initiate(address, command, meta)
      // Where nothing is logged, nobody knows whether it was done before what it was done to was lost.
      if (first === null && meta.triedS !== undefined && !isLogging) throw outcomeUnknown()
      if (first === null) return null
      const { state: inner, changes } = first
      return { state: { inner, ring, head: changes.head }, changes: { ...changes, put: [...changes.put, ...ringRows(ring)] } }
    },
    recall: (command, request, left) => answerOf(restoreRing(left), command, request) as { reply: Reply } | null,
    async prepare({ inner, ring }, command, signal, request, room) {
      const isKnown = () => findRequest(ring, { requestId: request.requestId, type: command.type }) !== undefined
      if (isKnown()) return null
      refuseUndecided(ring, request)
      try {
        return { inner: await behaviour.prepare(inner, command, signal, request, room) }
      } catch (error) {
        // The first try came through meanwhile: what it did may be why this one cannot be prepared.
        if (isKnown()) return null
        throw error
      }
    },
    settle: ({ inner }, next) =>
      behaviour.settle?.(inner, next?.prepared ? { command: next.command, prepared: next.prepared.inner } : null) ?? null,
    step: (...step) => inOneGo(stepInPieces(...step)),
    stepInPieces
  }

  function* stepInPieces(...[answering, command, prepared, meta]: Parameters<Whole['step']>): Pieces<StepResult<Reply>> {
    const { inner, ring } = answering
    const known = answerOf(ring, command, meta)
    if (known !== null) return { reply: known.reply as Reply, changes: null }
    if (prepared === null) throw outcomeUnknown()
    const isFresh = meta.isFresh || isOrigin(ring, { requestId: meta.requestId, type: command.type })
    return logged(answering, yield* stepOf(behaviour, [inner, command, prepared.inner, { ...meta, isFresh }]), command, meta)
  }

  function logged(answering: Answering<State>, result: StepResult<Reply>, { type }: Command, meta: StepMeta): StepResult<Reply> {
    const { ring } = answering
    const { requestId, now } = meta
    const { reply, changes } = result
    const note = () => noteRequest(ring, { requestId, type, at: now, reply, isRetried: isRetried(meta) })
    if (result.isRemoval === true) {
      if (!isLogging) return result
      note()
      return { ...result, left: buriedRows(ring, now) }
    }
    const put = isErasing(result) ? forgetReplies(ring) : []
    // What a retry finds nothing to do in is noted, too: its first try may come when there is something.
    if (isLogging && (changes !== null || (isRetried(meta) && !isRead({ type })))) put.push(...note())
    if (changes === null) return put.length === 0 ? result : { ...result, changes: { head: answering.head, put, remove: [] } }
    answering.head = changes.head
    const rows = changes.clear === true ? ringRows(ring) : put
    return rows.length === 0 ? result : { ...result, changes: withRows(changes, rows) }
  }
}

/** What the request was answered when it ran; null when it did not. Throws `outcome_unknown` when that cannot be told. */
function answerOf(ring: IdempotencyRing, { type }: ActorCommand, request: RequestMeta): { readonly reply: unknown } | null {
  const known = findRequest(ring, { requestId: request.requestId, type })
  if (known === undefined) {
    refuseUndecided(ring, request)
    return null
  }
  if (known.answer === null) throw outcomeUnknown()
  return { reply: known.answer.reply }
}

/** Refuses a request that may have run and left the log, or that could not be remembered until its copies are gone. */
function refuseUndecided(ring: IdempotencyRing, { now, triedS }: RequestMeta): void {
  if (triedS !== undefined && (mayHaveLeft(ring, { now, triedS }) || !hasRoomForRetried(ring, now))) throw outcomeUnknown()
}

function isRetried({ triedS, isRepeated }: RequestMeta): boolean {
  return triedS !== undefined || isRepeated === true
}

/** What is the same with a log. */
function decorated<State, Command extends ActorCommand, Prepared, Reply>(behaviour: Behaviour<State, Command, Prepared, Reply>) {
  return {
    kind: behaviour.kind,
    missing: behaviour.missing,
    activated: (address: Address, { inner }: Answering<State>) => behaviour.activated?.(address, inner),
    ...(behaviour.weighRow !== undefined && { weighRow: behaviour.weighRow }),
    weigh: ({ inner }: Answering<State>) => behaviour.weigh?.(inner) ?? WEIGHTLESS,
    storedWeight: (head: unknown) => behaviour.storedWeight?.(head) ?? WEIGHTLESS,
    dispose: ({ inner }: Answering<State>) => behaviour.dispose?.(inner),
    wakes: ({ inner }: Answering<State>) => behaviour.wakes?.(inner) === true,
    sizeOf: ({ inner }: Answering<State>) => behaviour.sizeOf?.(inner) ?? null,
    ...chartWithin(behaviour.chart),
    describe: ({ inner }: Answering<State>) => behaviour.describe?.(inner) ?? {},
    isPinned: (answering: Answering<State> | null) => behaviour.isPinned?.(answering?.inner ?? null) === true,
    reminders: (now: number) => behaviour.reminders?.(now) ?? []
  }
}

/** Whatever goes from the record may stand in an earlier reply. */
function isErasing({ changes, isErasure }: StepResult<unknown>): boolean {
  return isErasure === true || (changes !== null && (changes.clear === true || changes.remove.length > 0))
}

function withRows(changes: RecordChanges, rows: RecordChanges['put']): RecordChanges {
  return { ...changes, put: [...changes.put, ...rows] }
}

function outcomeUnknown(): DomainError {
  return new DomainError('outcome_unknown', 'The request was handled before, and its outcome is not known any more')
}
