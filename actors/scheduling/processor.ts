/**
 * Fair scheduler for the time of this process's event loop. Ready work runs in turns by subject: the subject that has used least time, in
 * milliseconds, comes first. Iterations of the event loop in between let requests and answers through. A subject that uses much time pauses
 * now and then while others have work under way; see `src/domain/fairness/fair-shares.ts`.
 */
import { createFairQueue } from '../../src/domain/fairness/fair-queue.js'
import { createFairShares } from '../../src/domain/fairness/fair-shares.js'
import type { Pieces } from '../../src/domain/pieces.js'
import { createSliceCosts } from '../../src/domain/fairness/slice-costs.js'
import type { Clock } from '../../src/ports.js'
import { createLongWork } from './long-work.js'
import { timeSlicesOf } from './time-slices.js'

export interface Processor {
  /**
   * Runs `work` in its subject's turn, at once when nothing else waits. Work of one subject runs in the order of the calls. It must not
   * throw.
   */
  run(subject: string, work: () => void): void
  /** Runs work that has a result or may fail. Only its synchronous part, up to its first wait, counts as used time. */
  take<Result>(subject: string, work: () => Result | Promise<Result>): Promise<Result>
  /**
   * Runs long work in pieces, in each turn as many as fit. Rejects once `signal`, that of its job, is aborted, and ends the work. Of works
   * that take longer than LONG_MS a few of the subject go on at a time, those of the earliest jobs first.
   */
  takePieces<Result>(subject: string, work: Pieces<Result>, signal?: AbortSignal): Promise<Result>
  /** Admits a request: at once, or when its subject's pause is over. Charges the subject with the fixed cost of a request. */
  admit(subject: string, enter: () => void): void
  /**
   * Runs as many pieces as fit into this time slice, at least one. Returns the result, or null when pieces are left. For work of the
   * subject whose turn it is.
   */
  begin<Result>(work: Pieces<Result>): Result | null
}

/**
 * Milliseconds that a request costs the event loop beside its work: reading it, passing it on and answering it. Measured: some 1,000
 * `dedup-check` a second kept a node busy, 0.44 s of it with their work.
 */
const REQUEST_MS = 0.5

/** Milliseconds of work by which a subject may be ahead of another before it waits for it: one or two runs. */
const SLACK_MS = 4

/** Upper bound on the milliseconds that a subject counts as ahead: more than any single piece of work takes. */
const AHEAD_MS_MAX = 50

/** Milliseconds of its own after which work counts as long: a run in a session of 100,000 memories takes less. */
const LONG_MS = 50

/** Part of the clock that schedules work in this iteration of the event loop or in a later one. */
export type ProcessorClock = Pick<Clock, 'monotonicMs' | 'after' | 'whenSettled'>

interface Task {
  readonly subject: string
  readonly work: () => void
}

/** One processor per clock: a clock stands for its process's event loop. */
const processors = new WeakMap<ProcessorClock, Processor>()

export function processorOf(clock: ProcessorClock): Processor {
  const processor = processors.get(clock) ?? createProcessor(clock)
  processors.set(clock, processor)
  return processor
}

function createProcessor(clock: ProcessorClock): Processor {
  const slices = timeSlicesOf(clock)
  const waiting = createFairQueue<Task>({ slack: SLACK_MS, aheadMax: AHEAD_MS_MAX })
  const shares = createFairShares()
  const costs = createSliceCosts()
  const longWork = createLongWork()
  /** Delayed requests of the subjects that pause. */
  const resting = new Map<string, (() => void)[]>()
  let isWorking = false
  let isPlanned = false

  function work(): void {
    if (isWorking || isPlanned) return
    isWorking = true
    let subject: string | null = null
    for (let task = waiting.peek(); task !== undefined && !slices.isUsedUp(); task = waiting.peek()) {
      // The subject's work may go on once its promises settle: that comes before that of the next subject.
      if (subject !== null && task.subject !== subject) break
      subject = task.subject
      waiting.take()
      const beganAtMs = clock.monotonicMs()
      task.work()
      const nowMs = clock.monotonicMs()
      const usedMs = nowMs - beganAtMs
      waiting.charge(subject, costs.of(subject, usedMs, nowMs))
      count(subject, usedMs, nowMs)
    }
    isWorking = false
    if (waiting.peek() === undefined) return
    isPlanned = true
    if (slices.isUsedUp()) slices.plan(goOn)
    else clock.whenSettled(goOn)
  }
  function goOn(): void {
    isPlanned = false
    work()
  }
  function count(subject: string, usedMs: number, atMs: number): void {
    const restMs = shares.use(subject, usedMs, atMs)
    if (restMs === 0 || resting.has(subject)) return
    resting.set(subject, [])
    waiting.pause(subject)
    clock.after(restMs, () => {
      const requests = resting.get(subject) ?? []
      resting.delete(subject)
      waiting.resume(subject)
      // Work that has begun comes before new requests.
      work()
      for (const enter of requests) admit(subject, enter)
    })
  }
  function admit(subject: string, enter: () => void): void {
    const requests = resting.get(subject)
    if (requests !== undefined) {
      requests.push(enter)
      return
    }
    waiting.charge(subject, REQUEST_MS)
    count(subject, REQUEST_MS, clock.monotonicMs())
    enter()
  }
  function run(subject: string, todo: () => void): void {
    waiting.push(subject, { subject, work: todo })
    work()
  }
  function workOff<Result>(pieces: Pieces<Result>, signal: AbortSignal | undefined): { readonly result: Result } | null {
    try {
      signal?.throwIfAborted()
      for (let next = pieces.next(); ; next = pieces.next()) {
        if (next.done === true) return { result: next.value }
        if (slices.isUsedUp()) return null
      }
    } catch (error) {
      pieces.return(undefined as never)
      throw error
    }
  }
  return {
    run,
    admit,
    begin: (pieces) => workOff(pieces, undefined)?.result ?? null,
    takePieces: <Result>(subject: string, pieces: Pieces<Result>, signal?: AbortSignal) =>
      new Promise<Result>((resolve, reject) => {
        let workedMs = 0
        const isLong = () => workedMs > LONG_MS
        function goOn(): void {
          const wasLong = isLong()
          const beganAtMs = clock.monotonicMs()
          try {
            const worked = workOff(pieces, signal)
            workedMs += clock.monotonicMs() - beganAtMs
            if (worked === null) return wasLong || !isLong() ? plan() : longWork.enter(subject, plan, signal)
            resolve(worked.result)
          } catch (error) {
            reject(error)
          }
          if (wasLong) longWork.leave(subject)
        }
        const plan = () => run(subject, goOn)
        plan()
      }),
    take: <Result>(subject: string, todo: () => Result | Promise<Result>) =>
      new Promise<Result>((resolve, reject) => {
        run(subject, () => {
          try {
            resolve(todo())
          } catch (error) {
            reject(error)
          }
        })
      })
  }
}
