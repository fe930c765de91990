/** Looks at a cluster's sessions: the one behind it, and its members with what they have in common. */
import type { SessionStateView } from '../../src/domain/commands/coordination-commands.js'
import { createAggregation } from '../../src/domain/coordination/aggregate.js'
import { notFound } from '../../src/domain/errors.js'
import { FAILING, unlessRefused } from '../asking/answers.js'
import { fanOut } from '../asking/fan-out.js'
import { type Asking, askOther } from './asking.js'
import type { ClusterState, Gathered, Gathering, Member } from './state.js'

/** Milliseconds for a look at all members: as long as a request waits. */
const GATHER_MS_MAX = 30_000

/** The session behind the cluster. Rejects with `cluster_missing` when it is gone: then the cluster is being deleted. */
export async function readOwn(asking: Asking): Promise<SessionStateView> {
  const own = await unlessRefused(askOther(asking, { kind: 'session', id: asking.address.id }, { type: 'state.read' }), ['session_missing'])
  if (own === null) throw notFound('Cluster')
  return own
}

/** In no caller's name: what it gives is shared by all who wait for it. */
export function createGathering({ ask, clock }: Pick<Asking, 'ask' | 'clock'>): Gathering {
  return (state) => {
    const late = new AbortController()
    const cancel = clock.after(GATHER_MS_MAX, () => late.abort())
    return gather(state, { ask, clock, address: state.address, signal: late.signal }).finally(cancel)
  }
}

/** Asks all members. Rejects when one cannot answer now: the aggregate without it is another one. One that always fails is left out. */
async function gather(state: ClusterState, asking: Asking): Promise<Gathered> {
  const own = await readOwn(asking)
  const { dimension, modelName, aggregationMode: mode } = state.head
  const aggregation = createAggregation({ mode, dimension, own: own.state })
  const present: Member[] = []
  const missing: Member[] = []
  await fanOut([...state.members.values()], asking.clock, async (member) => {
    const reading = unlessRefused(askOther(asking, { kind: 'session', id: member.sessionId }, { type: 'state.read' }), ['session_missing'])
    const answer = await unlessRefused(
      reading.then((view) => ({ view })),
      FAILING
    )
    if (answer === null) return
    const { view } = answer
    if (view === null) missing.push(member)
    // One that was made anew since may be of another kind.
    if (view?.dimension !== dimension || view.modelName !== modelName) return
    present.push(member)
    if (view.state !== null) aggregation.add(view.state, member.weight)
  })
  return { own, aggregate: aggregation.result(), present, missing }
}
