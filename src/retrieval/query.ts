/** Queries to retrieval and their results. */
import type { StageTiming } from '../domain/commands/session-commands.js'
import { isAlive } from '../domain/expiry.js'
import type { MemoryEntry, PolicyVector } from '../domain/session.js'
import type { TextReading } from '../domain/text/reading.js'

/** A topic segment as retrieval sees it. */
export interface SegmentPrototype {
  /** Unit length. */
  readonly centroid: Float32Array
  /** Ids of the memories that represent the segment. */
  readonly representatives: readonly string[]
}

/** Which memories a search may return. */
export interface SearchFilter {
  /** Epoch seconds. Memories that expired by then are not returned. */
  readonly now: number
  /** Further condition. Rejected memories still lend their words to their neighbours. Default: every memory. */
  readonly accept?: ((entry: MemoryEntry) => boolean) | undefined
}

export interface SearchOptions extends SearchFilter {
  /** Most memories to return. */
  readonly limit: number
}

export function passes(entry: MemoryEntry, { now, accept }: SearchFilter): boolean {
  return isAlive(entry.memory, now) && accept?.(entry) !== false
}

/** `limit`: 1..SEARCH_TOP_K_MAX. */
export interface RetrievalQuery extends SearchOptions {
  /** At least one of `text` and `vector` is required. Default: no word search. */
  readonly text?: string
  /** The text as already read. Default: it is read here. */
  readonly reading?: TextReading
  /** Unit vector of the session's dimension, or all zeros. Default: no vector search. */
  readonly vector?: Float32Array
  /** Default: none. */
  readonly policyVectors?: readonly PolicyVector[]
  /** Unit vectors of the session's anchors. Default: none. */
  readonly anchors?: readonly Float32Array[]
  /** Cache of the factors of `policyVectors` and `anchors` by memory, for later queries with the same ones. Default: none. */
  readonly steerings?: Map<MemoryEntry, Steering>
  /** Present when the session uses its cortex: hits of a broad query are then drawn from several segments. */
  readonly segments?: readonly SegmentPrototype[]
  /** Weight of the cosine, relative to 1 for words; see `denseWeightOf`. Default: that of a learned model. */
  readonly denseWeight?: number
  /** Called as each stage ends. Default: none. */
  readonly watch?: (stage: StageTiming, leading: readonly LeadingCandidate[]) => void
  /** Monotonic milliseconds, for the timings. */
  readonly monotonicMs: () => number
}

/** Components of a score, as the debugger and an explained search show them. */
export interface ScoreComponents {
  /** Cosine to the query, -1..1; includes a part of the neighbours' cosines. */
  readonly dense: number
  /** Cosine of unrelated texts, 0..1, which counts as zero: some learned models raise all cosines. */
  readonly ground: number
  /** Share of `dense` in `fused`, 0..1; `lexical` has the rest. 0 when neither could be computed. */
  readonly blend: number
  /**
   * Words shared with the query, neighbours' words counted in part; above 1 for words repeated often. In a query for a time, a share of it
   * tells whether the memory was told then.
   */
  readonly lexical: number
  /** blend · max(0, (dense - ground) / (1 - ground)) + (1 - blend) · lexical. */
  readonly fused: number
  /** Factors on `fused`; 1 is neutral. The score is `fused` times all of them, at most 1. */
  readonly recency: number
  readonly importance: number
  readonly question: number
  readonly speaker: number
  readonly policy: number
  readonly anchor: number
  /** Above 1 for a memory that is put before an older one on the same matter. */
  readonly supersession: number
  /** Below 1 for a memory that repeats a better hit, or whose segment already has better hits. */
  readonly diversity: number
}

/** Factors from the session's own vectors, independent of the query. */
export type Steering = Pick<ScoreComponents, 'policy' | 'anchor'>

/** One of the best candidates after a stage, with the components computed so far. */
export interface LeadingCandidate {
  readonly memoryHash: string
  /** 0..1; null until vector and word scores are fused. */
  readonly score: number | null
  readonly components: Partial<ScoreComponents>
}

export interface Hit {
  readonly entry: MemoryEntry
  /** Relevance, 0..1. */
  readonly score: number
  readonly components: ScoreComponents
  /** Hash of a newer memory that says something else on the same matter. */
  readonly supersededBy: string | null
}

export interface Retrieval {
  /** Best first. */
  readonly hits: readonly Hit[]
  readonly stages: readonly StageTiming[]
}

/** Content terms of a text, by which its words are searched. */
export function queryTerms({ counts }: Pick<TextReading, 'counts'>): ReadonlySet<string> {
  return new Set(counts.keys())
}
