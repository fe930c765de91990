/** Behaviour of clusters, which the actor runtime runs. */
import { sharingMachine } from '../../machines/sharing-machine.js'
import type { Address } from '../../src/domain/address.js'
import type { CreateCluster } from '../../src/domain/commands/cluster-commands.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import type { CreateSession } from '../../src/domain/commands/session-commands.js'
import { notFound } from '../../src/domain/errors.js'
import { unlessRefused } from '../asking/answers.js'
import type { Ask } from '../asking/ask.js'
import type { InitiateMeta } from '../behaviour/behaviour.js'
import { createKind } from '../coordination/kind.js'
import { refuseWhenTooMany } from '../subject/record-list.js'
import { CLUSTERS_MAX } from './bounds.js'
import { NO_SHARING } from './chart.js'
import { createGathering } from './gather.js'
import { COMMANDS } from './commands.js'
import { type ClusterHead, createState, restoreState } from './state.js'
import type { ClusterKind, ClusterServices } from './work.js'

/** Milliseconds to create the backing session. */
const CREATE_MS_MAX = 10_000

/** Creates the behaviour. One serves every cluster of a node. */
export function createClusterBehaviour(services: ClusterServices) {
  const gathering = createGathering(services)
  return createKind<ClusterKind>({
    kind: 'cluster',
    chart: { machine: sharingMachine, of: ({ chart }) => chart },
    services,
    restore: (address, record) => restoreState(address, record, gathering),
    missing: () => notFound('Cluster'),
    async initiate(address, command, meta) {
      if (command.type !== 'cluster.create') return null
      const head = await makeHead(services, command, meta)
      return { state: createState(address, head, gathering), changes: { head, put: [], remove: [] } }
    },
    commands: COMMANDS,
    life: { madeBy: 'cluster.create', removedBy: 'cluster.delete' },
    links: ({ address, members, regions }) => {
      const cluster = { kind: 'cluster', id: address.id } as const
      return [
        { kind: 'backing', source: { kind: 'session', id: address.id }, target: cluster },
        ...[...members.keys()].map((id) => ({ kind: 'member', source: { kind: 'session', id }, target: cluster }) as const),
        ...[...regions.keys()].map((id) => ({ kind: 'attached', source: cluster, target: { kind: 'region', id } }) as const)
      ]
    }
  })
}

/** Creates the backing session, which has the cluster's id, and returns the cluster's head. */
async function makeHead(
  { ask, storage }: ClusterServices,
  command: CreateCluster,
  { address, requestId }: InitiateMeta
): Promise<ClusterHead> {
  const { subject, id } = address
  const message = `At most ${String(CLUSTERS_MAX)} clusters can be made`
  await refuseWhenTooMany(storage, { kind: 'cluster', subject, max: CLUSTERS_MAX, message })
  const { modelName } = await makeSession(ask, { address: { kind: 'session', subject, id }, settings: command.settings, requestId })
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

interface MakeSession {
  readonly address: Address
  readonly settings: CreateCluster['settings']
  readonly requestId: string
}

/**
 * Creates the backing session, in place of one that a creation of the cluster left when it was interrupted. Of two requests that create the
 * same cluster, the session refuses one. A retry has the same request ids, by which the session recognises it.
 */
async function makeSession(ask: Ask, { address, settings, requestId }: MakeSession): Promise<ReplyOf<CreateSession>> {
  const creation = { ...settings, type: 'session.create', backing: 'cluster' } as const
  const create = (name: string) => ask(address, creation, { deadlineMs: CREATE_MS_MAX, requestId: `${requestId}/${name}` })
  const made = await unlessRefused(create('session'), ['already_exists'])
  if (made !== null) return made
  const removing = ask(address, { type: 'session.delete', isLeft: true }, { deadlineMs: CREATE_MS_MAX, requestId: `${requestId}/left` })
  await unlessRefused(removing, ['session_missing'])
  return create('session-anew')
}
