/** Brings a session to what it would be, had the memories that are gone (or reworded) never been as they were. */
import type { MindTask } from '../../../machines/mind-machine.js'
import type { UnderstandingSigns } from '../../../src/domain/drift/understanding.js'
import { COUNT_MAX, FOLD_LOG_MAX } from '../../../src/domain/limits.js'
import type { Fold, MemoryEntry } from '../../../src/domain/session.js'
import { putStats } from '../record/entries.js'
import type { SessionHead } from '../record/head.js'
import { CALM_TURNS_MAX, placeMind, tellMind } from '../record/mind.js'
import { isFolded, type Topics } from '../record/topics.js'
import type { Work } from '../record/work.js'
import { coherence, driftInput, driftOf, foldShare, isPendingFold, withFold } from './folds.js'
import { olderFolds, type OlderFolds } from './older-folds.js'

/**
 * Replays the fold log over the memories that are left: drift, segments and phases are decided again, in order, from the first
 * fold that is gone or of `changedIds` on. Older folds take the place of those that are gone. Exact while the log then reaches back
 * to the session's first fold; what is older keeps what was decided. Cost: one drift measure a fold, at most FOLD_LOG_MAX of them.
 * Returns what the chart asks for after the last turn: to be done where that turn is new; else it was done then.
 */
export function refold(work: Work, changedIds: readonly string[] = []): readonly MindTask[] {
  const { state } = work
  const before = state.head
  const left = before.folds.filter((fold) => state.corpus.get(fold.memoryId) !== undefined)
  const older = olderFolds(state, left)
  for (const id of new Set([...older.folds, ...left].map((fold) => fold.memoryId))) {
    const entry = state.corpus.get(id)
    if (entry !== undefined) state.topics.remove(entry)
  }
  const folds = replay(work, state.topics, { older, changedIds })
  const topicSwitches = older.isWhole ? switchesIn(folds) : switchesAfter(before, folds.slice(older.folds.length))
  state.head = { ...before, folds, topicSwitches }
  return rejudge(work)
}

/** Tells the session's chart of the last turn, which became part of the session just now. Returns what the chart asks for. */
export function judgeLast(work: Work): readonly MindTask[] {
  const { state } = work
  const last = readLast(work)
  return last !== undefined && isPendingFold(state, last) ? [] : tellMind(state, { type: 'message.judged', signs: signsOf(work) })
}

/** Tells the session's chart of what was folded outside of any turn. */
export function judgeCourse(work: Work): void {
  const last = work.state.head.folds.findLast(isTurn)
  if (last === undefined || !isPendingFold(work.state, last)) tellMind(work.state, { type: 'course.judged', signs: signsOf(work) })
}

/** Turns that lead the chart to the same state from anywhere, and the one before them, so that it takes the last one from where it was. */
// Stryker disable next-line ArithmeticOperator: judging more of them ends in the same state, later
const REJUDGED_TURNS = CALM_TURNS_MAX + 2

/**
 * Lets the session's chart decide anew. Returns what it asks for after the last turn. Nothing is known of a pending one yet: the phases
 * stand.
 */
function rejudge(work: Work): readonly MindTask[] {
  const { state } = work
  const last = readLast(work)
  if (last !== undefined && isPendingFold(state, last)) return []
  state.head = { ...state.head, driftPhase: 'stable', calmTurns: 0 }
  placeMind(state)
  const signs = signsOf(work)
  let tasks: readonly MindTask[] = []
  const turns = state.head.folds.filter((fold) => isTurn(fold) && !isPendingFold(state, fold))
  for (const { driftScore } of turns.slice(-REJUDGED_TURNS))
    tasks = tellMind(state, { type: 'message.judged', signs: { ...signs, driftScore } })
  if (turns.length === 0) tellMind(state, { type: 'course.judged', signs })
  return tasks
}

/** Notes in the head what it says of the last turn, and returns that one. */
function readLast({ state }: Work): Fold | undefined {
  const { folds } = state.head
  const last = folds.findLast(isTurn)
  state.head = { ...state.head, segment: folds.at(-1)?.segment ?? 0, driftScore: last?.driftScore ?? 0 }
  return last
}

function isTurn({ role, turn }: Fold): boolean {
  return role === 'user' && turn > 0
}

/** What the last turn and those before it tell. */
function signsOf({ state, services }: Work): UnderstandingSigns {
  const { folds, interactionCount, driftScore } = state.head
  const { mean, variance } = coherence(state, folds)
  return { interactionCount, meanSimilarity: mean, similarityVariance: variance, driftScore, driftThreshold: services.driftThreshold }
}

function replay(work: Work, topics: Topics, { older, changedIds }: { older: OlderFolds; changedIds: readonly string[] }): readonly Fold[] {
  const { state } = work
  const placed = new Set<string>()
  const log = [...older.folds, ...state.head.folds]
  let folds: readonly Fold[] = []
  let segment = topics.list().length === 0 ? 0 : (log[0]?.segment ?? 0)
  // Of a log that was full what lay before it may be gone as well, and the first fold was decided by that.
  let isChanged = older.folds.length > 0 || (older.isWhole && state.head.folds.length >= FOLD_LOG_MAX)
  for (const [at, fold] of log.entries()) {
    const entry = state.corpus.get(fold.memoryId)
    isChanged ||= entry === undefined || changedIds.includes(fold.memoryId)
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
