/**
 * Makes the first state of an actor, with the first waiting command that may create its record. One write then holds the new record and all
 * that the command does: nobody finds a record whose creating command is yet to run, or was refused.
 */
import { isDomainError } from '../../src/domain/errors.js'
import type { StoredRow } from '../../src/ports.js'
import { fromStorage } from '../../src/time-limit.js'
import { type Outcome, refusal, requestOf } from '../behaviour/delivery.js'
import { gatherChanges } from '../behaviour/record-changes.js'
import { loggedAnswer } from '../messaging/idempotency-log.js'
import { restoreRing } from '../messaging/idempotency-ring.js'
import { isSettleMessages } from '../messaging/outbox.js'
import { processorOf } from '../scheduling/processor.js'
import type { Actors } from './actors.js'
import { type Activation, type Job, removeJob } from './entry.js'
import { noteWeight } from './eviction.js'
import { initiateLiveState, type UnstoredState, weightOfLiveState } from './host.js'
import { type Jobs, stepFirst } from './jobs.js'
import { passGate } from './output-gate.js'

export interface FirstState {
  readonly life: UnstoredState
  /** Epoch of the tombstone; undefined: any. */
  readonly epoch: number | undefined
}

/** What it takes to run a command before there is a record. */
interface Making {
  readonly actors: Actors
  readonly jobs: Pick<Jobs, 'add'>
}

/**
 * Tries the waiting commands in order until one makes a state, which waits in the output gate to be written. Those before it are refused,
 * or answered from the tombstone. Resolves to null if none makes one.
 */
export async function makeFirst(making: Making, activation: Activation, signal: AbortSignal): Promise<FirstState | null> {
  const { options } = making.actors
  const { storage, clock, isShared } = options
  const { mailbox, address } = activation.entry
  // The tombstone tells which requests were done before a removal: another node, or a client with a key, may repeat one of them.
  // Stryker disable next-line ConditionalExpression: storage in the memory of a single node has no tombstones
  const tombstone = isShared || storage.isDurable ? await fromStorage(storage.tombstone(address), options) : null
  const next = () => (signal.aborted ? undefined : mailbox?.take(clock.monotonicMs()))
  for (let delivery = next(); delivery !== undefined; delivery = next()) {
    const job = making.jobs.add(activation, delivery)
    const life = await Promise.race([begin(making.actors, activation, { job, left: tombstone?.rows ?? [] }), untilGivenUp(job)])
    if (life !== null) return { life, epoch: isShared ? (tombstone?.epoch ?? 0) : undefined }
  }
  return null
}

/** Resolves once the job was refused for its deadline, or given up with its actor. */
function untilGivenUp({ preparation: { signal } }: Job): Promise<null> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))
}

interface FirstJob {
  readonly job: Job
  /** Rows that a removed record left. */
  readonly left: readonly StoredRow[]
}

/**
 * Makes the state for the job's command, runs its step, and passes both to the output gate. Answers the command and resolves to null if it
 * creates nothing or is refused. Rejects with what makes it fail.
 */
async function begin(actors: Actors, activation: Activation, first: FirstJob): Promise<UnstoredState | null> {
  const { behaviour, clock } = actors.options
  const { job, left } = first
  const { delivery } = job
  const answer = (outcome: Outcome): boolean => {
    const isWaiting = removeJob(activation, job)
    if (isWaiting) delivery.settle(outcome)
    return isWaiting
  }
  try {
    const { command } = delivery
    const known = isSettleMessages(command) ? null : loggedAnswer(restoreRing(left), command, requestOf(delivery, clock))
    const life = known === null ? await runFirst(actors, activation, first) : null
    if (life === null) answer(known === null ? refusal(behaviour.missing(activation.entry.address)) : { isOk: true, reply: known.reply })
    return life
  } catch (error) {
    if (answer(refusal(error)) && !isDomainError(error)) {
      activation.poison = delivery
      throw error
    }
    return null
  }
}

/** Runs the command's step on a new state. Resolves to null if the command creates none, rejects with its refusal. */
async function runFirst(actors: Actors, activation: Activation, { job, left }: FirstJob): Promise<UnstoredState | null> {
  const { options } = actors
  const { clock, budget, behaviour } = options
  const { entry, gate } = activation
  const { delivery, preparation } = job
  const meta = { address: entry.address, ...requestOf(delivery, clock) }
  const made = await processorOf(clock).take(meta.address.subject, () => initiateLiveState(options, delivery.command, meta, left))
  if (made === null) return null
  const { life } = made
  try {
    preparation.signal.throwIfAborted()
    await budget.claim(entry, weightOfLiveState(options, life))
    preparation.signal.throwIfAborted()
    const result = await stepFirst(options, life, job)
    preparation.signal.throwIfAborted()
    const changes = gatherChanges()
    for (const some of [made.changes, result.changes]) if (some !== null) changes.add(some)
    removeJob(activation, job)
    delivery.reservation.release()
    noteWeight(actors, entry, weightOfLiveState(options, life))
    const stepped = { isOk: true, result: { ...result, changes: changes.merged() } } as const
    passGate(gate, { delivery, stepped, isVerified: false })
    return life
  } catch (error) {
    behaviour.dispose?.(life.state)
    throw error
  }
}
