/**
 * Outbox messages of a session: it tells the shared sessions of its clusters what it learned or lost. A cluster's shared session tells its
 * cluster that it drifted.
 */
import type { CoordinationCommand, Finding } from '../../../src/domain/commands/coordination-commands.js'
import { REPLY_TO_MAX } from '../../../src/domain/limits.js'
import type { MemoryEntry } from '../../../src/domain/session.js'
import type { Work } from '../record/work.js'

/** Shares a stored answer with the clusters, for their other members to find. */
export function share(work: Work, answer: MemoryEntry, questionId: string | null): void {
  collect(work, [{ questionId, answerId: answer.memory.id }])
}

/** Shares a reworded memory again, in place of its former wording. */
export function reshare(work: Work, entry: MemoryEntry, formerHash: string): void {
  const findings = findingsOf(work, entry)
  if (findings.length === 0) return
  unshare(work, [formerHash])
  collect(work, findings)
}

/** Has the clusters remove their copies of memories with these hashes. */
export function unshare(work: Work, hashes: readonly string[]): void {
  tell(work, { type: 'exchange.unlearn', hashes })
}

/** Tells the cluster of a shared session, and through it the regions, that the session has drifted. No-op for other sessions. */
export function tellDrift({ state, journal, services, now }: Work): void {
  const { address, ties, head } = state
  if (ties.backing !== 'cluster') return
  const eventId = services.ids.uuid()
  const { driftScore, driftPhase } = head
  const command = { type: 'cluster.noteDrift', eventId, driftScore, driftPhase, timestamp: now } as const
  journal.post({ id: eventId, to: { ...address, kind: 'cluster' }, command, isAwaited: true })
}

function collect(work: Work, findings: readonly Finding[]): void {
  tell(work, { type: 'exchange.collect', fromSessionId: work.state.address.id, findings })
}

/** Returns the exchanges that the memory is one half of and that may have been shared; at most REPLY_TO_MAX, the latest ones. */
function findingsOf({ state }: Work, { memory }: MemoryEntry): Finding[] {
  const asAnswer = memory.replyTo.map((questionId) => ({ questionId, answerId: memory.id }))
  const asQuestion = state.corpus.answersOf(memory.id).map((answer) => ({ questionId: memory.id, answerId: answer.memory.id }))
  const alone = memory.role === 'assistant' && asAnswer.length === 0 ? [{ questionId: null, answerId: memory.id }] : []
  return [...alone, ...asAnswer, ...asQuestion].slice(-REPLY_TO_MAX)
}

function tell({ state, journal, services }: Work, command: CoordinationCommand): void {
  const { subject } = state.address
  for (const { clusterId } of state.ties.memberships) {
    journal.post({ id: services.ids.uuid(), to: { kind: 'session', subject, id: clusterId }, command, isAwaited: true })
  }
}
