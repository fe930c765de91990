/** When the page looks again at what it shows. */
import type { Timers } from '../client/timers.js'

/** Milliseconds between two beats at least: with a session open each is five calls, and the rate limit is there for the application's. */
const BEAT_MS = 2_000

interface Beats {
  /** It beats at once, or when the pause after the last beat is over. */
  readonly ask: () => void
  readonly close: () => void
}

/** While nobody sees the page it does not beat; what was asked for then is for `ask` to make good. */
export function createBeats(beat: () => void, isHidden: () => boolean, timers: Pick<Timers, 'after'>): Beats {
  let resting: (() => void) | undefined
  let isAsked = false
  const ask = (): void => {
    isAsked = true
    if (resting !== undefined || isHidden()) return
    isAsked = false
    resting = timers.after(BEAT_MS, () => {
      resting = undefined
      if (isAsked) ask()
    })
    beat()
  }
  return { ask, close: () => resting?.() }
}
