/** The retrieval pipeline: retrieve, fuse, rerank. */
import type { StageTiming } from '../domain/commands/session-commands.js'
import type { Pieces } from '../domain/pieces.js'
import type { Memory } from '../domain/session.js'
import type { Corpus } from './corpus.js'
import { fuse } from './fuse.js'
import type { WordMatches } from './matching.js'
import type { Hit, LeadingCandidate, Retrieval, RetrievalQuery } from './query.js'
import { rerank } from './rerank.js'
import { type Candidate, retrieveCandidates } from './retrieve.js'
import { SUPERSESSION_TERMS_MAX } from './supersession.js'

/**
 * Hits best first, with the duration of each stage. Read-only; the corpus must not change meanwhile. `matches`: those that
 * `retrieveCandidates` takes.
 */
export function* retrieve(corpus: Corpus, query: RetrievalQuery, matches?: WordMatches): Pieces<Retrieval> {
  const stages: StageTiming[] = []
  let startedMs = query.monotonicMs()
  function finish(stage: StageTiming['stage'], candidates: number, leading: () => LeadingCandidate[]): void {
    const timing = { stage, durationMs: query.monotonicMs() - startedMs, candidates }
    stages.push(timing)
    query.watch?.(timing, leading())
    startedMs = query.monotonicMs()
  }
  const found = yield* retrieveCandidates(corpus, query, matches)
  finish('retrieve', found.items.length, () => best(found.items, ({ dense, lexical }) => Math.max(dense, lexical)).map(toFound))
  const fused = fuse(found, query.denseWeight)
  const withFused = (candidate: Candidate, at: number) => ({ ...candidate, fused: fused.relevance[at] as number })
  finish('fuse', fused.items.length, () => best(fused.items.map(withFused), (candidate) => candidate.fused).map(toFused))
  const hits = yield* rerank(fused, query, {
    words: found.words,
    asked: found.terms,
    isOfTime: found.isOfTime,
    termsOf: ({ memory }) => corpus.terms(memory.id, SUPERSESSION_TERMS_MAX),
    isNext: (newer, older) => isNext(corpus, newer, older)
  })
  finish('rerank', hits.length, () => hits.slice(0, LEADING_MAX).map(toLeading))
  return { hits, stages }
}

/** Candidates that a watcher gets per stage: as many as compete for a context block. */
const LEADING_MAX = 12

function best<C extends Candidate>(candidates: readonly C[], scoreOf: (candidate: C) => number): C[] {
  return [...candidates].sort((a, b) => scoreOf(b) - scoreOf(a)).slice(0, LEADING_MAX)
}

function toFound({ entry, dense, lexical }: Candidate): LeadingCandidate {
  return { memoryHash: entry.memory.hash, score: null, components: { dense, lexical } }
}

function toFused({ entry, dense, lexical, fused }: Candidate & { readonly fused: number }): LeadingCandidate {
  return { memoryHash: entry.memory.hash, score: fused, components: { dense, lexical, fused } }
}

function toLeading({ entry, score, components }: Hit): LeadingCandidate {
  return { memoryHash: entry.memory.hash, score, components }
}

/** Memories examined between two by the same side: an answer, and those told beside it. */
const BETWEEN_MAX = 4

/** Whether `newer` is the next memory by the same side after `older`. */
function isNext(corpus: Corpus, newer: Memory, older: Memory): boolean {
  let looked = 0
  for (const { memory } of corpus.ordered(older.seq)) {
    if (memory.id === newer.id) return true
    if (++looked > BETWEEN_MAX || (memory.role === newer.role && memory.userId === newer.userId)) return false
  }
  return false
}
