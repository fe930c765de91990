/** Schedule of the page's beats: at each one it reloads what it shows. */
import type { Timers } from '../client/timers.js'

/** Minimum milliseconds between beats. With a session open a beat is five calls, and the rate limit is for the application's calls. */
const BEAT_MS = 2_000

interface Beats {
  /** Beats at once, or when the pause after the last beat is over. */
  readonly ask: () => void
  readonly close: () => void
}

/** Creates a schedule that does not beat while the page is hidden. Call `ask` once the page is visible to make up for it. */
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
