/**
 * The slow work before a step (embedding), many commands of one session at a time. Commands that are
 * prepared quickly run in the order they came; a slow one is overtaken, and a hanging one is given up at its deadline.
 */
import { deadlinePassed, isDomainError } from '../../src/domain/errors.js'
import type { Clock } from '../../src/ports.js'
import type { Behaviour } from '../behaviour/behaviour.js'
import { type ActorCommand, type Delivery, internalError, requestOf } from '../behaviour/delivery.js'
import { processorOf } from '../scheduling/processor.js'
import type { Cell, Job, Stepped } from './entry.js'
import { stepJob } from './step-job.js'

/** Milliseconds that a prepared command waits for earlier ones: a batch of short texts takes one or two. */
const ORDER_GRACE_MS = 3

export interface Preparation {
  /** Starts preparing; the job runs once it is ready and its turn has come. */
  start(cell: Cell, delivery: Delivery): void
  /** Gives every job up, without an answer, and returns their commands in the order they came. */
  giveUp(cell: Cell): Delivery[]
}

export function createPreparation(options: {
  behaviour: Behaviour<unknown, ActorCommand, unknown, unknown>
  clock: Clock
  /** Whether a refusal may rest on what another owner has overtaken: it then takes its turn as a step, and is verified like one. */
  verifiesRefusals: boolean
  /** Asks the cell's machine to run the job's step. */
  run: (cell: Cell, job: Job) => void
}): Preparation {
  const { behaviour, clock, run, verifiesRefusals } = options
  const processor = processorOf(clock)

  const refuse = (cell: Cell, job: Job, error: unknown) => {
    if (!leave(cell, job)) return
    job.delivery.settle({ isOk: false, error: isDomainError(error) ? error : internalError(error) })
    advance(cell)
  }
  const ready = (cell: Cell, job: Job, prepared: unknown) => {
    job.prepared = prepared
    job.readyAtMs = clock.monotonicMs()
    if (cell.jobs.includes(job)) advance(cell)
  }
  /** Runs every job whose turn has come: all earlier ones have run, or it has waited for them long enough. */
  const advance = (cell: Cell) => {
    cell.cancelGrace?.()
    cell.cancelGrace = null
    if (cell.isSettling) return
    const nowMs = clock.monotonicMs()
    let isBlocked = false
    for (const job of [...cell.jobs]) {
      // A step may have removed the record or failed: what is left goes to the next activation.
      if (!cell.isOpen) return
      if (job.isSent) continue
      if (job.readyAtMs === null) {
        isBlocked = true
        continue
      }
      const leftMs = isBlocked ? job.readyAtMs + ORDER_GRACE_MS - nowMs : 0
      if (leftMs > 0) {
        // Later jobs became ready later or wait behind this one, so one timer serves them all.
        cell.cancelGrace ??= clock.after(leftMs, () => advance(cell))
        continue
      }
      job.isSent = true
      processor.run(cell.entry.address.subject, () => runSettled(cell, job))
    }
  }
  /** Runs the step, or puts it off until the state is settled; a long one goes on in later turns. */
  const runSettled = (cell: Cell, job: Job) => {
    const isLater = cell.isOpen && (cell.isSettling || (!job.isUnsettled && settle(cell, job)) || isSteppingOn(cell, job))
    if (isLater) {
      job.isSent = false
      return
    }
    run(cell, job)
    if (cell.isOpen && !cell.isSettling) settle(cell, null)
  }
  /** Begins the step. Whether it goes on in later turns: it is not refused any more then, for it may have changed something. */
  const isSteppingOn = (cell: Cell, job: Job): boolean => {
    if (job.stepped !== null || job.refused !== null) return false
    job.cancelDeadline()
    const pieces = stepJob(behaviour, cell, job, clock)
    job.stepped = processor.begin(pieces)
    if (job.stepped !== null) return false
    cell.isSettling = true
    const { subject } = cell.entry.address
    const goOn = (stepped: Stepped) => {
      job.stepped = stepped
      cell.isSettling = false
      runNext(cell, job)
    }
    // Given up, it may have left the state half changed: no other step of this activation runs.
    processor.takePieces(subject, pieces, job.preparation.signal).then(
      (stepped) => processor.run(subject, () => goOn(stepped)),
      () => undefined
    )
    return true
  }
  /** Runs the step of this job before those of others: what was worked out for it holds for the state as it is now. */
  const runNext = (cell: Cell, job: Job | null) => {
    if (job !== null && cell.jobs.includes(job)) {
      job.isSent = true
      runSettled(cell, job)
    }
    advance(cell)
  }
  /** Whether there is something to settle: steps then wait for its end. `next` is null after a step. */
  const settle = (cell: Cell, next: Job | null): boolean => {
    const pieces =
      cell.life === null
        ? null
        : (behaviour.settle?.(cell.life.state, next === null ? null : { command: next.delivery.command, prepared: next.prepared }) ?? null)
    if (pieces === null) return false
    cell.isSettling = true
    const { subject } = cell.entry.address
    const goOn = () =>
      processor.run(subject, () => {
        cell.isSettling = false
        runNext(cell, next)
      })
    processor.takePieces(subject, pieces).then(goOn, () => {
      if (next !== null) next.isUnsettled = true
      goOn()
    })
    return true
  }

  return {
    start(cell, delivery) {
      const preparation = new AbortController()
      const cancelDeadline = clock.after(Math.max(0, delivery.deadlineAtMs - clock.monotonicMs()), () => {
        preparation.abort()
        refuse(cell, job, deadlinePassed())
      })
      const job: Job = {
        delivery,
        preparation,
        cancelDeadline,
        prepared: undefined,
        refused: null,
        readyAtMs: null,
        isSent: false,
        isUnsettled: false,
        stepped: null
      }
      cell.jobs.push(job)
      processor.run(cell.entry.address.subject, () => {
        // It was given up while it waited for its turn.
        if (preparation.signal.aborted) return
        prepare(behaviour, cell, job, clock).then(
          (prepared) => ready(cell, job, prepared),
          (error: unknown) => {
            if (!verifiesRefusals || !isDomainError(error)) return refuse(cell, job, error)
            job.refused = error
            ready(cell, job, null)
          }
        )
      })
    },
    giveUp(cell) {
      cell.cancelGrace?.()
      cell.cancelGrace = null
      const deliveries = cell.jobs.map((job) => job.delivery)
      for (const job of cell.jobs) {
        job.cancelDeadline()
        job.preparation.abort()
      }
      cell.jobs = []
      return deliveries
    }
  }
}

/** Takes a job off the list, freeing its place in the mailbox; false when it has left already. */
export function leave(cell: Cell, job: Job): boolean {
  const index = cell.jobs.indexOf(job)
  if (index === -1) return false
  job.cancelDeadline()
  cell.jobs.splice(index, 1)
  cell.entry.mailbox?.finish()
  return true
}

/** Async, so that a behaviour that throws at once rejects like any other. */
async function prepare(
  behaviour: Behaviour<unknown, ActorCommand, unknown, unknown>,
  cell: Cell,
  { delivery, preparation }: Job,
  clock: Clock
): Promise<unknown> {
  const { command, hold } = delivery
  const state = cell.life?.state
  // An activation before this one may have prepared it already, and what it made is gone.
  hold.free()
  return behaviour.prepare(state, command, preparation.signal, requestOf(delivery, clock), behaviour.roomOf?.(state, hold))
}
