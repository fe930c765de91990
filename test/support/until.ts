import { createSystemClock } from '../../src/platform/clock.js'

/** Milliseconds that anything in a test is waited for: what has not come by then does not come. */
const WAIT_MS_MAX = 60_000

/** Milliseconds between two looks: a twentieth of what has passed, since a look may be a request, and a long wait costs many. */
const PAUSE_MS_MIN = 2
const PAUSE_MS_MAX = 25
const WAITED_PER_PAUSE = 20

/**
 * Resolves once `isSo`, looked at after each `step`. Throws with the condition when that takes too long. Default step: lets the sockets
 * have their turn.
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
