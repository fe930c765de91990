import { createSystemClock } from '../../src/platform/clock.js'

/** Maximum milliseconds that a test waits for anything. */
const WAIT_MS_MAX = 60_000

/**
 * Milliseconds between two checks: a twentieth of the time waited so far, because a check may be a request, and a long wait would need
 * many.
 */
const PAUSE_MS_MIN = 2
const PAUSE_MS_MAX = 25
const WAITED_PER_PAUSE = 20

/**
 * Resolves once `isSo` returns true; it is checked after each `step`. Throws with the condition's text after too long. Default step: yields
 * to the event loop.
 */
export async function until(isSo: () => boolean | Promise<boolean>, step?: () => Promise<unknown>): Promise<void> {
  const clock = createSystemClock()
  const startedAtMs = clock.monotonicMs()
  while (!(await isSo())) {
    const waitedMs = clock.monotonicMs() - startedAtMs
    if (waitedMs > WAIT_MS_MAX) throw new Error(`It never became so: ${isSo.toString()}`)
    const pauseMs = Math.min(Math.max(PAUSE_MS_MIN, waitedMs / WAITED_PER_PAUSE), PAUSE_MS_MAX)
    await (step === undefined ? new Promise<void>((resolve) => clock.after(pauseMs, resolve)) : step())
  }
}
