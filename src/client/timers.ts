/** Time and chance: tests have their own. */
export interface Timers {
  /** Monotonic. */
  nowMs(): number
  /** Of the wall clock: servers name moments by it. */
  epochMs(): number
  /** Calls once, unless what it returns is called before. */
  after(ms: number, done: () => void): () => void
  /** From 0, below 1. */
  random(): number
}

/** The longest that platforms wait, some 25 days: what is longer they would end at once. */
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
