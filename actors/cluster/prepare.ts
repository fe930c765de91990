/** Preparations of a cluster's commands: asks to other actors, and sagas that change those first. */
import type { CheckRegion, LeaveRegion } from '../../src/domain/commands/cluster-commands.js'
import { deadlinePassed } from '../../src/domain/errors.js'
import type { Preparations } from '../coordination/kind.js'
import type { Asking, CommandAsking } from '../coordination/asking.js'
import { refuseWhenFeedbacksWait } from './bounds.js'
import { readOwn } from './gather.js'
import { addMembership, dissolve, isAttached, pull, spread } from './sagas.js'
import type { ClusterState, Gathered } from './state.js'
import type { ClusterKind, Prepared } from './work.js'

export const NOTHING: Prepared = { own: null, gathered: null, spread: null, isPulled: false, strayRegion: null }

export const PREPARATIONS: Preparations<ClusterKind> = {
  'cluster.read': async (asking, state) => ({ ...NOTHING, gathered: await look(asking, state) }),
  'cluster.sample': async (asking, state, { isBrief }) =>
    isBrief === true ? { ...NOTHING, own: await readOwn(asking) } : { ...NOTHING, gathered: await look(asking, state) },
  async 'cluster.feedback'(asking, state) {
    refuseWhenFeedbacksWait(state)
    return state.head.couplingFactor === 0 ? NOTHING : { ...NOTHING, gathered: await look(asking, state) }
  },
  'cluster.spread': async (asking, state, command) => ({ ...NOTHING, spread: await spread(state, command, asking) }),
  'cluster.pull': async (asking, state, command) => ({ ...NOTHING, isPulled: await pull(state, command, asking) }),
  async 'cluster.addMember'(asking, state, command) {
    await addMembership(state, command, asking)
    return NOTHING
  },
  'cluster.leaveRegion': lookForRegion,
  'cluster.checkRegion': lookForRegion,
  async 'cluster.delete'(asking, state) {
    await dissolve(state, asking)
    return NOTHING
  }
}

/** Asks a region that the cluster has joined whether it has attached the cluster. */
async function lookForRegion(asking: Asking, { regions }: ClusterState, { regionId }: LeaveRegion | CheckRegion): Promise<Prepared> {
  const joined = regions.get(regionId)
  return joined === undefined || (await isAttached(asking, regionId)) ? NOTHING : { ...NOTHING, strayRegion: joined }
}

/** Gathers the members' states, unless the caller no longer waits. */
async function look({ signal }: CommandAsking, state: ClusterState): Promise<Gathered> {
  if (signal.aborted) throw deadlinePassed()
  return state.gather()
}
