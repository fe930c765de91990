/**
 * Runs a command that an actor has taken from its mailbox. Its stages: it is answered from the idempotency log if it ran before; it is
 * prepared; in its order, the state is settled for it and its step runs; the result is logged, its outbox messages are posted, the record
 * is weighed, and the step ends: its reply goes to the output gate, and the actor's machine is told what follows.
 */
import { deadlinePassed, isDomainError } from '../../src/domain/errors.js'
import type { Pieces } from '../../src/domain/pieces.js'
import { watched } from '../../src/domain/fairness/stall-watch.js'
import { beginWithin, during } from '../../src/spans.js'
import type { IsUntold, RequestMeta, StepMeta, StepResult } from '../behaviour/behaviour.js'
import { type ActorCommand, type Delivery, refusal, requestOf } from '../behaviour/delivery.js'
import { isLogged, loggedAnswer, logStep, outcomeUnknown, refuseUndecided } from '../messaging/idempotency-log.js'
import { isSettleMessages, postMessages, settleMessages } from '../messaging/outbox.js'
import { processorOf } from '../scheduling/processor.js'
import { addJob, type Cell, type Job, type Ready, removeJob, type Stepped } from './entry.js'
import { type Host, roomOf, sealed, type UnstoredState } from './host.js'
import { createOrder } from './order.js'

export interface Jobs {
  /** Starts the preparation. The step runs once that is done and the order allows it. */
  start(cell: Cell, delivery: Delivery): void
  /** Adds a job without starting it. It is refused when its deadline passes. */
  add(cell: Cell, delivery: Delivery): Job
  /** Aborts every job without an answer. Their commands go back to the mailbox, in the order of arrival. */
  giveUp(cell: Cell): void
}

/** `endStep` is called once for each step that has run, and takes its job from the cell. */
export function createJobs(host: Host, endStep: (cell: Cell, job: Job) => void): Jobs {
  const { clock } = host
  const processor = processorOf(clock)
  const order = createOrder({ clock, processor, run })

  function refuse(cell: Cell, job: Job, error: unknown): void {
    if (!removeJob(cell, job)) return
    job.delivery.settle(refusal(error))
    order.advance(cell)
  }
  /** Runs the step, or postpones it until the state is settled. A long step continues in later time slices. */
  function run(cell: Cell, job: Job): void {
    // Its deadline passed while it waited, and it was refused: none of it may be done.
    if (!cell.jobs.includes(job)) return
    const isLater = cell.isOpen && (cell.isMidway || (!job.isUnsettled && settle(cell, job)) || beginStep(cell, job))
    if (isLater) {
      job.isSent = false
      return
    }
    // A closed cell's jobs are delivered to the next activation.
    if (cell.isOpen) endStep(cell, job)
    if (cell.isOpen && !cell.isMidway) settle(cell, null)
  }
  /**
   * Begins the step. Returns true if it continues in later time slices. From then on its deadline cannot refuse it, as it may have changed
   * the state.
   */
  function beginStep(cell: Cell, job: Job): boolean {
    if (job.stepped !== null || job.refused !== null) return false
    job.cancelDeadline()
    const { life } = cell
    if (life === null) throw new Error('A step of an actor that does not live')
    const pieces = stepJob({ host, life, isFresh: false }, job)
    job.stepped = processor.begin(pieces)
    if (job.stepped !== null) return false
    cell.isMidway = true
    const { subject } = cell.entry.address
    const goOn = (stepped: Stepped) => {
      job.stepped = stepped
      cell.isMidway = false
      runNext(cell, job)
    }
    // A step that was aborted may have left the state half changed: no other step of this activation runs.
    processor.takePieces(subject, pieces, job.preparation.signal).then(
      (stepped) => processor.run(subject, () => goOn(stepped)),
      () => undefined
    )
    return true
  }
  /** Runs the step of this job before any other: the state was settled for it, as it is now. */
  function runNext(cell: Cell, job: Job | null): void {
    if (job !== null && cell.jobs.includes(job)) {
      job.isSent = true
      run(cell, job)
    }
    order.advance(cell)
  }
  /** Starts settling the state; steps then wait for its end. Returns false if there is nothing to settle. `next`: null after a step. */
  function settle(cell: Cell, next: Job | null): boolean {
    const pieces = cell.life === null ? null : settlingOf(host, cell.life, next)
    if (pieces === null) return false
    cell.isMidway = true
    const { subject } = cell.entry.address
    const goOn = () =>
      processor.run(subject, () => {
        cell.isMidway = false
        runNext(cell, next)
      })
    processor.takePieces(subject, pieces).then(goOn, () => {
      if (next !== null) next.isUnsettled = true
      goOn()
    })
    return true
  }

  function add(cell: Cell, delivery: Delivery): Job {
    return addJob(cell, delivery, (passed) =>
      clock.after(Math.max(0, delivery.deadlineAtMs - clock.monotonicMs()), () => {
        passed.preparation.abort()
        refuse(cell, passed, deadlinePassed())
      })
    )
  }
  return {
    add,
    start(cell, delivery) {
      const job = add(cell, delivery)
      processor.run(cell.entry.address.subject, () => {
        const { life } = cell
        // It was aborted while it waited for the processor.
        if (job.preparation.signal.aborted || life === null) return
        prepare(host, life, delivery, job.preparation.signal).then(
          (ready) => {
            job.ready = ready
            order.ready(cell, job)
          },
          (error: unknown) => {
            // Another owner may have changed what a refusal rests on: it is ordered and verified as a step is.
            if (!isDomainError(error) || !host.isShared) return refuse(cell, job, error)
            job.refused = error
            order.ready(cell, job)
          }
        )
      })
    },
    giveUp(cell) {
      cell.cancelGrace?.()
      cell.cancelGrace = null
      for (const job of cell.jobs) {
        job.cancelDeadline()
        job.preparation.abort()
      }
      const deliveries = cell.jobs.map(({ delivery }) => delivery)
      cell.jobs = []
      if (deliveries.length > 0) cell.entry.mailbox?.restore(deliveries)
    }
  }
}

/**
 * Prepares what the step needs and may not wait for. Returns null if the request ran before. Async, so that a behaviour that throws
 * synchronously rejects too.
 */
export async function prepare(host: Host, life: UnstoredState, delivery: Delivery, signal: AbortSignal): Promise<Ready> {
  const { command } = delivery
  const { behaviour, watch, spans } = host
  // An earlier activation may have prepared the command already: what it took then is gone.
  delivery.hold.free()
  delivery.reservation.release()
  if (isSettleMessages(command)) return null
  const request = requestOf(delivery, host.clock)
  if (isLogged(life.requests, command, request)) return null
  refuseUndecided(life.requests, request)
  const room = roomOf(host, life.address, life, delivery)
  const spanned = { spans, name: `${command.type} prepare`, parent: request.trace }
  const prepareAs = (asked: RequestMeta) =>
    behaviour.prepare(life.state, command, { signal, room, isUntold: untoldOf(host, life), ...asked })
  const prepareCommand = () =>
    spans === undefined ? prepareAs(request) : during(spanned, ({ trace = request.trace }) => prepareAs({ ...request, trace }))
  try {
    return { prepared: await watch.during(command.type, command, prepareCommand) }
  } catch (error) {
    // The first try has succeeded meanwhile, and may be the reason why this one cannot be prepared.
    if (isLogged(life.requests, command, request)) return null
    throw error
  }
}

function untoldOf({ relay }: Host, { messages, address }: UnstoredState): IsUntold {
  return (type) => [...messages.values()].some(({ id, command }) => command.type === type && !relay.isDelivered(address, id))
}

/** Returns the work that settles the state before the next step, or after the last one; null if there is none. */
function settlingOf({ behaviour, watch }: Host, { state }: UnstoredState, next: Job | null): Pieces<void> | null {
  const ready = next?.ready ?? null
  const pieces =
    behaviour.settle?.(state, next === null || ready === null ? null : { command: next.delivery.command, prepared: ready.prepared }) ?? null
  return pieces === null ? null : watched({ watch, name: `${behaviour.kind}.settle`, sizes: {} }, pieces)
}

/** Prepares the job of a record that is yet to be created, and runs its step. Rejects as they do, and once the job is aborted. */
export async function stepFirst(host: Host, life: UnstoredState, job: Job): Promise<StepResult<unknown>> {
  const { delivery, preparation } = job
  const { signal } = preparation
  const { subject } = life.address
  const processor = processorOf(host.clock)
  job.ready = await processor.take(subject, () => prepare(host, life, delivery, signal))
  const settling = settlingOf(host, life, job)
  // What could not be settled in pieces, the step settles.
  if (settling !== null) await processor.takePieces(subject, settling, signal).catch(() => undefined)
  signal.throwIfAborted()
  job.cancelDeadline()
  const stepped = await processor.takePieces(subject, stepJob({ host, life, isFresh: true }, job), signal)
  if (!stepped.isOk) throw stepped.error
  return stepped.result
}

interface Stepping {
  readonly host: Host
  readonly life: UnstoredState
  /** Whether the record is created with this step. */
  readonly isFresh: boolean
}

/** Runs the step of a job and returns how it ended. Never throws. */
function* stepJob({ host, life, isFresh }: Stepping, { delivery, ready }: Job): Pieces<Stepped> {
  const { command, trace } = delivery
  const { watch, spans } = host
  const span = spans === undefined ? null : beginWithin({ spans, name: `${command.type} step`, parent: trace })
  try {
    const meta = { address: life.address, isFresh, room: roomOf(host, life.address, life, delivery), ...requestOf(delivery, host.clock) }
    const pieces = step(host, life, { command, ready, meta })
    return { isOk: true, result: yield* watched({ watch, name: command.type, sizes: command }, pieces) }
  } catch (error) {
    return { isOk: false, error }
  } finally {
    span?.end()
  }
}

interface Step {
  readonly command: ActorCommand
  readonly ready: Ready
  readonly meta: Omit<StepMeta, 'outboxPending' | 'isUntold'> & { readonly isFresh: boolean }
}

/** Runs one step. One commit then holds all of it: its changes, its entry in the idempotency log, and its outbox messages. */
export function* step(host: Host, life: UnstoredState, { command, ready, meta }: Step): Pieces<StepResult<unknown>> {
  const { behaviour, relay, isShared } = host
  const { requests, messages, address } = life
  if (isSettleMessages(command)) {
    relay.settled(address, command.ids)
    return yield* written(host, life, { reply: null, changes: settleMessages(messages, command, life.head) })
  }
  const known = loggedAnswer(requests, command, meta)
  if (known !== null) return { reply: known.reply, changes: null }
  if (ready === null) throw outcomeUnknown()
  const outbox = { outboxPending: messages.size, isUntold: untoldOf(host, life) }
  const stepped = yield* behaviour.step(life.state, command, ready.prepared, { ...outbox, ...meta })
  // The creation of the record is a change by itself.
  const result = meta.isFresh && stepped.changes === null ? { ...stepped, changes: { head: life.head, put: [], remove: [] } } : stepped
  return yield* written(host, life, logStep(requests, { command, request: meta, head: life.head, isLogging: isShared }, result), meta.trace)
}

/** Posts the step's outbox messages, and updates the weight of the record. */
function* written(host: Host, life: UnstoredState, result: StepResult<unknown>, trace?: string): Pieces<StepResult<unknown>> {
  if (result.changes === null) return result
  const { address } = life
  const told = result.outbox ?? []
  const outbox = trace === undefined ? told : told.map((message) => ({ ...message, trace }))
  const changes = postMessages(life.messages, address, outbox, result.changes)
  life.head = changes.head
  host.budget.letGo(address, yield* life.ledger.apply(changes))
  const whole = { ...result, changes: sealed(host, life, changes) }
  return outbox.length === 0 ? whole : { ...whole, afterwards: () => host.relay.send(address, outbox) }
}
