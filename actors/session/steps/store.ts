import type { DedupSignal, StoreAnswer } from '../../../src/domain/session-commands.js'
import type { Fold, MemoryEntry } from '../../../src/domain/session.js'
import { auditWritten } from '../audit.js'
import { FOLD_WEIGHT, withFold } from '../folds.js'
import { reshare, share } from '../findings.js'
import { refold } from '../refold.js'
import { dedupOf, refuseWhenFull, take } from '../take.js'
import { fire } from '../triggers.js'
import { embedded, type Work } from '../work.js'

export interface StoredAnswer {
  readonly memoryId: string
  readonly memoryHash: string
  readonly dedupSignal: DedupSignal
}

/** Learns from an answer: it becomes a memory, linked to the message that it answers. */
export function storeAnswer(work: Work, command: StoreAnswer): StoredAnswer {
  const userId = command.userId ?? null
  const threshold = command.dedupThreshold ?? work.services.updateThreshold
  const signal = dedupOf(work.state, embedded(work, command.response), { threshold, userId, now: work.now })
  refuseWhenFull(work, signal.isUpdate ? 0 : 1)
  const entry = takeAnswer(work, { text: command.response, userId, signal })
  auditWritten(work, 'store', { userId, texts: { response: command.response } })
  work.state.head = { ...work.state.head, lastActiveAt: work.now }
  return { memoryId: entry.memory.id, memoryHash: entry.memory.hash, dedupSignal: signal }
}

/** Takes an answer in and folds it. Refuses nothing: that was done before. */
export function takeAnswer(work: Work, answer: { text: string; userId: string | null; signal: DedupSignal }): MemoryEntry {
  const { state } = work
  const turn = Math.max(1, state.head.interactionCount)
  const isFired = fire(work, embedded(work, answer.text), turn)
  // A trigger that fired on a message covers the whole turn, its answer included.
  const { openQuestionId } = state.head
  const isOpenTriggered = openQuestionId !== null && state.corpus.get(openQuestionId)?.stats.isProtected === true
  const { entry, formerHash } = take(
    work,
    {
      embedded: embedded(work, answer.text),
      role: 'assistant',
      userId: answer.userId,
      timestamp: work.now,
      turn,
      segment: state.head.segment,
      replyTo: openQuestionId,
      baseTier: 'short_term',
      expiresAt: null,
      importance: null,
      isolationShare: 1,
      isTriggered: isOpenTriggered || isFired,
    },
    answer.signal,
  )
  const fold: Fold = {
    memoryId: entry.memory.id,
    role: 'assistant',
    turn,
    weight: FOLD_WEIGHT.assistant,
    dissimilarity: 0,
    driftScore: 0,
    segment: state.head.segment,
  }
  state.head = { ...state.head, folds: withFold(state.head.folds, fold), openQuestionId: null }
  if (formerHash === null) share(work, entry, openQuestionId)
  else {
    refold(work, entry.memory.id)
    reshare(work, entry, formerHash)
  }
  return entry
}
