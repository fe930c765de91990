import type { MemoryEntry } from '../domain/session.js'

/** Memories found by when they were told. */
export interface Told {
  /** Document numbers. */
  readonly documents: readonly number[]
  /** Relevance of a memory by words, `said`, combined with when it was told. */
  readonly relevance: (said: number, entry: MemoryEntry) => number
}
