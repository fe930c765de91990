/** Preparations of a cluster's commands: asks to other actors, and sagas that change those first. */
import type { CheckRegion, LeaveRegion } from '../../src/domain/commands/cluster-commands.js'
import { deadlinePassed } from '../../src/domain/errors.js'
import type { Preparations } from '../coordination/kind.js'
import type { Asking, CommandAsking } from '../coordination/asking.js'
import { refuseWhenFeedbacksWait } from './bounds.js'
import { readOwn } from './gather.js'
import { addMembership, dissolve, isAttached, pull, spread } from './sagas.js'
import type { ClusterState } from './state.js'
import type { ClusterKind, Prepared } from './work.js'

export const PREPARATIONS: Preparations<ClusterKind> = {
  'cluster.read': look,
  'cluster.sample': async (asking, state, { isBrief }) => (isBrief === true ? { own: await readOwn(asking) } : look(asking, state)),
  async 'cluster.feedback'(asking, state) {
    refuseWhenFeedbacksWait(state)
    return state.head.couplingFactor === 0 ? {} : look(asking, state)
  },
  'cluster.spread': async (...asked) => ({ spread: await spread(...asked) }),
  'cluster.pull': async (...asked) => ({ isPulled: await pull(...asked) }),
  'cluster.addMember': addMembership,
  'cluster.leaveRegion': lookForRegion,
  'cluster.checkRegion': lookForRegion,
  'cluster.delete': dissolve
}

/** Asks a region that the cluster has joined whether it has attached the cluster. */
async function lookForRegion(asking: Asking, { regions }: ClusterState, { regionId }: LeaveRegion | CheckRegion): Promise<Prepared> {
  const joined = regions.get(regionId)
  return joined === undefined || (await isAttached(asking, regionId)) ? {} : { strayRegion: joined }
}

/** Gathers the members' states, unless the caller no longer waits. */
async function look({ signal }: CommandAsking, state: ClusterState): Promise<Prepared> {
  if (signal.aborted) throw deadlinePassed()
  return { gathered: await state.gather() }
}
