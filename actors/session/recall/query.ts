import { representatives, segmentCentroid, type SegmentMember } from '../../../src/domain/drift/topic-segments.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { denseWeightOf } from '../../../src/retrieval/fuse.js'
import type { RetrievalQuery, SegmentPrototype } from '../../../src/retrieval/query.js'
import { memoryVector } from '../record/memory-vector.js'
import type { SessionState } from '../record/state.js'
import type { SessionServices, Work } from '../record/work.js'
import { anchorVectors } from '../semantic-state/folds.js'

/** Session that is queried, and the time. */
type Asking = Pick<Work, 'state' | 'now'> & { readonly services: Pick<SessionServices, 'monotonicMs'> }

/** Completes a retrieval query with what the session itself contributes. */
export function* sessionQuery(
  { state, services, now }: Asking,
  asked: Pick<RetrievalQuery, 'text' | 'reading' | 'vector' | 'limit' | 'accept' | 'watch'>
): Pieces<RetrievalQuery> {
  const { settings } = state.head
  // The spread of `asked` comes last: in V8, adding a field to an object made by a spread takes ten times as long and more.
  return {
    now,
    policyVectors: settings.policyVectors,
    anchors: anchorVectors(state),
    denseWeight: denseWeightOf(settings.modelName),
    monotonicMs: services.monotonicMs,
    ...asked,
    ...(settings.useCortex && { segments: yield* prototypes(state) })
  }
}

/** Returns one prototype per topic segment: its centroid and its most representative memories. */
function* prototypes(state: SessionState): Pieces<SegmentPrototype[]> {
  const found: SegmentPrototype[] = []
  for (const segment of state.topics.list()) {
    const centroid = segmentCentroid(segment)
    if (centroid === null) continue
    const members: SegmentMember[] = []
    for (const id of state.topics.members(segment.id)) {
      const entry = state.corpus.get(id)
      if (entry !== undefined) members.push({ id, vector: memoryVector(entry.memory), importance: entry.stats.importance })
    }
    found.push({ centroid, representatives: yield* representatives(centroid, members) })
    yield
  }
  return found
}
