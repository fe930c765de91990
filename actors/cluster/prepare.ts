/** What a cluster asks of others before a step, and the sagas of commands that change them first. */
import type { ClusterCommand } from '../../src/domain/commands/cluster-commands.js'
import type { SessionStateView } from '../../src/domain/commands/coordination-commands.js'
import { refuseNonMember, refuseWhenFeedbacksWait } from './bounds.js'
import { type Asking, gather, type Gathered, readOwn } from './gather.js'
import { addMembership, dissolve, pull, removeMembership, type Spread, spread } from './sagas.js'
import type { ClusterState } from './state.js'

/** What came of it; null for the commands that ask nobody. */
export interface Prepared {
  /** The session behind the cluster. */
  readonly own: SessionStateView | null
  /** That one and all members. */
  readonly gathered: Gathered | null
  readonly spread: Spread | null
  /** Whether a pull moved the session behind the cluster. */
  readonly isPulled: boolean
}

const NOTHING: Prepared = { own: null, gathered: null, spread: null, isPulled: false }

export async function prepareCommand(state: ClusterState, command: ClusterCommand, asking: Asking): Promise<Prepared> {
  switch (command.type) {
    case 'cluster.read':
      return { ...NOTHING, gathered: await gather(state, asking) }
    case 'cluster.sample':
      return command.isBrief === true ? { ...NOTHING, own: await readOwn(asking) } : { ...NOTHING, gathered: await gather(state, asking) }
    case 'cluster.feedback':
      refuseWhenFeedbacksWait(state)
      return state.head.couplingFactor === 0 ? NOTHING : { ...NOTHING, gathered: await gather(state, asking) }
    case 'cluster.spread':
      return { ...NOTHING, spread: await spread(state, command, asking) }
    case 'cluster.pull':
      return { ...NOTHING, isPulled: await pull(state, command, asking) }
    case 'cluster.addMember':
      await addMembership(state, command, asking)
      return NOTHING
    case 'cluster.removeMember':
      refuseNonMember(state, command.sessionId)
      await removeMembership(asking, command.sessionId)
      return NOTHING
    case 'cluster.delete':
      await dissolve(state, asking)
      return NOTHING
    default:
      return NOTHING
  }
}
