/** Remembers vectors of texts, and embeds a text that several callers want at once only once. */
import { createHash } from 'node:crypto'
import type { Embedder } from '../ports.js'
import { cancelled, orCancelled } from './cancellation.js'

/** Some 32,000 vectors of 384 numbers, at the cost of a small part of a 2 GB machine. */
export const CACHE_BYTES_DEFAULT = 64 * 1024 * 1024

/** What a vector costs beside its numbers: key, map entry, typed array. Node 20 measured 537 over 20,000 entries of 384 numbers. */
const ENTRY_BYTES = 544

export interface EmbeddingCache {
  /** The same embedder, remembered. Vectors handed out are copies: callers may change them. */
  wrap(embedder: Embedder): Embedder
  /** Forgets everything, and what is under way is not kept either. To be called after an erasure: a vector follows from its text. */
  clear(): void
  /** Bytes held, as they count against the limit. */
  readonly bytes: number
}

/** One call of the wrapped embedder, shared by all who wait for any of its texts. */
interface Flight {
  readonly vectors: Promise<Float32Array[]>
  readonly controller: AbortController
  waiters: number
}

interface Seat {
  readonly flight: Flight
  readonly index: number
}

/**
 * Least recently used vectors leave first. Texts are kept as SHA-256 digests only. Failures are never kept. A caller that gives up
 * stops waiting; the work stops when the last one does. Not guaranteed: that two subjects cannot tell from its latency whether
 * the other one embedded the very same text lately.
 */
export function createEmbeddingCache(bytesMax: number = CACHE_BYTES_DEFAULT): EmbeddingCache {
  const kept = new Map<string, Float32Array>()
  const flying = new Map<string, Seat>()
  let bytes = 0
  let generation = 0

  function touch(key: string): Float32Array | undefined {
    const vector = kept.get(key)
    if (vector === undefined) return undefined
    kept.delete(key)
    kept.set(key, vector)
    return vector
  }

  function keep(key: string, vector: Float32Array): void {
    const size = vector.byteLength + ENTRY_BYTES
    if (size > bytesMax || kept.has(key)) return
    kept.set(key, vector)
    bytes += size
    for (const [oldest, old] of kept) {
      if (bytes <= bytesMax) return
      kept.delete(oldest)
      bytes -= old.byteLength + ENTRY_BYTES
    }
  }

  function release(keys: readonly string[], flight: Flight): void {
    for (const key of keys) if (flying.get(key)?.flight === flight) flying.delete(key)
  }

  function launch(embedder: Embedder, dimension: number, missing: ReadonlyMap<string, string>): void {
    const keys = [...missing.keys()]
    const controller = new AbortController()
    const startedIn = generation
    const vectors = embedder.embed([...missing.values()], { dimension, signal: controller.signal })
    const flight: Flight = { vectors, controller, waiters: 0 }
    keys.forEach((key, index) => flying.set(key, { flight, index }))
    controller.signal.addEventListener('abort', () => release(keys, flight), { once: true })
    const land = (results: readonly Float32Array[]): void => {
      release(keys, flight)
      if (generation === startedIn) keys.forEach((key, index) => keep(key, results[index] as Float32Array))
    }
    vectors.then(land, () => release(keys, flight))
  }

  return {
    get bytes() {
      return bytes
    },
    clear() {
      generation++
      kept.clear()
      flying.clear()
      bytes = 0
    },
    wrap: (embedder) => ({
      modelName: embedder.modelName,
      windowTokens: embedder.windowTokens,
      countTokens: (text) => embedder.countTokens(text),
      async embed(texts, { dimension, signal }) {
        if (signal?.aborted) throw cancelled(signal)
        const keys = texts.map((text) => keyOf(embedder.modelName, dimension, text))
        const known = new Map<string, Float32Array>()
        const missing = new Map<string, string>()
        keys.forEach((key, index) => {
          const vector = touch(key)
          if (vector !== undefined) known.set(key, vector)
          else if (!flying.has(key)) missing.set(key, texts[index] as string)
        })
        if (missing.size > 0) launch(embedder, dimension, missing)
        const seats = new Map<string, Seat>()
        for (const key of keys) {
          const seat = known.has(key) ? undefined : flying.get(key)
          if (seat !== undefined) seats.set(key, seat)
        }
        for (const [key, vector] of await landed(seats, signal)) known.set(key, vector)
        return keys.map((key) => (known.get(key) as Float32Array).slice())
      }
    })
  }
}

/** Waits for all seats' flights, or until `signal` aborts; a flight that everyone left is called off. */
async function landed(seats: ReadonlyMap<string, Seat>, signal: AbortSignal | undefined): Promise<Map<string, Float32Array>> {
  const flights = [...new Set([...seats.values()].map((seat) => seat.flight))]
  for (const flight of flights) flight.waiters++
  try {
    const results = await orCancelled(Promise.all(flights.map((flight) => flight.vectors)), signal)
    return new Map([...seats].map(([key, { flight, index }]) => [key, results[flights.indexOf(flight)]?.[index] as Float32Array]))
  } finally {
    for (const flight of flights) {
      flight.waiters--
      if (flight.waiters === 0) flight.controller.abort()
    }
  }
}

function keyOf(modelName: string, dimension: number, text: string): string {
  return `${modelName} ${dimension} ${createHash('sha256').update(text, 'utf16le').digest('base64')}`
}
