/**
 * In which order the jobs of one actor run. Each waits until all that came before it have run, or for a moment after it is ready: so
 * commands that are prepared equally fast keep their order, and a slow one does not hold up the rest.
 */
import type { Clock } from '../../src/ports.js'
import type { Processor } from '../scheduling/processor.js'
import type { Cell, Job } from './entry.js'

/** Milliseconds that a prepared command waits for earlier ones: a batch of short texts takes one or two. */
const ORDER_GRACE_MS = 3

export interface Order {
  /** The job can run: it does when its turn has come. */
  ready(cell: Cell, job: Job): void
  /** Runs every job whose turn has come. */
  advance(cell: Cell): void
}

/** `run` is called once a job's turn has come, in the time of its subject. */
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
