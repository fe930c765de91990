import type { Embedder } from '../ports.js'

/** An embedder that holds resources: a process, connections or timers. */
export interface OpenEmbedder extends Embedder {
  /** Refuses new calls, waits for accepted ones and frees the resources. Safe to call twice. */
  close(): Promise<void>
}
