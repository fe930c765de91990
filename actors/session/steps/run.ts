import type { DedupSignal, RunReply, RunTurn } from '../../../src/domain/commands/session-commands.js'
import { oneMore } from '../../../src/domain/counting.js'
import { NO_MATCH } from '../../../src/domain/facts/dedup.js'
import { COUNT_MAX } from '../../../src/domain/limits.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { beginRecall, recall, recallNothing, touch } from '../recall/recall.js'
import { auditWritten, type WrittenTexts } from '../record/audit.js'
import { memoryVector } from '../record/memory-vector.js'
import { withoutMembership } from '../record/ties.js'
import { liveCount } from '../record/views.js'
import { embedded, type SharedAnswer, type Work } from '../record/work.js'
import { resetMemories } from '../semantic-state/reset.js'
import { countTurn } from '../turn/day.js'
import { hold, isAdmitted, isolate, type IsolatedInput } from '../turn/isolate.js'
import { judgeMessage, realign, rememberMessage } from '../turn/message.js'
import { countNew, lookForUpdate, refuseWhenFull } from '../turn/take.js'
import { takeAnswer } from './store.js'

/** Runs one turn: stores the previous answer, judges the message against what is known, retrieves for it, and stores it. */
export function* runTurn(work: Work, command: RunTurn): Pieces<RunReply> {
  const { state, services, writtenAt } = work
  const userId = command.userId ?? null
  const message = embedded(work, command.message)
  const input = isolate(work, message)
  const isPart = isAdmitted(input.action)
  const answered = command.response === undefined ? null : yield* dedup(work, command, command.response)
  yield* refuseWhenOver(work, command, { answered, isAdmitted: isPart })

  if (command.resetContext) resetMemories(work)
  if (answered !== null && command.response !== undefined) yield* takeAnswer(work, { text: command.response, userId, signal: answered })
  state.head = { ...state.head, lastActiveAt: writtenAt }
  auditWritten(work, 'run', { userId, texts: writtenTexts(command, input) })
  if (!isPart) {
    if (input.action === 'quarantined') hold(work, message, userId)
    return heldReply(work, input, answered)
  }
  const number = oneMore(state.head.interactionCount)
  const matches = message.isPending ? undefined : yield* beginRecall(work, { text: command.message, vector: memoryVector(message) })
  const judged = yield* judgeMessage(work, message, { userId, share: input.share, shortCircuitThreshold: command.shortCircuitThreshold })
  const recalled = message.isPending
    ? recallNothing(work, number)
    : yield* recall(work, {
        text: command.message,
        vector: judged.vector,
        matches,
        turn: number,
        answer: judged.repeats.isEqual ? judged.repeats.answer : null
      })
  touch(work, recalled)
  const { shared } = work.prepared
  const { isAnswered, refused } = judged.repeats
  // An answer that is stale here is stale at a cluster too.
  const isShortCircuit = isAnswered || (refused?.difference !== 'stale' && shared.some((known) => known.isAnswered))
  state.head = {
    ...state.head,
    interactionCount: number,
    shortCircuits: isShortCircuit ? oneMore(state.head.shortCircuits) : state.head.shortCircuits
  }
  yield* rememberMessage(work, judged, { number, userId, timestamp: writtenAt, share: input.share })
  realign(work)
  leaveGone(work, shared)
  const driftDetected = !message.isPending && state.head.driftScore >= services.driftThreshold
  countTurn(work, {
    message: command.message,
    isPending: message.isPending === true,
    isDrifted: driftDetected,
    context: recalled.context,
    knownAnswer: isShortCircuit ? (judged.repeats.answer?.memory.text ?? sharedAnswer(shared)) : null
  })
  return {
    context: recalled.context,
    retrievalError: recalled.isFaulty,
    topSimilarity: judged.topSimilarity,
    shortCircuit: isShortCircuit,
    driftScore: state.head.driftScore,
    driftDetected,
    driftPhase: state.head.driftPhase,
    dedupSignal: answered,
    phase: state.head.phase,
    turn: number,
    isolation: { level: state.head.isolationLevel, action: input.action, similarity: input.similarity },
    ...(!isShortCircuit && refused !== null && { refused })
  }
}

/** Returns the best answer of a cluster that knows the question; empty if its hits do not contain one. */
function sharedAnswer(shared: readonly SharedAnswer[]): string {
  return shared.find(({ isAnswered }) => isAnswered)?.hits.find(({ question }) => question !== null)?.text ?? ''
}

/** Removes memberships in clusters that are gone. Such a cluster has told its members before, unless a fault intervened. */
function leaveGone({ state }: Work, answers: readonly SharedAnswer[]): void {
  for (const { membership } of answers.filter(({ isGone }) => isGone)) {
    if (state.ties.memberships.includes(membership)) state.ties = withoutMembership(state.ties, membership.clusterId)
  }
}

/** Returns the texts of a turn that are written: a blocked message is not. */
function writtenTexts({ message, response }: RunTurn, { action }: IsolatedInput): WrittenTexts {
  return { ...(action !== 'blocked' && { message }), ...(response !== undefined && { response }) }
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
    isolation: { level: head.isolationLevel, action: input.action, similarity: input.similarity }
  }
}

function* dedup(work: Work, { resetContext, userId }: RunTurn, text: string): Pieces<DedupSignal> {
  // After a reset there is no memory that a text could update.
  if (resetContext) return NO_MATCH
  return yield* lookForUpdate(work, embedded(work, text), { userId: userId ?? null })
}

/** Throws if the turn would not fit, before a reset changes anything. The message is compared with memories only near the limit. */
function* refuseWhenOver(work: Work, command: RunTurn, turn: { answered: DedupSignal | null; isAdmitted: boolean }): Pieces<void> {
  const held = command.resetContext ? 0 : liveCount(work.state, work.now)
  // A reset restarts the numbering.
  const isNumberedOut = !command.resetContext && work.state.head.nextSeq + 2 > COUNT_MAX
  if (held + 2 <= work.services.memoriesMax && !isNumberedOut) return
  const signals = [
    ...(turn.answered === null ? [] : [turn.answered]),
    ...(turn.isAdmitted ? [yield* dedup(work, command, command.message)] : [])
  ]
  refuseWhenFull(work, countNew(signals), held)
}
