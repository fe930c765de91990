/** What a region asks of others before a step. It may be asked twice: everything here is idempotent. */
import type { Address } from '../../src/domain/address.js'
import type { ClusterCommand } from '../../src/domain/commands/cluster-commands.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import type { RegionCommand } from '../../src/domain/commands/region-commands.js'
import { DomainError } from '../../src/domain/errors.js'
import { SESSION_ID_PATTERN } from '../../src/domain/limits.js'
import type { Clock } from '../../src/ports.js'
import { FAILING, unlessRefused } from '../asking/answers.js'
import type { Ask } from '../asking/ask.js'
import { fanOut } from '../asking/fan-out.js'
import { consensusOf } from './consensus.js'
import { alignMetaSession, ANSWER_MS_MAX, deleteMetaSession, fitMetaSession, readMetaSession } from './meta-session.js'
import type { Consensus, RegionState } from './state.js'

/** Clusters of one region: a realignment asks all of them, and is given 60 s. */
const CLUSTERS_MAX = 1_000

/** What came of one half of a realignment: for its step to keep, if the realignment is still the one under way. */
export type Prepared =
  | (({ readonly half: 'gathered'; readonly consensus: Consensus | null } | { readonly half: 'pulled' }) & {
      readonly realignmentId: string
      /** Clusters that do not exist any more. */
      readonly goneIds: readonly string[]
    })
  | null

/** How others are reached. */
export interface PrepareOptions {
  readonly ask: Ask
  readonly clock: Clock
}

/** Throws what those who are asked refuse with, and `limit_reached` for a full region. */
export async function prepareCommand(options: PrepareOptions, state: RegionState, command: RegionCommand): Promise<Prepared> {
  switch (command.type) {
    case 'region.attach':
      await join(options, state, command.clusterId)
      return null
    case 'region.detach':
      if (!SESSION_ID_PATTERN.test(command.clusterId)) return null
      // Also one that is not attached: a join whose step never came is undone.
      await leave(options, state, command.clusterId)
      return null
    case 'region.delete':
      await leaveAll(options, state)
      return null
    case 'region.realign':
      if (command.realignmentId !== state.head.realignmentId) return null
      return state.consensus === null ? gather(options, state, command.realignmentId) : pull(options, state, command.realignmentId)
    default:
      return null
  }
}

async function join(options: PrepareOptions, state: RegionState, clusterId: string): Promise<void> {
  refuseWhenRegionFull(state, clusterId)
  await askCluster(options, state, clusterId, { type: 'cluster.joinRegion', regionId: state.address.id })
  if (state.clusters.size > 0) return
  await fitMetaSession(options.ask, state, await askCluster(options, state, clusterId, { type: 'cluster.sample', isBrief: true }))
}

/** Throws `limit_reached` when one cluster more is too many. */
export function refuseWhenRegionFull({ clusters }: RegionState, clusterId: string): void {
  if (clusters.has(clusterId) || clusters.size < CLUSTERS_MAX) return
  throw new DomainError('limit_reached', `A region holds at most ${CLUSTERS_MAX} clusters`)
}

async function leave(options: PrepareOptions, state: RegionState, clusterId: string): Promise<void> {
  await unlessRefused(askCluster(options, state, clusterId, { type: 'cluster.leaveRegion', regionId: state.address.id }), [
    'cluster_missing'
  ])
}

async function leaveAll(options: PrepareOptions, state: RegionState): Promise<void> {
  await fanOut([...state.clusters.keys()], options.clock, (id) => leave(options, state, id))
  await deleteMetaSession(options.ask, state.address)
}

async function gather(options: PrepareOptions, state: RegionState, realignmentId: string): Promise<Prepared> {
  const goneIds: string[] = []
  const answers = await fanOut([...state.clusters.keys()], options.clock, (id) =>
    askIfThere(options, state, { id, command: { type: 'cluster.sample' }, goneIds })
  )
  const samples = answers.filter((answer) => answer !== null)
  const [first] = samples
  const consensus =
    first === undefined ? null : await consensusOf(samples, await readMetaSession(options.ask, state.address, first), options.clock)
  return { half: 'gathered', realignmentId, consensus, goneIds }
}

async function pull(options: PrepareOptions, state: RegionState, realignmentId: string): Promise<Prepared> {
  const { consensus } = state
  if (consensus === null) return null
  await alignMetaSession(options.ask, state.address, { deliveryId: realignmentId, consensus })
  const goneIds: string[] = []
  await fanOut([...state.clusters.keys()], options.clock, async (id) => {
    // What was withdrawn meanwhile is not passed on any further.
    if (state.head.realignmentId !== realignmentId) return
    await askIfThere(options, state, { id, command: { type: 'cluster.pull', deliveryId: realignmentId, ...consensus }, goneIds })
  })
  return { half: 'pulled', realignmentId, goneIds }
}

interface Question<C extends ClusterCommand> {
  readonly id: string
  readonly command: C
  /** Takes the cluster in when it is gone. */
  readonly goneIds: string[]
}

/** Null from a cluster that is gone or fails by itself: it does not hold up the others. Any other refusal passes, and the outbox message is sent again. */
function askIfThere<C extends ClusterCommand>(
  options: PrepareOptions,
  state: RegionState,
  { id, command, goneIds }: Question<C>
): Promise<ReplyOf<C> | null> {
  return unlessRefused(askCluster(options, state, id, command), ['cluster_missing', ...FAILING], ({ code }) => {
    if (code === 'cluster_missing') goneIds.push(id)
  })
}

function askCluster<C extends ClusterCommand>(
  { ask }: PrepareOptions,
  { address }: RegionState,
  id: string,
  command: C
): Promise<ReplyOf<C>> {
  const cluster: Address = { kind: 'cluster', subject: address.subject, id }
  return ask(cluster, command, { deadlineMs: ANSWER_MS_MAX })
}
