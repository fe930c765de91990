/** Brings a session to what it would be, had the memories that are gone (or reworded) never been as they were. */
import { driftPhase } from '../../src/domain/drift.js'
import type { Fold, MemoryEntry } from '../../src/domain/session.js'
import { understandingPhase } from '../../src/domain/understanding.js'
import { putStats } from './entries.js'
import { coherence, driftOf, withFold } from './folds.js'
import { memoryVector } from './memory-vector.js'
import type { SessionHead, SessionState } from './state.js'
import { createTopics, isFolded, type Topics } from './topics.js'
import type { Work } from './work.js'

/**
 * Replays the fold log over the memories that are left: drift, segments and phases are decided again, in order.
 * Exact while the log reaches back to the session's first fold; folds older than the log keep what was decided.
 * Cost: one drift measure a fold, at most FOLD_LOG_MAX of them.
 */
export function refold(work: Work): void {
  const { state } = work
  const before = state.head
  const logged = new Set(before.folds.map((fold) => fold.memoryId))
  const topics = createTopics(before.settings.dimension)
  for (const entry of state.corpus.ordered()) if (!logged.has(entry.memory.id)) topics.add(entry)
  const folds = replay(work, topics)
  state.topics = topics
  state.head = { ...before, folds, ...assessment(state, folds, work.services.driftThreshold), topicSwitches: switchesAfter(before, folds) }
}

/** What the head says of the last turn, derived from the folds. */
export function assessment(state: SessionState, folds: readonly Fold[], driftThreshold: number): Pick<SessionHead, 'segment' | 'driftScore' | 'driftPhase' | 'phase'> {
  const last = folds.findLast((fold) => fold.role === 'user')
  const driftScore = last?.driftScore ?? 0
  const { mean, variance } = coherence(folds)
  return {
    segment: folds.at(-1)?.segment ?? 0,
    driftScore,
    driftPhase: driftPhase(driftScore, driftThreshold),
    phase: understandingPhase({
      interactionCount: state.head.interactionCount,
      meanSimilarity: mean,
      similarityVariance: variance,
      driftScore,
      driftThreshold,
    }),
  }
}

function replay(work: Work, topics: Topics): readonly Fold[] {
  const { state, services } = work
  const placed = new Set<string>()
  let folds: readonly Fold[] = []
  let segment = topics.list().length === 0 ? 0 : (state.head.folds[0]?.segment ?? 0)
  for (const fold of state.head.folds) {
    const entry = state.corpus.get(fold.memoryId)
    if (entry === undefined) continue
    const vector = memoryVector(entry.memory)
    const isUser = fold.role === 'user'
    const measure = isUser ? driftOf(state, { vector, terms: state.corpus.terms(fold.memoryId) }, folds) : null
    const driftScore = measure?.score ?? 0
    if (isUser && state.head.settings.enableTopicSwitch) {
      segment = topics.choose({ vector, driftScore, driftThreshold: services.driftThreshold, currentId: segment }).id
    }
    if (!placed.has(fold.memoryId)) topics.add(placeIn(work, entry, segment))
    placed.add(fold.memoryId)
    folds = withFold(folds, { ...fold, dissimilarity: measure?.dissimilarity ?? 0, driftScore, segment })
  }
  return folds
}

function placeIn(work: Work, entry: MemoryEntry, segment: number): MemoryEntry {
  if (entry.stats.segment === segment || !isFolded(entry.memory)) return entry
  const placed = { memory: entry.memory, stats: { ...entry.stats, segment } }
  putStats(work, placed)
  return placed
}

function switchesAfter(before: SessionHead, folds: readonly Fold[]): number {
  return Math.max(0, before.topicSwitches - switchesIn(before.folds) + switchesIn(folds))
}

function switchesIn(folds: readonly Fold[]): number {
  return folds.filter((fold, at) => at > 0 && fold.segment !== folds[at - 1]?.segment).length
}
