import type { DedupSignal, StoreAnswer } from '../../../src/domain/commands/session-commands.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { MemoryEntry } from '../../../src/domain/session.js'
import { auditWritten } from '../record/audit.js'
import { hashText } from '../record/hash.js'
import type { SessionState } from '../record/state.js'
import { embedded, type Work } from '../record/work.js'
import { foldOf, withFold } from '../semantic-state/folds.js'
import { withoutKnownAnswer } from '../semantic-state/known-answer.js'
import { refold } from '../semantic-state/refold.js'
import { reshare, share as tellClusters } from '../sharing/findings.js'
import { isolatedShareOf } from '../turn/isolate.js'
import { lookForUpdate, refuseWhenFull, take } from '../turn/take.js'
import { fire } from '../turn/triggers.js'

interface StoredAnswer {
  readonly memoryId: string
  readonly memoryHash: string
  readonly dedupSignal: DedupSignal
}

/** Stores an answer as a memory, linked to the message that it answers. */
export function* storeAnswer(work: Work, command: StoreAnswer): Pieces<StoredAnswer> {
  const userId = command.userId ?? null
  const signal = yield* lookForUpdate(work, embedded(work, command.response), { userId, threshold: command.dedupThreshold })
  refuseWhenFull(work, signal.isUpdate ? 0 : 1)
  const entry = yield* takeAnswer(work, {
    text: command.response,
    userId,
    signal,
    ...(command.question !== undefined && { question: command.question })
  })
  auditWritten(work, 'store', { userId, texts: { response: command.response } })
  work.state.head = { ...work.state.head, lastActiveAt: work.writtenAt }
  return { memoryId: entry.memory.id, memoryHash: entry.memory.hash, dedupSignal: signal }
}

interface Answer {
  readonly text: string
  readonly userId: string | null
  readonly signal: DedupSignal
  readonly question?: string
}

/** Stores an answer and folds it. The caller has checked that it fits. */
export function* takeAnswer(work: Work, answer: Answer): Pieces<MemoryEntry> {
  const { state } = work
  const turn = Math.max(1, state.head.interactionCount)
  const isFired = yield* fire(work, embedded(work, answer.text), turn)
  // A trigger that fired on a message covers the whole turn, its answer included.
  const { openQuestionId } = state.head
  const questionId = answer.question === undefined ? openQuestionId : yield* findQuestion(state, answer.question, answer.userId)
  const isQuestionTriggered = questionId !== null && state.corpus.get(questionId)?.stats.isProtected === true
  const text = embedded(work, answer.text)
  const share = isolatedShareOf(state, text)
  const isOpen = questionId !== null && questionId === openQuestionId
  // Before the answer is stored, as it may be an update of the known answer.
  const { folds, next } = isOpen ? withoutKnownAnswer(state, turn) : { folds: state.head.folds, next: undefined }
  const { entry, formerHash } = take(
    work,
    {
      embedded: text,
      role: 'assistant',
      userId: answer.userId,
      timestamp: work.writtenAt,
      turn,
      segment: state.head.segment,
      replyTo: questionId,
      isolationShare: share,
      isFolded: true,
      isTriggered: isQuestionTriggered || isFired
    },
    answer.signal
  )
  const input = { id: entry.memory.id, role: 'assistant' } as const
  state.head = {
    ...state.head,
    folds: withFold(folds, foldOf(input, { turn, segment: state.head.segment }, share)),
    openQuestionId: questionId === openQuestionId ? null : openQuestionId
  }
  const changedIds = [...(next === undefined ? [] : [next.memoryId]), ...(formerHash === null ? [] : [entry.memory.id])]
  if (changedIds.length > 0) refold(work, changedIds)
  if (formerHash === null) tellClusters(work, entry, questionId)
  else reshare(work, entry, formerHash)
  return entry
}

// The newest question with this text. If a paraphrase has reworded it since, the answer gets no link, which is better than a wrong one.
function* findQuestion(state: SessionState, text: string, userId: string | null): Pieces<string | null> {
  return (yield* state.corpus.allByHash(hashText(text))).findLast(({ memory }) => memory.userId === userId)?.memory.id ?? null
}
