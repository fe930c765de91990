/** Types of the cluster kind, and changes that several steps share. */
import type { ClusterCommand } from '../../src/domain/commands/cluster-commands.js'
import type { SessionStateView } from '../../src/domain/commands/coordination-commands.js'
import type { ActorStorage } from '../../src/ports.js'
import { type KindServices, setHead, type Work as KindWork } from '../coordination/kind.js'
import { tellSharing } from './chart.js'
import type { Spread } from './sagas.js'
import { type ClusterState, type Gathered, MEMBER, type Member } from './state.js'

export interface Prepared {
  /** State of the backing session. */
  readonly own?: SessionStateView
  /** States of the backing session and of all members. */
  readonly gathered?: Gathered
  /** Null for a feedback that was withdrawn. */
  readonly spread?: Spread | null
  /** Whether a pull moved the backing session. */
  readonly isPulled?: boolean
  /** Value in `regions` of a region that had not attached the cluster when it was asked, as it was before that. */
  readonly strayRegion?: object
}

export interface ClusterServices extends KindServices {
  readonly storage: Pick<ActorStorage, 'list'>
}

export interface ClusterKind {
  readonly state: ClusterState
  readonly command: ClusterCommand
  readonly prepared: Prepared
  readonly services: ClusterServices
}

export type Work = KindWork<ClusterKind>

/** Adds or replaces a member. */
export function putMember(work: Work, member: Member): void {
  const { members } = work.state
  members.set(member.sessionId, member)
  work.put.push({ collection: MEMBER, id: member.sessionId, body: member })
  countMembers(work)
}

/** Removes a member. Returns false if the session is not a member. */
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
