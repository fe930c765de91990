/** Reads the states of a cluster's sessions, the backing session and the members, and aggregates them. */
import type { SessionStateView } from '../../src/domain/commands/coordination-commands.js'
import { createAggregation } from '../../src/domain/coordination/aggregate.js'
import { notFound } from '../../src/domain/errors.js'
import { unlessRefused } from '../asking/answers.js'
import { fanOut } from '../asking/fan-out.js'
import { askIfThere, type Asking, askOther } from '../coordination/asking.js'
import type { ClusterState, Gathered, Gathering, Member } from './state.js'

/** Milliseconds to ask all members: as long as a request waits. */
const GATHER_MS_MAX = 30_000

/** Reads the state of the backing session. Rejects with `cluster_missing` if it is gone: the cluster is then being deleted. */
export async function readOwn(asking: Asking): Promise<SessionStateView> {
  const own = await unlessRefused(askOther(asking, { kind: 'session', id: asking.address.id }, { type: 'state.read' }), ['session_missing'])
  if (own === null) throw notFound('Cluster')
  return own
}

/** Creates the function that gathers. It has a time limit of its own, not that of a command, as its result is shared by all who wait. */
export function createGathering({ ask, clock }: Pick<Asking, 'ask' | 'clock'>): Gathering {
  return (state) => {
    const late = new AbortController()
    const cancel = clock.after(GATHER_MS_MAX, () => late.abort())
    return gather(state, { ask, clock, address: state.address, signal: late.signal }).finally(cancel)
  }
}

/** Asks all members. Rejects if one cannot answer now: without it, the aggregate would be wrong. A member that always fails is left out. */
async function gather(state: ClusterState, asking: Asking): Promise<Gathered> {
  const own = await readOwn(asking)
  const { dimension, modelName, aggregationMode: mode } = state.head
  const aggregation = createAggregation({ mode, dimension, own: own.state })
  const present: Member[] = []
  const missing: Member[] = []
  await fanOut([...state.members.values()], asking.clock, async (member) => {
    const view = await askIfThere(asking, { kind: 'session', id: member.sessionId }, { type: 'state.read' }, () => missing.push(member))
    // A session that was created again since may have another dimension or model.
    if (view?.dimension !== dimension || view.modelName !== modelName) return
    present.push(member)
    if (view.state !== null) aggregation.add(view.state, member.weight)
  })
  return { own, aggregate: aggregation.result(), present, missing }
}
