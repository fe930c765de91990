/** Commands of a cluster: what each asks of other actors, which it may change first, what it adds to the record, and its step. */
import type { CheckRegion, LeaveRegion } from '../../src/domain/commands/cluster-commands.js'
import { deadlinePassed } from '../../src/domain/errors.js'
import { plus, times, vectorsWeight, WEIGHTLESS, weightOf } from '../../src/domain/fairness/weight.js'
import type { Asking, CommandAsking } from '../coordination/asking.js'
import { isDeleter } from '../coordination/ending.js'
import type { Commands } from '../coordination/kind.js'
import { rowWeight } from '../weight/ledger.js'
import { refuseWhenFeedbacksWait } from './bounds.js'
import { eraseUser, feedBack, spreadFeedback } from './feedback.js'
import { readOwn } from './gather.js'
import { addMember, checkMember, dropMember, expelMember } from './members.js'
import { joinRegion, leaveRegion, noteDrift } from './regions.js'
import { addMembership, dissolve, isAttached, pull, spread } from './sagas.js'
import type { ClusterState, Gathered } from './state.js'
import { createdCluster, pulledCluster, readCluster, sampleCluster } from './views.js'
import type { ClusterKind, StrayRegion } from './work.js'

/** Bytes of heap of an outbox message's row: its ids, its address and its command. */
const MESSAGE = { heap: 1_000, buffers: 0 }

export const COMMANDS: Commands<ClusterKind> = {
  'cluster.create': { step: createdCluster },
  'cluster.read': { prepare: look, step: readCluster },
  'cluster.delete': { prepare: dissolve, step: ({ state }, command) => ({ deleted: isDeleter(state, command) }) },
  'cluster.addMember': {
    prepare: addMembership,
    growth: ({ head, members }, { sessionId, weight }) =>
      members.has(sessionId) ? WEIGHTLESS : rowWeight({ sessionId, weight, seq: head.nextSeq }),
    step: addMember
  },
  'cluster.removeMember': { step: expelMember },
  'cluster.dropMember': { step: dropMember },
  'cluster.checkMember': { step: checkMember },
  'cluster.feedback': {
    async prepare(asking, state) {
      refuseWhenFeedbacksWait(state)
      return state.head.couplingFactor === 0 ? null : look(asking, state)
    },
    growth: ({ head, members }, _, gathered) =>
      plus(rowWeight([[...members.keys()], gathered?.aggregate?.users ?? []]), vectorsWeight(head.dimension, 1), MESSAGE),
    step: feedBack
  },
  'cluster.spread': { prepare: spread, step: spreadFeedback },
  'cluster.noteDrift': {
    growth({ head, drifts, regions }, { eventId }) {
      if (drifts.has(eventId)) return WEIGHTLESS
      return { ...plus(rowWeight(head.nextSeq), weightOf(eventId), times(MESSAGE, regions.size)), bypassesRecordLimit: true }
    },
    step: noteDrift
  },
  'cluster.joinRegion': {
    growth: ({ regions }, { regionId }) => (regions.has(regionId) ? WEIGHTLESS : plus(rowWeight({}), MESSAGE)),
    step: joinRegion
  },
  'cluster.leaveRegion': { prepare: lookForRegion, step: leaveRegion },
  'cluster.checkRegion': { prepare: lookForRegion, step: leaveRegion },
  'cluster.pull': { prepare: pull, step: pulledCluster },
  'cluster.sample': {
    prepare: async (asking, state, { isBrief }) => (isBrief === true ? { own: await readOwn(asking) } : look(asking, state)),
    step: sampleCluster
  },
  'user.erase': { step: eraseUser }
}

/** Asks a region that the cluster has joined whether it has attached the cluster. */
async function lookForRegion(asking: Asking, { regions }: ClusterState, { regionId }: LeaveRegion | CheckRegion): Promise<StrayRegion> {
  const joined = regions.get(regionId)
  return joined === undefined || (await isAttached(asking, regionId)) ? null : joined
}

/** Gathers the members' states, unless the caller no longer waits. */
async function look({ signal }: CommandAsking, state: ClusterState): Promise<Gathered> {
  if (signal.aborted) throw deadlinePassed()
  return state.gather()
}
