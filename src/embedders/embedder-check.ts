/** Readiness of the embedder, asked often and answered from a short memory. */
import type { Clock } from '../ports.js'

/**
 * Milliseconds that an answer holds. Every request that embeds tells as much, so that a probe costs a call only where nobody else makes
 * one; with the 2 s that readiness gives a probe, and the 1 s that its own answer holds, a failure shows within 5 s.
 */
const GOOD_TTL_MS = 1_500
const BAD_TTL_MS = 500

export interface EmbedderCheckOptions {
  readonly clock: Clock
  readonly probe: () => Promise<void>
  /** Whether calls have failed since the model answered last: a good answer then holds no longer. Default: not known. */
  readonly isFailing?: () => boolean
}

/** `Embedders.check`: runs `probe` at most once per time to live, never twice at once; throws what it threw. */
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
