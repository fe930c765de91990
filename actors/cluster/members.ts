/** Who belongs to a cluster. */
import type { AddMember, CheckMember, ClusterReplies, DropMember, RemoveMember } from '../../src/domain/commands/cluster-commands.js'
import { refuseNonMember, refuseWhenClusterFull } from './bounds.js'
import { takeSeq } from '../behaviour/kind.js'
import { putMember, removeMember, type Work } from './work.js'

/** Adding a member again only changes its weight. */
export function addMember(work: Work, { sessionId, weight }: AddMember): ClusterReplies['cluster.addMember'] {
  const { members } = work.state
  refuseWhenClusterFull(work.state, sessionId)
  const known = members.get(sessionId)
  if (known?.weight !== weight) putMember(work, { sessionId, weight, seq: known?.seq ?? takeSeq(work) })
  return { memberCount: members.size }
}

export function expelMember(work: Work, { sessionId }: RemoveMember): ClusterReplies['cluster.removeMember'] {
  refuseNonMember(work.state, sessionId)
  removeMember(work, sessionId)
  return { removed: true }
}

export function dropMember(work: Work, { sessionId }: DropMember): ClusterReplies['cluster.dropMember'] {
  return { removed: removeMember(work, sessionId) }
}

export function checkMember({ state }: Work, { sessionId }: CheckMember): ClusterReplies['cluster.checkMember'] {
  return { isMember: state.members.has(sessionId) }
}
