/**
 * Orders the jobs of one actor. A job waits until all earlier ones have run, but only for a moment once it is ready: commands that are
 * prepared equally fast keep their order, and a slow one does not hold up the rest.
 */
import type { Clock } from '../../src/ports.js'
import type { Processor } from '../scheduling/processor.js'
import type { Activation, Job } from './entry.js'

/** Milliseconds that a prepared command waits for earlier ones: embedding a batch of short texts takes one or two. */
const ORDER_GRACE_MS = 3

interface Order {
  /** Notes that a job is prepared, and runs what can run. */
  ready(activation: Activation, job: Job): void
  /** Runs every job that is ready and need not wait for an earlier one. */
  advance(activation: Activation): void
}

/** `run` is called for each job in order, scheduled by the processor for the job's subject. */
export function createOrder({
  clock,
  processor,
  run
}: {
  readonly clock: Clock
  readonly processor: Processor
  readonly run: (activation: Activation, job: Job) => void
}): Order {
  function advance(activation: Activation): void {
    activation.cancelGrace?.()
    activation.cancelGrace = null
    if (activation.isMidway) return
    const nowMs = clock.monotonicMs()
    let isBlocked = false
    for (const job of [...activation.jobs]) {
      // A step may have removed the record or failed: what is left goes to the next activation.
      if (!activation.isOpen) return
      if (job.isSent) continue
      if (job.readyAtMs === null) {
        isBlocked = true
        continue
      }
      const leftMs = isBlocked ? job.readyAtMs + ORDER_GRACE_MS - nowMs : 0
      if (leftMs > 0) {
        // Later jobs became ready later or wait behind this one, so one timer serves them all.
        activation.cancelGrace ??= clock.after(leftMs, () => advance(activation))
        continue
      }
      job.isSent = true
      processor.run(activation.entry.address.subject, () => run(activation, job))
    }
  }
  return {
    ready(activation, job) {
      job.readyAtMs = clock.monotonicMs()
      if (activation.jobs.includes(job)) advance(activation)
    },
    advance
  }
}
