/** Readiness check of the embedder, cached for a short time because it is asked often. */
import type { Clock } from '../ports.js'

/**
 * Milliseconds that a good and a bad answer stay valid. Requests that embed also detect failures, so a probe makes a call only where no
 * request does. With the 2 s that readiness gives a probe, and the 1 s for which it caches its own answer, a failure shows within 5 s.
 */
const GOOD_TTL_MS = 1_500
const BAD_TTL_MS = 500

interface EmbedderCheckOptions {
  readonly clock: Clock
  readonly probe: () => Promise<void>
  /** Whether calls have failed since the model's last answer; a good result then expires at once. Default: never. */
  readonly isFailing?: () => boolean
}

/** Makes `Embedders.check`: runs `probe` at most once per time to live and never twice at once; throws what it threw. */
export function createEmbedderCheck({ clock, probe, isFailing = () => false }: EmbedderCheckOptions): () => Promise<void> {
  let last: Promise<void> | null = null
  let isGood = false
  let freshUntilMs = Infinity
  return async () => {
    const isOutdated = isGood && isFailing()
    if (last === null || isOutdated || clock.monotonicMs() >= freshUntilMs) {
      freshUntilMs = Infinity
      isGood = false
      last = probe()
      last.then(
        () => {
          isGood = true
          freshUntilMs = clock.monotonicMs() + GOOD_TTL_MS
        },
        () => (freshUntilMs = clock.monotonicMs() + BAD_TTL_MS)
      )
    }
    return last
  }
}
