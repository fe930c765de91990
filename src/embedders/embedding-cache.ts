/** Caches the vectors of texts by subject. A text that several callers of a subject want at the same time is embedded once. */
import { createHash } from 'node:crypto'
import type { Cancel, Clock, Embedder } from '../ports.js'
import { TOMBSTONE_S } from '../domain/limits.js'
import { OWN_SUBJECT } from './batch-queue.js'
import { cancelled, orCancelled } from './cancellation.js'
import { createVectorShares } from './vector-shares.js'

/** Room for some 32,000 vectors of 384 numbers; a small part of a 2 GB machine. */
const CACHE_BYTES_DEFAULT = 64 * 1024 * 1024

/**
 * Milliseconds for which an unused vector is kept, and milliseconds between two looks for such. The text may have been deleted, which the
 * cache is not told. As long as a removed record leaves a tombstone.
 */
const KEPT_MS = TOMBSTONE_S * 1000
const LOOK_MS = 60_000

interface EmbeddingCache {
  /** Wraps an embedder with the cache. Returned vectors are copies, which callers may change. */
  wrap(embedder: Embedder): Embedder
  /**
   * Drops the vectors of a subject, or all; work under way is not cached either. Must be called after an erasure, since a vector is derived
   * from its text.
   */
  forget(subject?: string): void
  /** Bytes that count against the limit. */
  readonly bytes: number
  /** Drops everything, and stops its timer. */
  close(): void
}

interface EmbeddingCacheOptions {
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>
  /** Upper bound on the bytes of the vectors kept. Default: 64 MiB. */
  readonly bytesMax?: number
}

/** One call of the wrapped embedder, shared by all callers that wait for any of its texts. */
interface Flight {
  readonly subject: string
  readonly vectors: Promise<Float32Array[]>
  readonly controller: AbortController
  waiters: number
  /** Whether its texts were erased meanwhile; the result is then not cached. */
  isForgotten: boolean
}

interface Whose {
  readonly dimension: number
  readonly subject: string
}

interface Seat {
  readonly flight: Flight
  readonly index: number
}

/**
 * Creates a cache of at most `bytesMax` bytes. Subjects share neither entries nor work under way: a faster answer would tell one which
 * texts another has embedded. Eviction within a subject's share is least recently used, and what nobody has used for ten minutes goes
 * within another minute. Texts are kept only as SHA-256 digests. Failures are never cached. A caller that gives up stops waiting; the work
 * is aborted when the last caller does.
 */
export function createEmbeddingCache({ clock, bytesMax = CACHE_BYTES_DEFAULT }: EmbeddingCacheOptions): EmbeddingCache {
  const kept = createVectorShares(bytesMax, clock)
  const flying = new Map<string, Seat>()
  let cancelLook: Cancel | null = null

  function look(): void {
    kept.forgetUnused(KEPT_MS)
    cancelLook = kept.bytes === 0 ? null : clock.after(LOOK_MS, look)
  }

  function release(keys: readonly string[], flight: Flight): void {
    for (const key of keys) if (flying.get(key)?.flight === flight) flying.delete(key)
  }

  function launch(embedder: Embedder, { dimension, subject }: Whose, missing: ReadonlyMap<string, string>): void {
    const keys = [...missing.keys()]
    const controller = new AbortController()
    const vectors = embedder.embed([...missing.values()], { dimension, subject, signal: controller.signal })
    const flight: Flight = { subject, vectors, controller, waiters: 0, isForgotten: false }
    keys.forEach((key, index) => flying.set(key, { flight, index }))
    controller.signal.addEventListener('abort', () => release(keys, flight), { once: true })
    const land = (results: readonly Float32Array[]): void => {
      release(keys, flight)
      if (flight.isForgotten) return
      keys.forEach((key, index) => kept.keep(subject, key, results[index] as Float32Array))
      cancelLook ??= clock.after(LOOK_MS, look)
    }
    vectors.then(land, () => release(keys, flight))
  }

  function forget(subject?: string): void {
    kept.forget(subject)
    for (const [key, { flight }] of flying) {
      if (subject !== undefined && flight.subject !== subject) continue
      flight.isForgotten = true
      flying.delete(key)
    }
  }

  return {
    get bytes() {
      return kept.bytes
    },
    forget,
    close() {
      forget()
      cancelLook?.()
    },
    wrap: (embedder) => ({
      modelName: embedder.modelName,
      windowTokens: embedder.windowTokens,
      countTokens: (text) => embedder.countTokens(text),
      promptTokens: (text) => embedder.promptTokens?.(text) ?? embedder.countTokens(text),
      async embed(texts, { dimension, signal, subject = OWN_SUBJECT }) {
        if (signal?.aborted) throw cancelled(signal)
        const keys = texts.map((text) => keyOf(embedder.modelName, { dimension, subject }, text))
        const known = new Map<string, Float32Array>()
        const missing = new Map<string, string>()
        keys.forEach((key, index) => {
          const vector = kept.get(subject, key)
          if (vector !== undefined) known.set(key, vector)
          else if (!flying.has(key)) missing.set(key, texts[index] as string)
        })
        if (missing.size > 0) launch(embedder, { dimension, subject }, missing)
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

/** Waits for all flights, or until `signal` aborts. Aborts flights that no caller waits for any longer. */
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

/** The subject comes last, because it may be any text. */
function keyOf(modelName: string, { dimension, subject }: Whose, text: string): string {
  return `${modelName} ${dimension} ${createHash('sha256').update(text, 'utf16le').digest('base64')} ${subject}`
}
