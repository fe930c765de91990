/** Members of a cluster. */
import type { AddMember, CheckMember, DropMember, RemoveMember } from '../../src/domain/commands/cluster-commands.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import { refuseNonMember, refuseWhenClusterFull } from './bounds.js'
import { forgetJoins, type Join, noteJoined, refuseWhileJoining } from '../coordination/joins.js'
import { takeSeq } from '../coordination/kind.js'
import { refuseWhenOutboxFull } from '../messaging/outbox.js'
import { putMember, removeMember, type Work } from './work.js'

/** Adds a member. For a known member, changes only its weight. */
export function addMember(work: Work, { sessionId, weight }: AddMember, join: Join): ReplyOf<AddMember> {
  const { members } = work.state
  refuseWhenClusterFull(work.state, sessionId)
  const known = members.get(sessionId)
  noteJoined(work.state.joins, join, known !== undefined)
  if (known?.weight !== weight) putMember(work, { sessionId, weight, seq: known?.seq ?? takeSeq(work) })
  return { memberCount: members.size }
}

/** Removes a member. Its session is told by an outbox message, and asks then: it may be added again meanwhile. */
export function expelMember(work: Work, { sessionId }: RemoveMember): ReplyOf<RemoveMember> {
  const { state, meta, messages } = work
  refuseNonMember(state, sessionId)
  refuseWhenOutboxFull(meta)
  removeMember(work, sessionId)
  const command = { type: 'membership.remove', clusterId: meta.address.id, isStale: true } as const
  messages.push({ id: `${meta.requestId}:leave`, to: { ...meta.address, kind: 'session', id: sessionId }, command, isAwaited: true })
  return { removed: true }
}

/** Drops a session that is being deleted, also one that is being added. */
export function dropMember(work: Work, { sessionId }: DropMember): ReplyOf<DropMember> {
  forgetJoins(work.state.joins, sessionId)
  return { removed: removeMember(work, sessionId) }
}

export function checkMember({ state: { members, joins } }: Work, { sessionId }: CheckMember): ReplyOf<CheckMember> {
  const isMember = members.has(sessionId)
  if (!isMember) refuseWhileJoining(joins, sessionId)
  return { isMember }
}
