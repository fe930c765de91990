/** What a cluster is made of, for its steps: the types of its kind, and changes that several steps make. */
import type { ClusterCommand } from '../../src/domain/commands/cluster-commands.js'
import type { SessionStateView } from '../../src/domain/commands/coordination-commands.js'
import type { Counters, Tracer } from '../../src/ports.js'
import { setHead, type Work as KindWork } from '../behaviour/kind.js'
import type { Asking } from './asking.js'
import { tellSharing } from './chart.js'
import type { Spread } from './sagas.js'
import { type ClusterState, type Gathered, MEMBER, type Member } from './state.js'

/** What was made ready before a step; null for what its command does not ask for. */
export interface Prepared {
  /** The session behind the cluster. */
  readonly own: SessionStateView | null
  /** That one and all members. */
  readonly gathered: Gathered | null
  readonly spread: Spread | null
  /** Whether a pull moved the session behind the cluster. */
  readonly isPulled: boolean
}

/** Shared by all clusters of a node. */
export interface ClusterServices {
  readonly tracer: Tracer
  readonly counters: Counters
}

export interface ClusterKind {
  readonly state: ClusterState
  readonly command: ClusterCommand
  readonly prepared: Prepared
  readonly services: ClusterServices
  readonly asking: Asking
}

export type Work = KindWork<ClusterKind>

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
