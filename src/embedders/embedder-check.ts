/** Readiness of the embedder, asked often and answered from a short memory. */
import type { Clock } from '../ports.js'

/** A good answer holds for 30 s: probes cost a request each, at a paid service money. A bad one for 2 s, to recover soon. */
const GOOD_TTL_MS = 30_000
const BAD_TTL_MS = 2_000

/** `Embedders.check`: runs `probe` at most once per time to live, never twice at once; throws what it threw. */
export function createEmbedderCheck({ clock, probe }: { clock: Clock; probe: () => Promise<void> }): () => Promise<void> {
  let last: Promise<void> | null = null
  let freshUntilMs = Infinity
  return async () => {
    if (last === null || clock.monotonicMs() >= freshUntilMs) {
      freshUntilMs = Infinity
      last = probe()
      last.then(
        () => (freshUntilMs = clock.monotonicMs() + GOOD_TTL_MS),
        () => (freshUntilMs = clock.monotonicMs() + BAD_TTL_MS)
      )
    }
    return last
  }
}
