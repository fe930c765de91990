/**
 * Gives a behaviour a log of the requests that changed it, in the very commit of their steps. So a request that is repeated because
 * its answer was lost is not run again, whichever node it comes to: it gets the answer that the first one got.
 */
import type { Behaviour, StepMeta, StepResult } from './behaviour.js'
import type { ActorCommand } from './delivery.js'
import { createRing, findRequest, forgetReplies, isOrigin, mayHaveLeft, noteRequest, REQUEST, restoreRing, ringRows, type RequestRing } from './request-ring.js'
import { DomainError } from '../src/domain/errors.js'
import { WEIGHTLESS } from '../src/domain/weight.js'
import type { RecordChanges } from '../src/ports.js'

export interface RequestLogOptions {
  /** False: nothing is added, as on a single node, where no answer is lost. What is there from before still counts, and is still erased. */
  readonly isLogging: boolean
}

interface Answering<State> {
  readonly inner: State
  readonly ring: RequestRing
  /** As of the last commit: what one without changes of the behaviour's own writes again. */
  head: unknown
}

/** Null for a request that was answered already. */
type Ready<Prepared> = { readonly inner: Prepared } | null

/**
 * The behaviour, with each request that changes something run at most once. Refusals and reads are not logged: they have changed
 * nothing, and run again. Nor is a removal: its log goes with the record. A repeated request whose reply is not kept any more is
 * refused with `outcome_unknown`, and so is one that says how long it has been tried and may have left the log, which holds 64.
 */
export function withRequestLog<State, Command extends ActorCommand, Prepared, Reply>(
  behaviour: Behaviour<State, Command, Prepared, Reply>,
  { isLogging }: RequestLogOptions,
): Behaviour<Answering<State>, Command, Ready<Prepared>, Reply> {
  return {
    ...decorated(behaviour),
    restore(address, record) {
      const rows = record.rows.filter(({ collection }) => collection !== REQUEST)
      const ring = restoreRing(record.rows.filter(({ collection }) => collection === REQUEST))
      return { inner: behaviour.restore(address, { ...record, rows }), ring, head: record.head }
    },
    async initiate(address, command, meta) {
      const first = await behaviour.initiate(address, command, meta)
      if (first === null) return null
      const { state: inner, changes } = first
      const ring = createRing(isLogging ? { requestId: meta.requestId, type: command.type } : null)
      return { state: { inner, ring, head: changes.head }, changes: { ...changes, put: [...changes.put, ...ringRows(ring)] } }
    },
    async prepare({ inner, ring }, command, signal, requestId, room) {
      const request = { requestId, type: command.type }
      if (findRequest(ring, request) !== undefined) return null
      try {
        return { inner: await behaviour.prepare(inner, command, signal, requestId, room) }
      } catch (error) {
        // The first try came through meanwhile: what it did may be why this one cannot be prepared.
        if (findRequest(ring, request) !== undefined) return null
        throw error
      }
    },
    step(answering, command, prepared, meta): StepResult<Reply> {
      const { inner, ring } = answering
      const request = { requestId: meta.requestId, type: command.type }
      const known = findRequest(ring, request)
      if (known !== undefined && known.answer !== null) return { reply: known.answer.reply as Reply, changes: null }
      if (known !== undefined || prepared === null || (meta.triedS !== undefined && mayHaveLeft(ring, { now: meta.now, triedS: meta.triedS }))) throw outcomeUnknown()
      const isFresh = meta.isFresh || isOrigin(ring, request)
      const result = behaviour.step(inner, command, prepared.inner, { ...meta, isFresh })
      return result.isRemoval === true ? result : logged(answering, result, command, meta)
    },
  }

  function logged(answering: Answering<State>, result: StepResult<Reply>, { type }: Command, { requestId, now }: StepMeta): StepResult<Reply> {
    const { ring } = answering
    const { reply, changes } = result
    const put = isErasing(result) ? forgetReplies(ring) : []
    if (changes === null) return put.length === 0 ? result : { ...result, changes: { head: answering.head, put, remove: [] } }
    answering.head = changes.head
    if (isLogging) put.push(noteRequest(ring, { requestId, type, at: now, reply }))
    const rows = changes.clear === true ? ringRows(ring) : put
    return rows.length === 0 ? result : { ...result, changes: withRows(changes, rows) }
  }
}

/** What is the same with a log. */
function decorated<State, Command extends ActorCommand, Prepared, Reply>(behaviour: Behaviour<State, Command, Prepared, Reply>) {
  return {
    kind: behaviour.kind,
    missing: behaviour.missing,
    ...(behaviour.weighRow !== undefined && { weighRow: behaviour.weighRow }),
    weigh: ({ inner }: Answering<State>) => behaviour.weigh?.(inner) ?? WEIGHTLESS,
    storedWeight: (head: unknown) => behaviour.storedWeight?.(head) ?? WEIGHTLESS,
    dispose: ({ inner }: Answering<State>) => behaviour.dispose?.(inner),
    wakes: ({ inner }: Answering<State>) => behaviour.wakes?.(inner) === true,
    describe: ({ inner }: Answering<State>) => behaviour.describe?.(inner) ?? { machines: {}, links: [] },
    isPinned: (answering: Answering<State> | null) => behaviour.isPinned?.(answering?.inner ?? null) === true,
    chores: (now: number) => behaviour.chores?.(now) ?? [],
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
