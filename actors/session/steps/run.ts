import { driftPhase } from '../../../src/domain/drift.js'
import type { DedupSignal, RunReply, RunTurn } from '../../../src/domain/session-commands.js'
import type { Fold, MemoryEntry } from '../../../src/domain/session.js'
import { contentTerms } from '../../../src/domain/text/terms.js'
import { recall, touch } from '../recall.js'
import { driftOf, recentSimilarity, withFold } from '../folds.js'
import { memoryVector } from '../memory-vector.js'
import { assessment, refold } from '../refold.js'
import { resetMemories } from '../reset.js'
import { isAnswered } from '../short-circuit.js'
import { dedupOf, refuseWhenFull, take } from '../take.js'
import { embedded, type Work } from '../work.js'
import { takeAnswer } from './store.js'

const MESSAGE_FOLD_WEIGHT = 1

/** One turn: stores the previous answer, judges the message against what is known, retrieves for it, remembers it. */
export function runTurn(work: Work, command: RunTurn): RunReply {
  const { state, services } = work
  const userId = command.userId ?? null
  if (command.resetContext) resetMemories(work)
  const answered = planAnswer(work, command.response, userId)
  const planned = dedupOf(state, embedded(work, command.message), { threshold: services.updateThreshold, userId, now: work.now })
  refuseWhenFull(state, (answered?.isUpdate === false ? 1 : 0) + (planned.isUpdate ? 0 : 1), services.memoriesMax)

  if (answered !== null && command.response !== undefined) takeAnswer(work, { text: command.response, userId, signal: answered })
  const message = judge(work, command)
  const recalled = recall(work, { text: command.message, vector: message.vector, turn: state.head.interactionCount + 1 })
  touch(work, recalled.shown)
  // Looked up again where this call's answer may have come in between.
  const signal = answered === null ? planned : dedupOf(state, embedded(work, command.message), { threshold: services.updateThreshold, userId, now: work.now })
  remember(work, { command, userId, message, signal })
  return {
    context: recalled.context,
    retrievalError: recalled.isFaulty,
    topSimilarity: message.topSimilarity,
    shortCircuit: message.isAnswered,
    driftScore: message.driftScore,
    driftDetected: message.driftScore >= services.driftThreshold,
    driftPhase: driftPhase(message.driftScore, services.driftThreshold),
    dedupSignal: answered,
    phase: state.head.phase,
    turn: state.head.interactionCount,
    isolation: { level: state.head.isolationLevel, action: 'passed', similarity: null },
  }
}

/** What a message is to its session before it is part of it. */
interface JudgedMessage {
  readonly vector: Float32Array
  readonly topSimilarity: number
  readonly dissimilarity: number
  readonly driftScore: number
  readonly segment: number
  readonly isSwitch: boolean
  readonly isAnswered: boolean
}

function planAnswer(work: Work, response: string | undefined, userId: string | null): DedupSignal | null {
  if (response === undefined) return null
  return dedupOf(work.state, embedded(work, response), { threshold: work.services.updateThreshold, userId, now: work.now })
}

function judge(work: Work, command: RunTurn): JudgedMessage {
  const { state, services } = work
  const vector = memoryVector(embedded(work, command.message))
  const drift = driftOf(state, { vector, terms: contentTerms(command.message) }, state.head.folds)
  const currentId = state.head.segment
  const choice = state.head.settings.enableTopicSwitch
    ? state.topics.choose({ vector, driftScore: drift.score, driftThreshold: services.driftThreshold, currentId })
    : { id: currentId }
  return {
    vector,
    topSimilarity: recentSimilarity(state, vector),
    dissimilarity: drift.dissimilarity,
    driftScore: drift.score,
    segment: choice.id,
    isSwitch: choice.id !== currentId,
    isAnswered: isAnswered(work, { text: command.message, vector, threshold: command.shortCircuitThreshold }),
  }
}

function remember(work: Work, turn: { command: RunTurn; userId: string | null; message: JudgedMessage; signal: DedupSignal }): MemoryEntry {
  const { state, services } = work
  const { message, userId } = turn
  const text = embedded(work, turn.command.message)
  const number = state.head.interactionCount + 1
  const { entry, isReworded } = take(
    work,
    {
      embedded: text,
      role: 'user',
      userId,
      timestamp: work.now,
      turn: number,
      segment: message.segment,
      replyTo: null,
      baseTier: 'short_term',
      expiresAt: null,
      importance: null,
      isolationShare: 1,
      isTriggered: false,
    },
    turn.signal,
  )
  const fold: Fold = {
    memoryId: entry.memory.id,
    role: 'user',
    turn: number,
    weight: MESSAGE_FOLD_WEIGHT,
    dissimilarity: message.dissimilarity,
    driftScore: message.driftScore,
    segment: message.segment,
  }
  state.head = {
    ...state.head,
    interactionCount: number,
    folds: withFold(state.head.folds, fold),
    openQuestionId: entry.memory.id,
    topicSwitches: state.head.topicSwitches + (message.isSwitch ? 1 : 0),
    shortCircuits: state.head.shortCircuits + (message.isAnswered ? 1 : 0),
    lastActiveAt: work.now,
  }
  if (isReworded) refold(work)
  else state.head = { ...state.head, ...assessment(state, state.head.folds, services.driftThreshold) }
  return entry
}
