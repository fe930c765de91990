/** Types of the cluster kind, and changes that several steps share. */
import type { ClusterCommand } from '../../src/domain/commands/cluster-commands.js'
import type { ActorStorage } from '../../src/ports.js'
import type { Join } from '../coordination/joins.js'
import { type KindServices, setHead, type Work as KindWork } from '../coordination/kind.js'
import { tellSharing } from './chart.js'
import type { Spread } from './sagas.js'
import { type ClusterState, type Gathered, MEMBER, type Member } from './state.js'

/** Value in `regions` of a region that had not attached the cluster when it was asked, as it was before that; null for any other region. */
export type StrayRegion = object | null

interface Prepared {
  readonly 'cluster.read': Gathered
  /** Of a brief sample, the backing session alone. */
  readonly 'cluster.sample': Gathered | Pick<Gathered, 'own'>
  /** Null where nothing is given back. */
  readonly 'cluster.feedback': Gathered | null
  /** Null for a feedback that was withdrawn. */
  readonly 'cluster.spread': Spread | null
  /** Whether a pull moved the backing session. */
  readonly 'cluster.pull': boolean
  readonly 'cluster.addMember': Join
  readonly 'cluster.leaveRegion': StrayRegion
  readonly 'cluster.checkRegion': StrayRegion
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
