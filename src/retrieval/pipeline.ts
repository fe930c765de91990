/** Retrieve, fuse, rerank: the memories that matter for a query. */
import type { StageTiming } from '../domain/session-commands.js'
import type { Corpus } from './corpus.js'
import { fuse } from './fuse.js'
import type { Hit, Retrieval, RetrievalQuery } from './query.js'
import { rerank } from './rerank.js'
import { retrieveCandidates } from './retrieve.js'

/** Hits best first, with the duration of each stage. Changes nothing; synchronous, so that it fits into one step of a session. */
export function retrieve(corpus: Corpus, query: RetrievalQuery): Retrieval {
  const stages: StageTiming[] = []
  let startedMs = query.monotonicMs()
  function finish(stage: StageTiming['stage'], candidates: number): void {
    const endedMs = query.monotonicMs()
    stages.push({ stage, durationMs: endedMs - startedMs, candidates })
    startedMs = endedMs
  }
  const found = retrieveCandidates(corpus, query)
  finish('retrieve', found.items.length)
  const fused = fuse(found, query.denseWeight)
  finish('fuse', fused.length)
  const hits = rerank(fused, query, found.words)
  finish('rerank', hits.length)
  return { hits, stages }
}

/** A second reading of query and memory together, such as a cross-encoder. */
export interface Reranker {
  /** One relevance in [0, 1] a text, in order. */
  score(query: string, texts: readonly string[]): Promise<readonly number[]>
}

/** The hits in the order of a reranker, which is asked outside of the session's step. Ties keep their order. */
export async function reread(hits: readonly Hit[], query: string, reranker: Reranker): Promise<Hit[]> {
  const scores = await reranker.score(query, hits.map((hit) => hit.entry.memory.text))
  return hits.map((hit, index) => ({ ...hit, score: scores[index] ?? 0 })).sort((a, b) => b.score - a.score)
}
