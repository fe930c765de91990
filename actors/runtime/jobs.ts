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
import { type Delivery, refusal, requestOf } from '../behaviour/delivery.js'
import { isLogged, loggedAnswer, logStep, outcomeUnknown, refuseUndecided } from '../messaging/idempotency-log.js'
import { isSettleMessages, postMessages, settleMessages } from '../messaging/outbox.js'
import { processorOf } from '../scheduling/processor.js'
import type { Actors } from './actors.js'
import { addJob, type Activation, type Entry, type Job, type Ready, removeJob, send } from './entry.js'
import { close, noteWeight } from './eviction.js'
import { type Host, roomOf, sealed, type UnstoredState, weightOfLiveState } from './host.js'
import { createOrder } from './order.js'
import { passGate, type Stepped } from './output-gate.js'

export interface Jobs {
  /** Takes all waiting commands of an actor, if steps may run, and starts their preparations. */
  pump(entry: Entry): void
  /** Adds a job without starting it. It is refused when its deadline passes. */
  add(activation: Activation, delivery: Delivery): Job
}

export function createJobs(actors: Actors): Jobs {
  const host = actors.options
  const { clock } = host
  const processor = processorOf(clock)
  const order = createOrder({ clock, processor, run })

  function refuse(activation: Activation, job: Job, error: unknown): void {
    if (!removeJob(activation, job)) return
    job.delivery.settle(refusal(error))
    order.advance(activation)
  }
  /** Runs the step, or postpones it until the state is settled. A long step continues in later time slices. */
  function run(activation: Activation, job: Job): void {
    // Its deadline passed while it waited, and it was refused: none of it may be done.
    if (!activation.jobs.includes(job)) return
    const isLater =
      activation.isOpen && (activation.isMidway || (!job.isUnsettled && settle(activation, job)) || beginStep(activation, job))
    if (isLater) {
      job.isSent = false
      return
    }
    // The jobs of an activation that is closed are delivered to the next one.
    if (activation.isOpen && job.stepped !== null) endStep(actors, activation, { job, stepped: job.stepped })
    if (activation.isOpen && !activation.isMidway) settle(activation, null)
  }
  /**
   * Begins the step. Returns true if it continues in later time slices. From then on its deadline cannot refuse it, as it may have changed
   * the state.
   */
  function beginStep(activation: Activation, job: Job): boolean {
    if (job.stepped !== null) return false
    job.cancelDeadline()
    const { life } = activation
    if (life === null) throw new Error('A step of an actor that does not live')
    const pieces = stepJob({ host, life, isFresh: false }, job)
    job.stepped = processor.begin(pieces)
    if (job.stepped !== null) return false
    activation.isMidway = true
    const { subject } = activation.entry.address
    const goOn = (stepped: Stepped) => {
      job.stepped = stepped
      activation.isMidway = false
      runNext(activation, job)
    }
    // A step that was aborted may have left the state half changed: no other step of this activation runs.
    processor.takePieces(subject, pieces, job.preparation.signal).then(
      (stepped) => processor.run(subject, () => goOn(stepped)),
      () => undefined
    )
    return true
  }
  /** Runs the step of this job before any other: the state was settled for it, as it is now. */
  function runNext(activation: Activation, job: Job | null): void {
    if (job !== null && activation.jobs.includes(job)) {
      job.isSent = true
      run(activation, job)
    }
    order.advance(activation)
  }
  /** Starts settling the state; steps then wait for its end. Returns false if there is nothing to settle. `next`: null after a step. */
  function settle(activation: Activation, next: Job | null): boolean {
    const pieces = activation.life === null ? null : settlingOf(host, activation.life, next)
    if (pieces === null) return false
    activation.isMidway = true
    const { subject } = activation.entry.address
    const goOn = () =>
      processor.run(subject, () => {
        activation.isMidway = false
        runNext(activation, next)
      })
    processor.takePieces(subject, pieces).then(goOn, () => {
      if (next !== null) next.isUnsettled = true
      goOn()
    })
    return true
  }

  function add(activation: Activation, delivery: Delivery): Job {
    return addJob(activation, delivery, (passed) =>
      clock.after(Math.max(0, delivery.deadlineAtMs - clock.monotonicMs()), () => {
        passed.preparation.abort()
        refuse(activation, passed, deadlinePassed())
      })
    )
  }
  /** Starts the preparation. The step runs once that is done and the order allows it. */
  function start(activation: Activation, delivery: Delivery): void {
    const job = add(activation, delivery)
    processor.run(activation.entry.address.subject, () => {
      const { life } = activation
      // It was aborted while it waited for the processor.
      if (job.preparation.signal.aborted || life === null) return
      prepare(host, life, delivery, job.preparation.signal).then(
        (ready) => {
          job.ready = ready
          order.ready(activation, job)
        },
        (error: unknown) => {
          // Another owner may have changed what a refusal rests on: it is ordered and verified as a step is.
          if (!isDomainError(error) || !host.isShared) return refuse(activation, job, error)
          job.stepped = { isOk: false, error }
          order.ready(activation, job)
        }
      )
    })
  }
  return {
    add,
    pump(entry) {
      const activation = entry.activation
      if (activation?.isOpen !== true) return
      for (;;) {
        const delivery = entry.mailbox?.take(clock.monotonicMs())
        if (delivery === undefined) return
        start(activation, delivery)
      }
    }
  }
}

/** Takes a step that has run to the output gate. The machine is told only what follows from it: nothing, of most reads. */
function endStep(actors: Actors, activation: Activation, { job, stepped }: { readonly job: Job; readonly stepped: Stepped }): void {
  const { delivery } = job
  removeJob(activation, job)
  // A refusal is an outcome like a reply. A failure is answered here, and ends the actor.
  if (!stepped.isOk && !isDomainError(stepped.error)) {
    activation.poison = delivery
    delivery.settle(refusal(stepped.error))
    // The state may be half changed: no further step runs on it.
    close(actors, activation)
    send(activation, { type: 'step.fail', error: stepped.error })
    return
  }
  delivery.reservation.release()
  const host = actors.options
  if (stepped.isOk && stepped.result.changes !== null && activation.life !== null)
    noteWeight(actors, activation.entry, weightOfLiveState(host, activation.life))
  const type = passGate(activation.gate, { delivery, stepped, isVerified: host.isShared })
  if (type === null) return
  if (type === 'record.remove') close(actors, activation)
  send(activation, { type })
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
function* stepJob(stepping: Stepping, job: Job): Pieces<Stepped> {
  const { command, trace } = job.delivery
  const { watch, spans } = stepping.host
  const span = spans === undefined ? null : beginWithin({ spans, name: `${command.type} step`, parent: trace })
  try {
    return { isOk: true, result: yield* watched({ watch, name: command.type, sizes: command }, step(stepping, job)) }
  } catch (error) {
    return { isOk: false, error }
  } finally {
    span?.end()
  }
}

/** Runs one step. One commit then holds all of it: its changes, its entry in the idempotency log, and its outbox messages. */
export function* step(
  { host, life, isFresh }: Stepping,
  { delivery, ready }: Pick<Job, 'delivery' | 'ready'>
): Pieces<StepResult<unknown>> {
  const { behaviour, relay, isShared } = host
  const { requests, messages, address, head } = life
  const { command } = delivery
  if (isSettleMessages(command)) {
    relay.settled(address, command.ids)
    return yield* written(host, life, { reply: null, changes: settleMessages(messages, command, head) })
  }
  const request = requestOf(delivery, host.clock)
  const known = loggedAnswer(requests, command, request)
  if (known !== null) return { reply: known.reply, changes: null }
  if (ready === null) throw outcomeUnknown()
  const room = roomOf(host, address, life, delivery)
  const meta: StepMeta = { address, isFresh, room, outboxPending: messages.size, isUntold: untoldOf(host, life), ...request }
  const stepped = yield* behaviour.step(life.state, command, ready.prepared, meta)
  // The creation of the record is a change by itself.
  const result = isFresh && stepped.changes === null ? { ...stepped, changes: { head, put: [], remove: [] } } : stepped
  return yield* written(host, life, logStep(requests, { command, request, head, isLogging: isShared }, result), request.trace)
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
