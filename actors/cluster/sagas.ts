/**
 * Sagas of a cluster: changes of other actors before its own step. An interrupted saga is repeated: each change is idempotent, and the
 * cluster's record changes last. So they are asked anew each time: an answer of an earlier try may be outdated, or no longer known.
 */
import type { AddMember, PullCluster, SpreadFeedback } from '../../src/domain/commands/cluster-commands.js'
import type { BlendState } from '../../src/domain/commands/coordination-commands.js'
import { type DomainError, type ErrorCode, isDomainError } from '../../src/domain/errors.js'
import { FAILING, unlessRefused } from '../asking/answers.js'
import { fanOut } from '../asking/fan-out.js'
import { anew, askIfThere, type Asking, askOther, type CommandAsking } from '../coordination/asking.js'
import { type Join, joining, thereOrJoining } from '../coordination/joins.js'
import { refuseWhenClusterFull } from './bounds.js'
import type { ClusterState, Feedback } from './state.js'

/** Progress of a feedback. */
export interface Spread {
  /** Members that have it, or never will. */
  readonly doneIds: ReadonlySet<string>
  /** Refusal of a member that does not have it yet; null if only time was lacking. */
  readonly failure: DomainError | null
}

/** Milliseconds for one round of a feedback: half the deadline of an outbox message, so that the progress is always written. */
const SPREAD_MS_MAX = 5_000

/** Refusal of a node of an earlier version, whose regions ask a cluster to leave before they drop it. */
const NOT_UNDERSTOOD: ErrorCode = 'malformed_payload'

/** Refusals of a session that is gone, or fails for every caller: it is not waited for. */
const GIVEN_UP: readonly ErrorCode[] = ['session_missing', ...FAILING]

/** Adds the membership at the session. Also for a known member: a session that was lost and created again has no membership. */
export async function addMembership(asking: CommandAsking, state: ClusterState, { sessionId }: AddMember): Promise<Join> {
  refuseWhenClusterFull(state, sessionId)
  const { dimension, modelName } = state.head
  const command = { type: 'membership.add', clusterId: asking.address.id, dimension, modelName } as const
  const join = { joins: state.joins, id: sessionId, signal: asking.signal }
  return joining(join, () => askOther(anew(asking), { kind: 'session', id: sessionId }, command))
}

/** Whether the region has attached the cluster. Rejects with `busy` while it is being attached. */
export async function isAttached(asking: Asking, regionId: string): Promise<boolean> {
  const { id: clusterId } = asking.address
  const checking = askOther(asking, { kind: 'region', id: regionId }, { type: 'region.checkCluster', clusterId })
  return (await unlessRefused(checking, ['region_missing', NOT_UNDERSTOOD]))?.isAttached === true
}

/**
 * Detaches members and regions, and deletes the backing session. The record is removed last: an interrupted deletion can be repeated. The
 * session is not asked anew: what a client has made under its id meanwhile stays.
 */
export async function dissolve(asking: CommandAsking, state: ClusterState): Promise<void> {
  const { id } = asking.address
  await fanOut(thereOrJoining(state.members.keys(), state.joins), asking.clock, (sessionId) =>
    askIfThere(anew(asking), { kind: 'session', id: sessionId }, { type: 'membership.remove', clusterId: id })
  )
  await fanOut([...state.regions.keys()], asking.clock, (regionId) =>
    askIfThere(anew(asking), { kind: 'region', id: regionId }, { type: 'region.dropCluster', clusterId: id })
  )
  await unlessRefused(askOther(asking, { kind: 'session', id }, { type: 'session.delete', isByOwner: true }), ['session_missing'])
}

/** Sends a feedback to members that do not have it yet. Returns null if it was withdrawn. */
export async function spread(asking: CommandAsking, state: ClusterState, { feedbackId }: SpreadFeedback): Promise<Spread | null> {
  const feedback = state.feedbacks.get(feedbackId)
  if (feedback === undefined) return null
  const endsAtMs = asking.clock.monotonicMs() + SPREAD_MS_MAX
  const doneIds = new Set<string>()
  let failure: DomainError | null = null
  await fanOut(feedback.sessionIds, asking.clock, async (sessionId) => {
    // A feedback that was withdrawn meanwhile is not passed on.
    if (!state.feedbacks.has(feedbackId) || asking.clock.monotonicMs() > endsAtMs) return
    // One that was deleted has left before: another session may have its id now.
    if (!state.members.has(sessionId)) return void doneIds.add(sessionId)
    try {
      await askOther(anew(asking), { kind: 'session', id: sessionId }, blendOf(state, feedback))
      doneIds.add(sessionId)
    } catch (error) {
      if (!isDomainError(error)) throw error
      if (GIVEN_UP.includes(error.code)) doneIds.add(sessionId)
      else failure = error
    }
  })
  return { doneIds, failure }
}

function blendOf({ head }: ClusterState, { id, target }: Feedback): BlendState {
  return { type: 'state.blend', deliveryId: id, target, modelName: head.modelName, coupling: head.couplingFactor }
}

/** Pulls the backing session towards the target. Resolves to whether it was moved. */
export async function pull(asking: CommandAsking, { head }: ClusterState, command: PullCluster): Promise<boolean> {
  const { deliveryId, target, modelName } = command
  if (head.couplingFactor === 0) return false
  const blend: BlendState = { type: 'state.blend', deliveryId, target, modelName, coupling: head.couplingFactor }
  const answer = await unlessRefused(askOther(anew(asking), { kind: 'session', id: asking.address.id }, blend), ['session_missing'])
  return answer?.isApplied === true
}
