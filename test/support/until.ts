import { createSystemClock } from '../../src/platform/clock.js'

/** Milliseconds that anything in a test is waited for: what has not come by then does not come. */
const WAIT_MS_MAX = 60_000

const PAUSE_MS = 2

/**
 * Resolves once `isSo`, looked at after each `step`. Throws with the condition when that takes too long. Default step: lets the sockets
 * have their turn.
 */
export async function until(isSo: () => boolean | Promise<boolean>, step: () => Promise<unknown> = pause): Promise<void> {
  const clock = createSystemClock()
  const startedAtMs = clock.monotonicMs()
  while (!(await isSo())) {
    if (clock.monotonicMs() - startedAtMs > WAIT_MS_MAX) throw new Error(`It never became so: ${isSo.toString()}`)
    await step()
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => createSystemClock().after(PAUSE_MS, resolve))
}
