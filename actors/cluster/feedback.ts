/** Feedback: gives a cluster's aggregate back to its members. */
import type { FeedBack, SpreadFeedback } from '../../src/domain/commands/cluster-commands.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import type { Erased, EraseUser } from '../../src/domain/commands/erasure.js'
import type { OutboxMessage } from '../behaviour/behaviour.js'
import { traceActor } from '../behaviour/trace.js'
import { refuseWhenOutboxFull } from '../messaging/outbox.js'
import { refuseWhenFeedbacksWait } from './bounds.js'
import { tellSharing } from './chart.js'
import type { Spread } from './sagas.js'
import { FEEDBACK, type Feedback, type Gathered } from './state.js'
import { prune } from './views.js'
import type { Work } from './work.js'

/**
 * Stores the aggregate and its receivers in the commit that is answered, so that each member gets it once, in spite of faults. It is kept
 * in the record instead of an outbox message to each member: there it is written once, and an erasure can withdraw it.
 */
export function feedBack(work: Work, _: FeedBack, gathered: Gathered | null): ReplyOf<FeedBack> {
  const { state, services, meta, messages } = work
  if (gathered === null) return { sessionsUpdated: 0 }
  refuseWhenFeedbacksWait(state)
  refuseWhenOutboxFull(meta)
  prune(work, gathered.missing)
  const sessionIds = gathered.present.filter((member) => state.members.has(member.sessionId)).map(({ sessionId }) => sessionId)
  const { aggregate } = gathered
  const tasks = tellSharing(state, { type: 'feedback.asked', hasAggregate: aggregate !== null, receivers: sessionIds.length })
  if (aggregate === null || !tasks.includes('spread')) return { sessionsUpdated: 0 }
  const feedback: Feedback = { id: meta.requestId, target: aggregate, sessionIds }
  putFeedback(work, feedback)
  messages.push({ ...spreadMessage(work, feedback), isAwaited: true })
  services.counters.count({ name: 'feedback' })
  traceActor(services.tracer, 'fold.feedback', meta.address, { sessions: sessionIds.length, coupling: state.head.couplingFactor })
  return { sessionsUpdated: sessionIds.length }
}

/** Notes which members have got the feedback. Throws the members' refusal if none has, so that the relay waits before it retries. */
export function spreadFeedback(work: Work, { feedbackId }: SpreadFeedback, spread: Spread | null): ReplyOf<SpreadFeedback> {
  const { state, messages } = work
  const feedback = state.feedbacks.get(feedbackId)
  if (feedback === undefined || spread === null) return { spread: true }
  const sessionIds = feedback.sessionIds.filter((id) => !spread.doneIds.has(id))
  if (spread.failure !== null && sessionIds.length === feedback.sessionIds.length) throw spread.failure
  const tasks = tellSharing(state, { type: 'members.told', left: sessionIds.length, others: state.feedbacks.size - 1 })
  if (tasks.includes('drop')) dropFeedback(work, feedbackId)
  if (tasks.includes('spreadRest')) {
    const rest = { ...feedback, sessionIds }
    putFeedback(work, rest)
    messages.push(spreadMessage(work, rest))
  }
  return { spread: true }
}

/** Withdraws pending feedbacks that may contain the data subject. A cluster holds nothing else of a data subject. */
export function eraseUser(work: Work, { userId }: EraseUser): Erased {
  const { state } = work
  const concerned = [...state.feedbacks.values()].filter(({ target }) => target.users?.includes(userId) ?? true)
  for (const { id } of concerned) {
    dropFeedback(work, id)
    tellSharing(state, { type: 'feedback.withdrawn', others: state.feedbacks.size })
  }
  return { erasedMemories: 0, isAffected: concerned.length > 0 }
}

function putFeedback({ state, put }: Work, feedback: Feedback): void {
  state.feedbacks.set(feedback.id, feedback)
  put.push({ collection: FEEDBACK, id: feedback.id, body: feedback })
}

function dropFeedback({ state, remove }: Work, id: string): void {
  state.feedbacks.delete(id)
  remove.push({ collection: FEEDBACK, id })
}

/** Outbox message of the cluster to itself. Its id contains the number of remaining members, so that the next message has another id. */
function spreadMessage({ meta }: Work, { id, sessionIds }: Feedback): OutboxMessage {
  const command = { type: 'cluster.spread', feedbackId: id } as const
  return { id: `${id}:${String(sessionIds.length)}`, to: meta.address, command, isAwaited: false }
}
