/**
 * Sagas of a region: changes of its clusters and its meta-session before its own step. An interrupted saga is repeated: each change is
 * idempotent, and the region's record changes last. So they are asked anew each time: an answer of an earlier try may be outdated, or no
 * longer known.
 */
import type { AttachCluster } from '../../src/domain/commands/region-commands.js'
import { DomainError } from '../../src/domain/errors.js'
import { unlessRefused } from '../asking/answers.js'
import { fanOut } from '../asking/fan-out.js'
import { anew, askIfThere, askOther, type CommandAsking } from '../coordination/asking.js'
import { type Join, joining, thereOrJoining } from '../coordination/joins.js'
import { deleteMetaSession, metaAddress } from '../coordination/meta-session.js'
import { alignMetaSession, fitMetaSession } from './meta-session.js'
import type { RegionState } from './state.js'

/** Upper bound on the clusters of one region: a realignment asks all of them, within 60 s. */
const CLUSTERS_MAX = 1_000

/** Joins the cluster to the region at the cluster's side. The first cluster determines the region's dimension and model. */
export async function join(asking: CommandAsking, state: RegionState, { clusterId }: AttachCluster): Promise<Join> {
  refuseWhenRegionFull(state, clusterId)
  const cluster = { kind: 'cluster', id: clusterId } as const
  // Sampled first: a cluster that has joined asks this region whether it is attached, and what comes after that waits for the answer.
  if (state.clusters.size === 0)
    await fitMetaSession(asking, state, await askOther(asking, cluster, { type: 'cluster.sample', isBrief: true }))
  const command = { type: 'cluster.joinRegion', regionId: state.address.id } as const
  return joining({ joins: state.joins, id: clusterId, signal: asking.signal }, () => askOther(anew(asking), cluster, command))
}

/** Throws `limit_reached` if there is no room for a new cluster. */
export function refuseWhenRegionFull({ clusters }: RegionState, clusterId: string): void {
  if (clusters.has(clusterId) || clusters.size < CLUSTERS_MAX) return
  throw new DomainError('limit_reached', `A region holds at most ${CLUSTERS_MAX} clusters`)
}

/** Detaches all clusters and deletes the meta-session. The region's record is removed last, so that an interrupted deletion is repeated. */
export async function leaveAll(asking: CommandAsking, state: RegionState): Promise<void> {
  const command = { type: 'cluster.leaveRegion', regionId: state.address.id } as const
  await fanOut(thereOrJoining(state.clusters.keys(), state.joins), asking.clock, (id) =>
    unlessRefused(askOther(anew(asking), { kind: 'cluster', id }, command), ['cluster_missing'])
  )
  await deleteMetaSession(asking.ask, metaAddress(state.address))
}

/**
 * Second half of a realignment: pulls every cluster towards the consensus. Returns the ids of clusters that are gone; null without a
 * consensus.
 */
export async function pull(asking: CommandAsking, state: RegionState, realignmentId: string): Promise<readonly string[] | null> {
  const { consensus } = state
  if (consensus === null) return null
  await alignMetaSession(anew(asking), realignmentId, consensus)
  const goneIds: string[] = []
  await fanOut([...state.clusters.keys()], asking.clock, async (id) => {
    // A consensus that was withdrawn meanwhile is not passed on.
    if (state.head.realignmentId !== realignmentId) return
    const command = { type: 'cluster.pull', deliveryId: realignmentId, ...consensus } as const
    await askIfThere(anew(asking), { kind: 'cluster', id }, command, (gone) => goneIds.push(gone))
  })
  return goneIds
}
