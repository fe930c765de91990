import type { World } from './world.js'

const STEP_MS = 20

/** Lets simulated time pass until the work is done, at most `limitMs`. */
export async function through<Result>({ scheduler }: World, work: Promise<Result>, limitMs: number): Promise<Result> {
  const state = { isOpen: true }
  const close = (): void => void (state.isOpen = false)
  work.then(close, close)
  const untilMs = scheduler.nowMs + limitMs
  while (state.isOpen && scheduler.nowMs < untilMs) await scheduler.runUntil(scheduler.nowMs + STEP_MS)
  if (state.isOpen) throw new Error('It does not end')
  return work
}
