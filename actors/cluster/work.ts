/** What a step of a cluster works with: the state it changes, and what has to be written and told because of it. */
import type { Counters, StoredRow, Tracer } from '../../src/ports.js'
import type { OutboxMessage, StepMeta } from '../behaviour/behaviour.js'
import { tellSharing } from './chart.js'
import type { Prepared } from './prepare.js'
import { type ClusterHead, type ClusterState, MEMBER, type Member } from './state.js'

export interface Work {
  readonly state: ClusterState
  readonly prepared: Prepared
  readonly tracer: Tracer
  readonly counters: Counters
  readonly meta: StepMeta & { readonly isFresh: boolean }
  readonly put: StoredRow[]
  readonly remove: { readonly collection: string; readonly id: string }[]
  readonly messages: OutboxMessage[]
}

/** Replaces some of the head's fields. */
export function setHead({ state }: Work, fields: Partial<ClusterHead>): void {
  state.head = { ...state.head, ...fields }
}

/** The next number of an order. */
export function takeSeq(work: Work): number {
  const { nextSeq } = work.state.head
  setHead(work, { nextSeq: nextSeq + 1 })
  return nextSeq
}

/** Adds a member, or replaces what is known of it. */
export function putMember(work: Work, member: Member): void {
  const { members } = work.state
  members.set(member.sessionId, member)
  work.put.push({ collection: MEMBER, id: member.sessionId, body: member })
  countMembers(work)
}

/** False when the session is no member. */
export function removeMember(work: Work, sessionId: string): boolean {
  const { members } = work.state
  if (!members.delete(sessionId)) return false
  work.remove.push({ collection: MEMBER, id: sessionId })
  countMembers(work)
  return true
}

function countMembers(work: Work): void {
  const { state } = work
  const { size } = state.members
  setHead(work, { memberCount: size })
  tellSharing(state, { type: 'members.counted', members: size, factor: state.head.couplingFactor })
}
