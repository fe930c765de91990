import type { Embedder } from '../ports.js'

/** An embedder that holds a process, connections or timers. */
export interface OpenEmbedder extends Embedder {
  /** Refuses new calls, waits for accepted ones, frees the rest. Closing twice is fine. */
  close(): Promise<void>
}
