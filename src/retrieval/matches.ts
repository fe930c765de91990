/** Results of searching a corpus. */
import type { Pieces } from '../domain/pieces.js'
import type { MemoryEntry } from '../domain/session.js'

export interface SimilarEntry {
  readonly entry: MemoryEntry
  /** Highest cosine among the memory's parts, -1..1. */
  readonly similarity: number
}

/** A similar entry with its document number. */
export interface SimilarDocument extends SimilarEntry {
  readonly document: number
}

export interface NearestOptions {
  readonly limit: number
  /** Epoch seconds. Memories that expired by then are not returned. */
  readonly now: number
  /** Further condition. Default: every memory. */
  readonly accept?: (entry: MemoryEntry) => boolean
}

/** Cosines to one vector. Memories are named by document number, as in `WordMatches`, because most of them are never read. */
export interface Measures {
  /** Cosine of the memory's nearest part, -1..1. */
  of(document: number): number
  /**
   * The greater of `least` and the highest cosine among the unexpired memories around this one: its neighbours and the other half of its
   * exchange.
   */
  around(document: number, least: number): number
}

export interface WordMatches {
  /** Score, at least 0. It is 1 if every word of the query occurs once, in the text itself or partly in its neighbours. */
  of(document: number): number
  /** The best documents with scores above 0, in no order; ties go to the newest. `accept`: further condition. Default: every memory. */
  best(options: { readonly limit: number; readonly accept?: (entry: MemoryEntry) => boolean }): Pieces<number[]>
}
