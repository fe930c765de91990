/** What retrieval is asked, and what it answers. */
import type { StageTiming } from '../domain/commands/session-commands.js'
import type { MemoryEntry, PolicyVector } from '../domain/session.js'
import type { TextReading } from '../domain/text/reading.js'
import type { WeightedTerms } from '../domain/words/word-forms.js'

/** A topic segment as retrieval sees it. */
export interface SegmentPrototype {
  readonly id: number
  /** Unit length. */
  readonly centroid: Float32Array
  /** Ids of the memories that stand for the segment. */
  readonly representatives: readonly string[]
}

export interface RetrievalQuery {
  /** At least one of text and vector. Default: no word search. */
  readonly text?: string
  /** The text as it was read. Default: it is read. */
  readonly reading?: TextReading
  /** Unit vector of the session's dimension, or all zeros. Default: no vector search. */
  readonly vector?: Float32Array
  /** Epoch seconds: what expired by then is not found. */
  readonly now: number
  /** Most hits returned, 1..SEARCH_TOP_K_MAX. */
  readonly limit: number
  /** Which memories may be hits; others still lend their words to their neighbours. Default: every memory. */
  readonly accept?: (entry: MemoryEntry) => boolean
  /** Default: none. */
  readonly policyVectors?: readonly PolicyVector[]
  /** Unit vectors of the session's anchors. Default: none. */
  readonly anchors?: readonly Float32Array[]
  /** What those make of memories: kept here for the next query with the same ones. Default: worked out once more. */
  readonly steerings?: Map<MemoryEntry, Steering>
  /** Given when the session uses its cortex: hits of a broad query are then drawn from several segments. */
  readonly segments?: readonly SegmentPrototype[]
  /** Weight of the cosine beside that of the words, which is 1; see denseWeightOf. Default: that of a learned model. */
  readonly denseWeight?: number
  /** Told of each stage as it ends. Default: nobody. */
  readonly watch?: (stage: StageTiming, leading: readonly LeadingCandidate[]) => void
  /** Milliseconds that only grow, for the timings. */
  readonly monotonicMs: () => number
}

/** What a score is made of; each row of the debugger and of an explained search. */
export interface ScoreComponents {
  /** Cosine to the query, -1..1, that of a neighbour counted in part. */
  readonly dense: number
  /** Cosine that counts as nothing: that of unrelated texts, where a learned model lifts all cosines; 0..1. */
  readonly ground: number
  /** 0..1: share of `dense` in `fused`; the rest is that of `lexical`, and nothing where neither could be looked for. */
  readonly blend: number
  /**
   * Words shared with the query, those of neighbours counted in part; above 1 where they are said again and again. Of a query for a time
   * that share which is about it: whether it was told then.
   */
  readonly lexical: number
  /** blend · max(0, (dense - ground) / (1 - ground)) + (1 - blend) · lexical. */
  readonly fused: number
  /** Factors on `fused`; 1 leaves it as it is. Their product is the score, which is 1 at most. */
  readonly recency: number
  readonly importance: number
  readonly question: number
  readonly speaker: number
  readonly policy: number
  readonly anchor: number
  /** Above 1 for a memory that is put before an older one on the same matter. */
  readonly supersession: number
  /** Below 1 for a memory that says again what a better hit says, or crowds its segment. */
  readonly diversity: number
}

/** What the session's own vectors make of a memory, whatever is asked. */
export type Steering = Pick<ScoreComponents, 'policy' | 'anchor'>

/** One of the best that a stage made, as far as it is judged by then. */
export interface LeadingCandidate {
  readonly memoryHash: string
  /** 0..1; null before the two rankings are one. */
  readonly score: number | null
  readonly components: Partial<ScoreComponents>
}

export interface Hit {
  readonly entry: MemoryEntry
  /** Relevance, 0..1. */
  readonly score: number
  readonly components: ScoreComponents
  /** Hash of a newer memory that says something else of the same matter. */
  readonly supersededBy: string | null
}

export interface Retrieval {
  /** Best first. */
  readonly hits: readonly Hit[]
  readonly stages: readonly StageTiming[]
}

/** The words that a text is searched by, each alike. */
export function queryWords({ counts }: Pick<TextReading, 'counts'>): WeightedTerms {
  return new Map(Array.from(counts.keys(), (term) => [term, 1]))
}
