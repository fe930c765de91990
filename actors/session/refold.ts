/** Brings a session to what it would be, had the memories that are gone (or reworded) never been as they were. */
import { COUNT_MAX } from '../../src/domain/limits.js'
import { nextDriftPhase } from '../../machines/drift-machine.js'
import { nextUnderstandingPhase } from '../../machines/understanding-machine.js'
import type { Fold, MemoryEntry } from '../../src/domain/session.js'
import { putStats } from './entries.js'
import { coherence, driftInput, driftOf, foldShare, isPendingFold, withFold } from './folds.js'
import { olderFolds, type OlderFolds } from './older-folds.js'
import type { SessionHead, SessionState } from './state.js'
import { isFolded, type Topics } from './topics.js'
import type { Work } from './work.js'

/**
 * Replays the fold log over the memories that are left: drift, segments and phases are decided again, in order, from the first
 * fold that is gone or of `rewordedId` on. Older folds take the place of those that are gone. Exact while the log then reaches back
 * to the session's first fold; what is older keeps what was decided. Cost: one drift measure a fold, at most FOLD_LOG_MAX of them.
 */
export function refold(work: Work, rewordedId?: string): void {
  const { state } = work
  const before = state.head
  const left = before.folds.filter((fold) => state.corpus.get(fold.memoryId) !== undefined)
  const older = olderFolds(state, left)
  for (const id of new Set([...older.folds, ...left].map((fold) => fold.memoryId))) {
    const entry = state.corpus.get(id)
    if (entry !== undefined) state.topics.remove(entry)
  }
  const folds = replay(work, state.topics, { older, rewordedId })
  const topicSwitches = older.isWhole ? switchesIn(folds) : switchesAfter(before, folds.slice(older.folds.length))
  state.head = { ...before, folds, ...assessment(state, folds, work.services.driftThreshold), topicSwitches }
}

/** What the head says of the last turn, derived from the folds. */
export function assessment(state: SessionState, folds: readonly Fold[], driftThreshold: number): Pick<SessionHead, 'segment' | 'driftScore' | 'driftPhase' | 'phase'> {
  const last = folds.findLast((fold) => fold.role === 'user' && fold.turn > 0)
  const driftScore = last?.driftScore ?? 0
  const segment = folds.at(-1)?.segment ?? 0
  const { interactionCount } = state.head
  // Nothing is known of the last turn yet: the phases stand.
  if (last !== undefined && isPendingFold(state, last)) return { segment, driftScore, driftPhase: state.head.driftPhase, phase: state.head.phase }
  const { mean, variance } = coherence(state, folds)
  const signs = { interactionCount, meanSimilarity: mean, similarityVariance: variance, driftScore, driftThreshold }
  return {
    segment,
    driftScore,
    driftPhase: nextDriftPhase(state.head.driftPhase, { type: 'drift.score', score: driftScore, threshold: driftThreshold }),
    phase: nextUnderstandingPhase(state.head.phase, { type: 'understanding.assess', signs }),
  }
}

function replay(work: Work, topics: Topics, { older, rewordedId }: { older: OlderFolds; rewordedId: string | undefined }): readonly Fold[] {
  const { state } = work
  const placed = new Set<string>()
  const log = [...older.folds, ...state.head.folds]
  let folds: readonly Fold[] = []
  let segment = topics.list().length === 0 ? 0 : (log[0]?.segment ?? 0)
  let isChanged = older.folds.length > 0
  for (const [at, fold] of log.entries()) {
    const entry = state.corpus.get(fold.memoryId)
    isChanged ||= entry === undefined || fold.memoryId === rewordedId
    if (entry === undefined) continue
    const decided = isChanged ? decidedAnew(work, { fold, entry, before: folds, topics, segment }) : fold
    // What lies before an older fold, and decided its segment, may not be here.
    const next = at < older.folds.length && !older.isWhole ? { ...decided, segment: fold.segment } : decided
    segment = next.segment
    if (!placed.has(fold.memoryId)) topics.add(placeIn(work, entry, segment))
    placed.add(fold.memoryId)
    folds = withFold(folds, next)
  }
  return folds
}

function decidedAnew(work: Work, at: { fold: Fold; entry: MemoryEntry; before: readonly Fold[]; topics: Topics; segment: number }): Fold {
  const { fold, entry, before, topics, segment } = at
  const { state, services } = work
  if (fold.role !== 'user') return { ...fold, segment }
  if (entry.memory.isPending) return { ...fold, dissimilarity: 0, driftScore: 0, segment }
  const input = driftInput(state, entry.memory)
  const { score, dissimilarity } = driftOf(state, input, before)
  if (fold.turn === 0) return { ...fold, dissimilarity, segment }
  const question = { vector: input.vector, driftScore: score, driftThreshold: services.driftThreshold, currentId: segment }
  const chosen = state.head.settings.enableTopicSwitch && foldShare(fold) === 1 ? topics.choose(question).id : segment
  return { ...fold, dissimilarity, driftScore: score, segment: chosen }
}

function placeIn(work: Work, entry: MemoryEntry, segment: number): MemoryEntry {
  if (entry.stats.segment === segment || !isFolded(entry)) return entry
  const placed = { memory: entry.memory, stats: { ...entry.stats, segment } }
  putStats(work, placed)
  return placed
}

function switchesAfter(before: SessionHead, folds: readonly Fold[]): number {
  return Math.min(COUNT_MAX, Math.max(0, before.topicSwitches - switchesIn(before.folds) + switchesIn(folds)))
}

function switchesIn(folds: readonly Fold[]): number {
  return folds.filter((fold, at) => at > 0 && fold.segment !== folds[at - 1]?.segment).length
}
