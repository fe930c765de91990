/**
 * The time of this process's event loop, shared fairly by subjects: what is ready to be worked on is done in turns, those first that have
 * used it least, measured in milliseconds, with iterations of the event loop for requests and answers in between. A subject that uses much
 * of it rests now and then while the work of others is under way; see `src/domain/fair-shares.ts`.
 */
import { createFairQueue } from '../../src/domain/fair-queue.js'
import { createFairShares } from '../../src/domain/fair-shares.js'
import type { Pieces } from '../../src/domain/pieces.js'
import { createTurnCosts } from '../../src/domain/turn-costs.js'
import type { Clock } from '../../src/ports.js'
import { timeSlicesOf } from './time-slices.js'

export interface Processor {
  /**
   * Does the work when its subject's turn has come, at once when nobody else waits. Within a subject in the order of the calls. Work must
   * not throw.
   */
  run(subject: string, work: () => void): void
  /** The same for work with a result, or that fails. Only what it does until it first waits counts. */
  take<Result>(subject: string, work: () => Result | Promise<Result>): Promise<Result>
  /** The same for long work: as many pieces at a time as there is time for. Rejects once `signal` is aborted, and the work is ended. */
  takePieces<Result>(subject: string, work: Pieces<Result>, signal?: AbortSignal): Promise<Result>
  /** Lets a request in: at once, or when its subject has rested. What it costs beside its work counts. */
  admit(subject: string, enter: () => void): void
  /**
   * As many pieces as there is time for in this time slice, at least one: its result, or null when some are left. For work of the subject
   * whose turn it is.
   */
  begin<Result>(work: Pieces<Result>): Result | null
}

/**
 * Milliseconds that a request costs an event loop beside its work: to read it, to pass it on and to answer it. Measured: some 1,000
 * `dedup-check` a second kept a node busy, 0.44 s of it with their work.
 */
const REQUEST_MS = 0.5

/** Milliseconds of work that a subject may be ahead of another one before it waits for it: a run or two. */
const SLACK_MS = 4

/** Milliseconds that it is ahead at most: more than any piece of work takes by itself. */
const AHEAD_MS_MAX = 50

/** What it takes to know when to stop, and to go on: in this iteration, or in a later one. */
export type ProcessorClock = Pick<Clock, 'monotonicMs' | 'after' | 'whenSettled'>

interface Task {
  readonly subject: string
  readonly work: () => void
}

/** One a clock, which stands for its process's event loop. */
const known = new WeakMap<ProcessorClock, Processor>()

export function processorOf(clock: ProcessorClock): Processor {
  const processor = known.get(clock) ?? createProcessor(clock)
  known.set(clock, processor)
  return processor
}

function createProcessor(clock: ProcessorClock): Processor {
  const slices = timeSlicesOf(clock)
  const waiting = createFairQueue<Task>({ slack: SLACK_MS, aheadMax: AHEAD_MS_MAX })
  const shares = createFairShares()
  const costs = createTurnCosts()
  /** Requests of the subjects that rest. */
  const resting = new Map<string, (() => void)[]>()
  let isWorking = false
  let isPlanned = false

  function work(): void {
    if (isWorking || isPlanned) return
    isWorking = true
    let subject: string | null = null
    for (let task = waiting.peek(); task !== undefined && !slices.isUsedUp(); task = waiting.peek()) {
      // What was just done may go on as soon as its promises settle: before the next subject's turn, not after it.
      if (subject !== null && task.subject !== subject) break
      subject = task.subject
      waiting.take()
      const beganAtMs = clock.monotonicMs()
      task.work()
      const nowMs = clock.monotonicMs()
      const usedMs = nowMs - beganAtMs
      waiting.charge(subject, costs.of(subject, usedMs, nowMs))
      count(subject, usedMs)
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
  function count(subject: string, usedMs: number): void {
    const restMs = shares.use(subject, usedMs, clock.monotonicMs())
    if (restMs === 0 || resting.has(subject)) return
    resting.set(subject, [])
    waiting.pause(subject)
    clock.after(restMs, () => {
      const requests = resting.get(subject) ?? []
      resting.delete(subject)
      waiting.resume(subject)
      // What has begun comes before what is new.
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
    count(subject, REQUEST_MS)
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
        function goOn(): void {
          try {
            const worked = workOff(pieces, signal)
            if (worked === null) run(subject, goOn)
            else resolve(worked.result)
          } catch (error) {
            reject(error)
          }
        }
        run(subject, goOn)
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
