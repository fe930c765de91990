/** Looks at a cluster's sessions: the one behind it, and its members with what they have in common. */
import type { SessionStateView, SharedVector } from '../../src/domain/commands/coordination-commands.js'
import { createAggregation } from '../../src/domain/coordination/aggregate.js'
import { DomainError } from '../../src/domain/errors.js'
import { FAILING, unlessRefused } from '../asking/answers.js'
import { fanOut } from '../asking/fan-out.js'
import { type Asking, askOther } from './asking.js'
import type { ClusterState, Member } from './state.js'

/** The session behind the cluster. Rejects with `cluster_missing` when it is gone: then the cluster is being deleted. */
export async function readOwn(asking: Asking): Promise<SessionStateView> {
  const own = await unlessRefused(askOther(asking, { kind: 'session', id: asking.address.id }, { type: 'state.read' }), ['session_missing'])
  if (own === null) throw new DomainError('cluster_missing', 'Cluster not found')
  return own
}

export interface Gathered {
  readonly own: SessionStateView
  /** Null before any input. */
  readonly aggregate: SharedVector | null
  /** Those that the aggregate may be given to, in no particular order. */
  readonly present: readonly Member[]
  /** Those whose session is not there any more. */
  readonly missing: readonly Member[]
}

/** Asks all members. Rejects when one cannot answer now: the aggregate without it is another one. One that always fails is left out. */
export async function gather(state: ClusterState, asking: Asking): Promise<Gathered> {
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
