/** Messages of users: judges a message against the session, and adds it to the session. */
import type { DedupSignal } from '../../../src/domain/commands/session-commands.js'
import { oneMore } from '../../../src/domain/counting.js'
import { DRIFT_TERMS_MAX, readDriftWords, type SaidWords } from '../../../src/domain/drift/drift-words.js'
import { createFactGuard } from '../../../src/domain/facts/fact-guard.js'
import { REALIGNMENT_TURNS, SHORT_CIRCUIT_THRESHOLD } from '../../../src/domain/limits.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { MemoryEntry } from '../../../src/domain/session.js'
import type { TextReading } from '../../../src/domain/text/reading.js'
import { anchorSimilarity, recentSimilarity } from '../recall/scale.js'
import { resembling } from '../recall/similar.js'
import { memoryVector } from '../record/memory-vector.js'
import { tellMind } from '../record/mind.js'
import { type EmbeddedText, readingOf, type Work } from '../record/work.js'
import { driftOf, foldOf, keepWords, withFold } from '../semantic-state/folds.js'
import { withKnownAnswer } from '../semantic-state/known-answer.js'
import { judgeLast, refold } from '../semantic-state/refold.js'
import { reshare, tellDrift } from '../sharing/findings.js'
import { NOTHING, shortCircuit, type ShortCircuit } from './short-circuit.js'
import { dedupOf, take } from './take.js'
import { fire } from './triggers.js'

interface JudgedMessage {
  readonly text: EmbeddedText
  readonly vector: Float32Array
  /** Null if it was not judged. */
  readonly words: SaidWords | null
  readonly topSimilarity: number
  readonly dissimilarity: number
  /** 0..1 */
  readonly driftScore: number
  readonly segment: number
  readonly isSwitch: boolean
  readonly repeats: ShortCircuit
  readonly signal: DedupSignal
}

interface Turn {
  readonly number: number
  readonly userId: string | null
  /** Epoch seconds. */
  readonly timestamp: number
  /** Share that isolation left, 0..1. */
  readonly share: number
}

const ABSTAINING = {
  words: null,
  topSimilarity: 0,
  dissimilarity: 0,
  driftScore: 0,
  isSwitch: false,
  repeats: NOTHING
} as const

interface Judging {
  readonly userId: string | null
  /** Share that isolation left, 0..1. Below 1 the input opens no segment: the session does not follow it. */
  readonly share: number
  readonly shortCircuitThreshold?: number | undefined
}

/** Measures a message against what the session holds. Changes nothing. */
export function* judgeMessage(
  work: Work,
  text: EmbeddedText,
  { userId, share, shortCircuitThreshold = SHORT_CIRCUIT_THRESHOLD }: Judging
): Pieces<JudgedMessage> {
  const { state, services, now } = work
  const vector = memoryVector(text)
  const near = yield* resembling(state, text, { now, isRetrieved: true })
  const isEverybodys = state.corpus.countOf(userId) === state.corpus.size
  const own = isEverybodys ? near : yield* resembling(state, text, { now, userId })
  const guard = createFactGuard(text.text)
  // Before `shortCircuit`, which shares the guard: whether a text is an update must not depend on the short-circuit threshold.
  const signal = yield* dedupOf(state, text, { threshold: services.updateThreshold, near: own, guard })
  const currentId = state.head.segment
  // A message without a vector is stored, but not judged.
  if (text.isPending) return { text, vector, signal, segment: currentId, ...ABSTAINING }
  const words = readDriftWords(firstTerms(readingOf(work, text.text)))
  const drift = driftOf(state, { text: text.text, vector, words }, state.head.folds)
  const question = { vector, driftScore: drift.score, driftThreshold: services.driftThreshold, currentId }
  const segment = state.head.settings.enableTopicSwitch && share === 1 ? state.topics.choose(question) : currentId
  return {
    text,
    vector,
    words,
    topSimilarity: recentSimilarity(state, vector),
    dissimilarity: drift.dissimilarity,
    driftScore: drift.score,
    segment,
    isSwitch: segment !== currentId,
    repeats: yield* shortCircuit(work, { text: text.text, userId, near, threshold: shortCircuitThreshold, guard }),
    signal
  }
}

function firstTerms({ counts }: TextReading): string[] {
  const first: string[] = []
  for (const term of counts.keys()) {
    if (first.length >= DRIFT_TERMS_MAX) break
    first.push(term)
  }
  return first
}

/** Stores the message as a memory and folds it into the session's state. */
export function* rememberMessage(work: Work, message: JudgedMessage, turn: Turn): Pieces<MemoryEntry> {
  const { state } = work
  const isTriggered = yield* fire(work, message.text, turn.number)
  const { entry, formerHash } = take(
    work,
    {
      embedded: message.text,
      role: 'user',
      userId: turn.userId,
      timestamp: turn.timestamp,
      turn: turn.number,
      segment: message.segment,
      isolationShare: turn.share,
      isFolded: true,
      isTriggered
    },
    message.signal
  )
  if (message.words !== null) keepWords(state, entry.memory, message.words)
  const input = { id: entry.memory.id, role: 'user' } as const
  const fold = foldOf(input, { turn: turn.number, segment: message.segment }, turn.share, message)
  state.head = {
    ...state.head,
    folds: withKnownAnswer(withFold(state.head.folds, fold), fold, message.repeats.answer),
    openQuestionId: entry.memory.id,
    topicSwitches: message.isSwitch ? oneMore(state.head.topicSwitches) : state.head.topicSwitches
  }
  const tasks = formerHash === null ? judgeLast(work) : refold(work, [entry.memory.id])
  if (formerHash !== null) reshare(work, entry, formerHash)
  if (tasks.includes('tellClusters')) tellDrift(work)
  return entry
}

/**
 * Sends the end of a turn to the session's chart. It starts a realignment if the state is too far from the anchors, or counts a turn of the
 * one under way.
 */
export function realign({ state, services }: Work): void {
  const { realignmentRemaining: turnsLeft } = state.head
  const score = turnsLeft > 0 ? null : anchorSimilarity(state)
  if (turnsLeft === 0 && score === null) return
  const tasks = tellMind(state, { type: 'turn.ended', isFarFromAnchors: score !== null && score < services.driftThreshold, turnsLeft })
  if (tasks.includes('beginPull')) state.head = { ...state.head, realignmentRemaining: REALIGNMENT_TURNS }
  if (tasks.includes('countPull')) state.head = { ...state.head, realignmentRemaining: turnsLeft - 1 }
}
