/** Time and randomness of the client, controlled by the test. */
import type { Timers } from '../../src/client/timers.js'
import { settled } from './manual-clock.js'

/** Time that moves only when the test moves it. */
export function createTimers(random = 0.5) {
  let nowMs = 0
  let waiting: { readonly atMs: number; readonly done: () => void }[] = []
  const timers: Timers = {
    nowMs: () => nowMs,
    epochMs: () => nowMs,
    random: () => random,
    after(ms, done) {
      const one = { atMs: nowMs + ms, done }
      waiting.push(one)
      return () => void (waiting = waiting.filter((other) => other !== one))
    }
  }
  return {
    timers,
    pending: () => waiting.length,
    async pass(ms: number) {
      const untilMs = nowMs + ms
      await settled()
      for (;;) {
        const next = waiting.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0]
        if (next === undefined) break
        nowMs = next.atMs
        waiting = waiting.filter((one) => one !== next)
        next.done()
        await settled()
      }
      nowMs = untilMs
    }
  }
}
