import { driftPhase } from '../../../src/domain/drift.js'
import type { DedupSignal, RunReply, RunTurn } from '../../../src/domain/session-commands.js'
import { hold, isolate, type IsolatedInput } from '../isolate.js'
import { judgeMessage, realign, rememberMessage } from '../message.js'
import { recall, touch } from '../recall.js'
import { resetMemories } from '../reset.js'
import { dedupOf, refuseWhenFull } from '../take.js'
import { embedded, type Work } from '../work.js'
import { takeAnswer } from './store.js'

/** One turn: stores the previous answer, judges the message against what is known, retrieves for it, remembers it. */
export function runTurn(work: Work, command: RunTurn): RunReply {
  const { state, services, now } = work
  const userId = command.userId ?? null
  if (command.resetContext) resetMemories(work)
  const message = embedded(work, command.message)
  const input = isolate(work, message)
  const isAdmitted = input.action === 'passed' || input.action === 'down_weighted'
  const answered = command.response === undefined ? null : dedup(work, command.response, userId)
  refuseWhenFull(state, countNew(work, command, { answered, isAdmitted, userId }), services.memoriesMax)

  if (answered !== null && command.response !== undefined) takeAnswer(work, { text: command.response, userId, signal: answered })
  state.head = { ...state.head, lastActiveAt: now }
  if (!isAdmitted) {
    if (input.action === 'quarantined') hold(work, message, userId)
    return heldReply(work, input, answered)
  }
  const number = state.head.interactionCount + 1
  const judged = judgeMessage(work, message, { userId, shortCircuitThreshold: command.shortCircuitThreshold })
  const recalled = recall(work, { text: command.message, vector: judged.vector, turn: number })
  touch(work, recalled)
  state.head = {
    ...state.head,
    interactionCount: number,
    shortCircuits: state.head.shortCircuits + (judged.isAnswered ? 1 : 0),
  }
  rememberMessage(work, judged, { number, userId, timestamp: now, share: input.share })
  realign(work)
  return {
    context: recalled.context,
    retrievalError: recalled.isFaulty,
    topSimilarity: judged.topSimilarity,
    shortCircuit: judged.isAnswered,
    driftScore: judged.driftScore,
    driftDetected: judged.driftScore >= services.driftThreshold,
    driftPhase: driftPhase(judged.driftScore, services.driftThreshold),
    dedupSignal: answered,
    phase: state.head.phase,
    turn: number,
    isolation: { level: state.head.isolationLevel, action: input.action, similarity: input.similarity },
  }
}

// Interface, Isolation: an input that is held back or blocked changes no memory, vector or drift state.
function heldReply({ state }: Work, input: IsolatedInput, answered: DedupSignal | null): RunReply {
  const { head } = state
  return {
    context: '',
    retrievalError: false,
    topSimilarity: 0,
    shortCircuit: false,
    driftScore: head.driftScore,
    driftDetected: false,
    driftPhase: head.driftPhase,
    dedupSignal: answered,
    phase: head.phase,
    turn: head.interactionCount,
    isolation: { level: head.isolationLevel, action: input.action, similarity: input.similarity },
  }
}

function dedup(work: Work, text: string, userId: string | null): DedupSignal {
  return dedupOf(work.state, embedded(work, text), { threshold: work.services.updateThreshold, userId, now: work.now })
}

/** How many memories the turn will add, at most two: exact only where it matters, near the limit. */
function countNew(work: Work, command: RunTurn, turn: { answered: DedupSignal | null; isAdmitted: boolean; userId: string | null }): number {
  const answers = turn.answered?.isUpdate === false ? 1 : 0
  if (!turn.isAdmitted) return answers
  const isNearFull = work.state.corpus.size + 2 > work.services.memoriesMax
  return answers + (isNearFull && dedup(work, command.message, turn.userId).isUpdate ? 0 : 1)
}
