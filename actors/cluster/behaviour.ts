/** What a cluster does with each command: the behaviour that the actor runtime runs. */
import { sharingMachine } from '../../machines/sharing-machine.js'
import type { Address } from '../../src/domain/address.js'
import type { ClusterCommand, CreateCluster } from '../../src/domain/commands/cluster-commands.js'
import { DomainError } from '../../src/domain/errors.js'
import { atOnce } from '../../src/domain/pieces.js'
import type { ActorStorage, Clock, Counters, Tracer } from '../../src/ports.js'
import type { Ask } from '../asking/ask.js'
import { askingFor } from '../asking/inner-ask.js'
import type { Behaviour, StepMeta } from '../behaviour/behaviour.js'
import { withGrowth } from '../behaviour/growing.js'
import { refuseWhenFull } from '../subject/record-list.js'
import { CLUSTERS_MAX } from './bounds.js'
import { NO_SHARING } from './chart.js'
import { growthOf } from './growth.js'
import { type ClusterReply, perform } from './perform.js'
import { prepareCommand, type Prepared } from './prepare.js'
import { type ClusterHead, type ClusterState, createState, restoreState } from './state.js'
import type { Work } from './work.js'

/** Milliseconds in which the backing session is made. */
const CREATE_MS_MAX = 10_000

export interface ClusterBehaviourOptions {
  readonly ask: Ask
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>
  readonly storage: Pick<ActorStorage, 'list'>
  readonly tracer: Tracer
  readonly counters: Counters
}

export type ClusterBehaviour = Behaviour<ClusterState, ClusterCommand, Prepared, ClusterReply>

/** One behaviour serves every cluster of a node. */
export function createClusterBehaviour(options: ClusterBehaviourOptions): ClusterBehaviour {
  const { ask, clock, tracer, counters } = options
  const behaviour: ClusterBehaviour = {
    kind: 'cluster',
    chart: { machine: sharingMachine, of: ({ chart }) => chart },
    restore: (address, record) => atOnce(() => restoreState(address, record)),
    missing: () => new DomainError('cluster_missing', 'Cluster not found'),
    async initiate(address, command, meta) {
      if (command.type !== 'cluster.create') return null
      const head = await makeHead(options, command, meta)
      return { state: createState(address, head), changes: { head, put: [], remove: [] } }
    },
    prepare: (state, command, signal, request) =>
      prepareCommand(state, command, { ask: askingFor(ask, request, state.address), clock, address: state.address, signal }),
    step(state, command, prepared, meta) {
      const before = state.head
      const work: Work = { state, prepared, tracer, counters, meta, put: [], remove: [], messages: [] }
      const reply = perform(work, command)
      if (command.type === 'cluster.delete') return { reply, changes: null, isRemoval: true }
      const { put, remove, messages: outbox } = work
      const hasChanged = state.head !== before || put.length > 0 || remove.length > 0
      return { reply, changes: hasChanged ? { head: state.head, put, remove } : null, outbox, isErasure: command.type === 'user.erase' }
    },
    describe({ address, members, regions }) {
      const cluster = { kind: 'cluster', id: address.id } as const
      return {
        links: [
          { kind: 'backing', source: { kind: 'session', id: address.id }, target: cluster },
          ...[...members.keys()].map((id) => ({ kind: 'member', source: { kind: 'session', id }, target: cluster }) as const),
          ...[...regions].map((id) => ({ kind: 'attached', source: cluster, target: { kind: 'region', id } }) as const)
        ]
      }
    },
    isPinned: () => true
  }
  return withGrowth(behaviour, growthOf)
}

/**
 * Makes the backing session, which has the cluster's id: so of two that make the same cluster, one is refused. Under the same request id
 * again, the session is known to be its own.
 */
async function makeHead(
  { ask, storage }: ClusterBehaviourOptions,
  command: CreateCluster,
  { address, requestId }: StepMeta
): Promise<ClusterHead> {
  const { subject, id } = address
  const message = `At most ${String(CLUSTERS_MAX)} clusters can be made`
  await refuseWhenFull(storage, { kind: 'cluster', subject, max: CLUSTERS_MAX, message })
  const session: Address = { kind: 'session', subject, id }
  const creation = { ...command.settings, type: 'session.create', backing: 'cluster' } as const
  const { modelName } = await ask(session, creation, { deadlineMs: CREATE_MS_MAX, requestId: `${requestId}/session` })
  const { name = null, aggregationMode, couplingFactor, settings } = command
  return {
    format: 1,
    name,
    aggregationMode,
    couplingFactor,
    dimension: settings.dimension,
    modelName,
    memberCount: 0,
    nextSeq: 1,
    sharing: NO_SHARING
  }
}
