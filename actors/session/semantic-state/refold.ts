/** Brings a session to the state it would have if removed or reworded memories had never been as they were. */
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
 * Replays the fold log over the remaining memories: drift, segments and phases are decided again, in order, from the first fold on that is
 * gone or is of `changedIds`. Older folds take the places of removed ones. Exact if the log then reaches back to the session's first fold;
 * otherwise older decisions stand. Cost: one drift measure per fold, at most FOLD_LOG_MAX. Returns the chart's tasks after the last turn,
 * to be carried out if that turn is new; otherwise they were carried out then.
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

/** Sends the judgement of the newly added last turn to the session's chart. Returns the tasks. */
export function judgeLast(work: Work): readonly MindTask[] {
  const { state } = work
  const last = readLast(work)
  return last !== undefined && isPendingFold(state, last) ? [] : tellMind(state, { type: 'message.judged', signs: signsOf(work) })
}

/** Sends a judgement to the session's chart after memories were folded outside of any turn. */
export function judgeCourse(work: Work): void {
  const last = work.state.head.folds.findLast(isTurn)
  if (last === undefined || !isPendingFold(work.state, last)) tellMind(work.state, { type: 'course.judged', signs: signsOf(work) })
}

/** Number of turns to judge again: as many as lead the chart from any state to the same one, and one more for the last turn itself. */
// Stryker disable next-line ArithmeticOperator: judging more turns ends in the same state, later
const REJUDGED_TURNS = CALM_TURNS_MAX + 2

/**
 * Lets the session's chart decide again. Returns its tasks after the last turn. While the last turn is pending, nothing is known of it, and
 * the phases stand.
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

/** Updates segment and drift score in the head. Returns the fold of the last turn. */
function readLast({ state }: Work): Fold | undefined {
  const { folds } = state.head
  const last = folds.findLast(isTurn)
  state.head = { ...state.head, segment: folds.at(-1)?.segment ?? 0, driftScore: last?.driftScore ?? 0 }
  return last
}

function isTurn({ role, turn }: Fold): boolean {
  return role === 'user' && turn > 0
}

/** Returns the measures that the chart judges by. */
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
  let segment = topics.isEmpty ? 0 : (log[0]?.segment ?? 0)
  // If the log was full, folds before it may be gone as well, and the first fold was decided by them.
  let isChanged = older.folds.length > 0 || (older.isWhole && state.head.folds.length >= FOLD_LOG_MAX)
  for (const [at, fold] of log.entries()) {
    const entry = state.corpus.get(fold.memoryId)
    isChanged ||= entry === undefined || changedIds.includes(fold.memoryId)
    if (entry === undefined) continue
    const decided = isChanged ? decidedAnew(work, { fold, entry, before: folds, topics, segment }) : fold
    // The folds that decided an older fold's segment may be missing: its segment stands.
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
  const chosen = state.head.settings.enableTopicSwitch && foldShare(fold) === 1 ? topics.choose(question) : segment
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
