/** Pool of loaded models, few at a time, with least-recently-used eviction. */
import type { Attempt } from './attempts.js'
import { unavailable } from './cancellation.js'
import type { OpenEmbedder } from './open-embedder.js'

interface ModelPool {
  /** Returns the model, loading it if necessary. Throws what `open` throws; `embedder_unavailable` once closed. */
  get(modelName: string): Promise<OpenEmbedder>
  /** Exempts one model from eviction: the default for new sessions. */
  hold(modelName: string): void
  /** Closes every model and waits for their accepted calls. Safe to call twice. */
  close(): Promise<void>
}

interface ModelPoolOptions {
  readonly open: (modelName: string) => Promise<OpenEmbedder>
  readonly attempt: Attempt
  /** Maximum number of loaded models, the held one included. */
  readonly loadedMax: number
}

/** An evicted model finishes its accepted calls first; the next call for it loads it again. */
export function createModelPool({ open, attempt, loadedMax }: ModelPoolOptions): ModelPool {
  const loaded = new Map<string, OpenEmbedder>()
  const closing = new Set<Promise<void>>()
  let held: string | null = null
  let isClosed = false

  function retire(modelName: string, embedder: OpenEmbedder): void {
    loaded.delete(modelName)
    const closed = embedder.close().finally(() => closing.delete(closed))
    closing.add(closed)
  }

  async function load(modelName: string): Promise<OpenEmbedder> {
    const embedder = await open(modelName)
    if (isClosed) {
      await embedder.close()
      throw unavailable('The embedder is closed')
    }
    loaded.set(modelName, embedder)
    for (const [name, candidate] of loaded) {
      if (loaded.size <= loadedMax) break
      if (name !== held && name !== modelName) retire(name, candidate)
    }
    return embedder
  }

  return {
    async get(modelName) {
      if (isClosed) throw unavailable('The embedder is closed')
      const embedder = loaded.get(modelName)
      if (embedder === undefined) return attempt(`load ${modelName}`, () => load(modelName))
      loaded.delete(modelName)
      loaded.set(modelName, embedder)
      return embedder
    },
    hold(modelName) {
      held = modelName
    },
    async close() {
      isClosed = true
      for (const [modelName, embedder] of loaded) retire(modelName, embedder)
      await Promise.all(closing)
    }
  }
}
