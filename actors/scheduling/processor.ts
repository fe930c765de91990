/**
 * The time of this process's event loop, shared fairly by subjects: what is ready to be worked on is done in turns, those first that have
 * used it least, measured in milliseconds, with iterations of the event loop for requests and answers in between.
 */
import { createFairQueue } from '../../src/domain/fair-queue.js'
import type { Pieces } from '../../src/domain/pieces.js'
import { type SliceClock, timeSlicesOf } from './time-slices.js'

export interface Processor {
  /** Does the work when its subject's turn has come, at once when nobody else waits. Within a subject in the order of the calls. Work must not throw. */
  run(subject: string, work: () => void): void
  /** The same for work with a result, or that fails. Only what it does until it first waits counts. */
  take<Result>(subject: string, work: () => Result | Promise<Result>): Promise<Result>
  /** The same for long work: as many pieces at a time as there is time for. Rejects once `signal` is aborted, and the work is ended. */
  takePieces<Result>(subject: string, work: Pieces<Result>, signal?: AbortSignal): Promise<Result>
  /** As many pieces as there is time for in this turn, at least one: its result, or null when some are left. For work of the subject whose turn it is. */
  begin<Result>(work: Pieces<Result>): Result | null
}

interface Task {
  readonly subject: string
  readonly work: () => void
}

/** One a clock, which stands for its process's event loop. */
const known = new WeakMap<SliceClock, Processor>()

export function processorOf(clock: SliceClock): Processor {
  const processor = known.get(clock) ?? createProcessor(clock)
  known.set(clock, processor)
  return processor
}

function createProcessor(clock: SliceClock): Processor {
  const turns = timeSlicesOf(clock)
  const waiting = createFairQueue<Task>()
  let isWorking = false
  let isPlanned = false

  function work(): void {
    if (isWorking || isPlanned) return
    isWorking = true
    let subject: string | null = null
    for (let task = waiting.peek(); task !== undefined && !turns.isUsedUp(); task = waiting.peek()) {
      // What was just done may go on as soon as its promises settle: before the next subject's turn, not after it.
      if (subject !== null && task.subject !== subject) break
      subject = task.subject
      waiting.take()
      const beganAtMs = clock.monotonicMs()
      task.work()
      waiting.charge(subject, clock.monotonicMs() - beganAtMs)
    }
    isWorking = false
    if (waiting.size === 0) return
    isPlanned = true
    clock.after(0, () => {
      isPlanned = false
      work()
    })
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
        if (turns.isUsedUp()) return null
      }
    } catch (error) {
      pieces.return(undefined as never)
      throw error
    }
  }
  return {
    run,
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
