/** Time and randomness; tests bring their own. */
export interface Timers {
  /** Monotonic. */
  nowMs(): number
  /** Wall clock, for dates that servers send. */
  epochMs(): number
  /** Calls `done` once after `ms`, unless the returned function is called first. */
  after(ms: number, done: () => void): () => void
  /** From 0, below 1. */
  random(): number
}

/** Longest delay that platforms accept, some 25 days. They would fire a longer one at once. */
const MS_MAX = 2_147_483_647

export const SYSTEM_TIMERS: Timers = {
  nowMs: () => performance.now(),
  epochMs: () => Date.now(),
  after(ms, done) {
    const timer = setTimeout(done, Math.min(ms, MS_MAX))
    return () => clearTimeout(timer)
  },
  random: () => Math.random()
}
