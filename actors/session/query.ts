import { representatives, segmentCentroid } from '../../src/domain/topic-segments.js'
import { denseWeightOf } from '../../src/retrieval/fuse.js'
import type { RetrievalQuery, SegmentPrototype } from '../../src/retrieval/query.js'
import { anchorVectors } from './folds.js'
import { memoryVector } from './memory-vector.js'
import type { SessionState } from './state.js'
import type { SessionServices, Work } from './work.js'

/** Whose session is asked, and when. */
export type Asking = Pick<Work, 'state' | 'now'> & { readonly services: Pick<SessionServices, 'monotonicMs'> }

/** A retrieval query with everything that the session itself has to say to it. */
export function sessionQuery({ state, services, now }: Asking, asked: Pick<RetrievalQuery, 'text' | 'reading' | 'vector' | 'limit' | 'accept'>): RetrievalQuery {
  const { settings } = state.head
  return {
    ...asked,
    now,
    policyVectors: settings.policyVectors,
    anchors: anchorVectors(state),
    denseWeight: denseWeightOf(settings.modelName),
    monotonicMs: services.monotonicMs,
    ...(settings.useCortex && { segments: prototypes(state) }),
  }
}

/** One prototype a topic segment: its centroid and the memories that say most of it. */
export function prototypes(state: SessionState): SegmentPrototype[] {
  return state.topics.list().flatMap((segment) => {
    const centroid = segmentCentroid(segment)
    if (centroid === null) return []
    const members = state.topics.members(segment.id).flatMap((id) => {
      const entry = state.corpus.get(id)
      return entry === undefined ? [] : [{ id, vector: memoryVector(entry.memory), importance: entry.stats.importance }]
    })
    return [{ id: segment.id, centroid, representatives: representatives(centroid, members) }]
  })
}
