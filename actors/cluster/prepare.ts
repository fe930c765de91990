/** Preparations of a cluster's commands: asks to other actors, and sagas that change those first. */
import { deadlinePassed } from '../../src/domain/errors.js'
import type { Preparations } from '../behaviour/kind.js'
import type { Asking } from './asking.js'
import { refuseNonMember, refuseWhenFeedbacksWait } from './bounds.js'
import { readOwn } from './gather.js'
import { addMembership, dissolve, pull, removeMembership, spread } from './sagas.js'
import type { ClusterState, Gathered } from './state.js'
import type { ClusterKind, Prepared } from './work.js'

export const NOTHING: Prepared = { own: null, gathered: null, spread: null, isPulled: false }

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
  async 'cluster.removeMember'(asking, state, { sessionId }) {
    refuseNonMember(state, sessionId)
    await removeMembership(asking, sessionId)
    return NOTHING
  },
  async 'cluster.delete'(asking, state) {
    await dissolve(state, asking)
    return NOTHING
  }
}

/** Gathers the members' states, unless the caller no longer waits. */
async function look({ signal }: Asking, state: ClusterState): Promise<Gathered> {
  if (signal.aborted) throw deadlinePassed()
  return state.gather()
}
