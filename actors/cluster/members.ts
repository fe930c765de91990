/** Members of a cluster. */
import type { AddMember, CheckMember, DropMember, RemoveMember } from '../../src/domain/commands/cluster-commands.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import { refuseNonMember, refuseWhenClusterFull } from './bounds.js'
import { noteJoined } from '../behaviour/joins.js'
import { takeSeq } from '../behaviour/kind.js'
import { putMember, removeMember, type Work } from './work.js'

/** Adds a member. For a known member, changes only its weight. */
export function addMember(work: Work, { sessionId, weight }: AddMember): ReplyOf<AddMember> {
  const { members } = work.state
  refuseWhenClusterFull(work.state, sessionId)
  const known = members.get(sessionId)
  noteJoined(work.state.joins, sessionId, known !== undefined)
  if (known?.weight !== weight) putMember(work, { sessionId, weight, seq: known?.seq ?? takeSeq(work) })
  return { memberCount: members.size }
}

export function expelMember(work: Work, { sessionId }: RemoveMember): ReplyOf<RemoveMember> {
  refuseNonMember(work.state, sessionId)
  removeMember(work, sessionId)
  return { removed: true }
}

export function dropMember(work: Work, { sessionId }: DropMember): ReplyOf<DropMember> {
  return { removed: removeMember(work, sessionId) }
}

export function checkMember({ state }: Work, { sessionId }: CheckMember): ReplyOf<CheckMember> {
  return { isMember: state.members.has(sessionId) }
}
