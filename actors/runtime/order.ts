/**
 * Orders the jobs of one actor. A job waits until all earlier ones have run, but only for a moment once it is ready: commands that are
 * prepared equally fast keep their order, and a slow one does not hold up the rest.
 */
import type { Clock } from '../../src/ports.js'
import type { Processor } from '../scheduling/processor.js'
import type { Cell, Job } from './entry.js'

/** Milliseconds that a prepared command waits for earlier ones: embedding a batch of short texts takes one or two. */
const ORDER_GRACE_MS = 3

interface Order {
  /** Notes that a job is prepared, and runs what can run. */
  ready(cell: Cell, job: Job): void
  /** Runs every job that is ready and need not wait for an earlier one. */
  advance(cell: Cell): void
}

/** `run` is called for each job in order, scheduled by the processor for the job's subject. */
export function createOrder({
  clock,
  processor,
  run
}: {
  readonly clock: Clock
  readonly processor: Processor
  readonly run: (cell: Cell, job: Job) => void
}): Order {
  function advance(cell: Cell): void {
    cell.cancelGrace?.()
    cell.cancelGrace = null
    if (cell.isMidway) return
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
      processor.run(cell.entry.address.subject, () => run(cell, job))
    }
  }
  return {
    ready(cell, job) {
      job.readyAtMs = clock.monotonicMs()
      if (cell.jobs.includes(job)) advance(cell)
    },
    advance
  }
}
