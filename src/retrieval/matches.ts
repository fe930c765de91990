/** What a corpus finds. */
import type { Pieces } from '../domain/pieces.js'
import type { MemoryEntry } from '../domain/session.js'

export interface SimilarEntry {
  readonly entry: MemoryEntry
  /** Highest cosine among the memory's parts, -1..1. */
  readonly similarity: number
}

/** The same with its document number. */
export interface SimilarDocument extends SimilarEntry {
  readonly document: number
}

export interface NearestOptions {
  readonly limit: number
  /** Epoch seconds: what expired by then is not returned. */
  readonly now: number
  /** Lowest cosine returned. Default: -1. */
  readonly floor?: number
  /** Further condition. Default: every memory. */
  readonly accept?: (entry: MemoryEntry) => boolean
}

/** Memories go by their document numbers, here as for words: most of them are never read. */
export interface Measures {
  /** Cosine of the memory's nearest part, -1..1. */
  of(document: number): number
  /**
   * The greater of `least` and the highest cosine among the memories around one that are alive: those beside it, and the other half of
   * its exchange.
   */
  around(document: number, least: number): number
}

export interface WordMatches {
  /** At least 0; 1 for a text that holds every word of the query once, in itself or partly in its neighbours. */
  of(document: number): number
  /** The best ones in no order: of equals the newest, and only scores above 0. `accept`: a further condition. Default: every memory. */
  best(options: { readonly limit: number; readonly accept?: (entry: MemoryEntry) => boolean }): Pieces<number[]>
}
