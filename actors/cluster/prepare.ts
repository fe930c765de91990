/** Preparations of a cluster's commands: asks to other actors, and sagas that change those first. */
import type { CheckRegion, LeaveRegion } from '../../src/domain/commands/cluster-commands.js'
import { deadlinePassed } from '../../src/domain/errors.js'
import type { Preparations } from '../coordination/kind.js'
import type { Asking, CommandAsking } from '../coordination/asking.js'
import { refuseWhenFeedbacksWait } from './bounds.js'
import { readOwn } from './gather.js'
import { addMembership, dissolve, isAttached, pull, spread } from './sagas.js'
import type { ClusterState, Gathered } from './state.js'
import type { ClusterKind, StrayRegion } from './work.js'

export const PREPARATIONS: Preparations<ClusterKind> = {
  'cluster.read': look,
  'cluster.sample': async (asking, state, { isBrief }) => (isBrief === true ? { own: await readOwn(asking) } : look(asking, state)),
  async 'cluster.feedback'(asking, state) {
    refuseWhenFeedbacksWait(state)
    return state.head.couplingFactor === 0 ? null : look(asking, state)
  },
  'cluster.spread': spread,
  'cluster.pull': pull,
  'cluster.addMember': addMembership,
  'cluster.leaveRegion': lookForRegion,
  'cluster.checkRegion': lookForRegion,
  'cluster.delete': dissolve
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
