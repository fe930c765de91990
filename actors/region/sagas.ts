/**
 * What a region changes at its clusters and its meta-session before its own step. A saga that was cut short is asked for again and finds
 * what is done: each change is idempotent, and the region's record changes last.
 */
import { DomainError } from '../../src/domain/errors.js'
import { unlessRefused } from '../asking/answers.js'
import { fanOut } from '../asking/fan-out.js'
import { askCluster, askIfThere, type Asking } from './asking.js'
import { alignMetaSession, deleteMetaSession, fitMetaSession } from './meta-session.js'
import type { RegionState } from './state.js'

/** Clusters of one region: a realignment asks all of them, and is given 60 s. */
const CLUSTERS_MAX = 1_000

/** The cluster is told first, and the first one gives the region its model. */
export async function join(asking: Asking, state: RegionState, clusterId: string): Promise<void> {
  refuseWhenRegionFull(state, clusterId)
  await askCluster(asking, state, clusterId, { type: 'cluster.joinRegion', regionId: state.address.id })
  if (state.clusters.size > 0) return
  await fitMetaSession(asking.ask, state, await askCluster(asking, state, clusterId, { type: 'cluster.sample', isBrief: true }))
}

/** Throws `limit_reached` when one cluster more is too many. */
export function refuseWhenRegionFull({ clusters }: RegionState, clusterId: string): void {
  if (clusters.has(clusterId) || clusters.size < CLUSTERS_MAX) return
  throw new DomainError('limit_reached', `A region holds at most ${CLUSTERS_MAX} clusters`)
}

/** Also of a cluster that is not attached: a join whose step never came is undone. */
export async function leave(asking: Asking, state: RegionState, clusterId: string): Promise<void> {
  await unlessRefused(askCluster(asking, state, clusterId, { type: 'cluster.leaveRegion', regionId: state.address.id }), [
    'cluster_missing'
  ])
}

/** The region's record goes last, so a deletion that was cut short is asked for again, and finds the rest. */
export async function leaveAll(asking: Asking, state: RegionState): Promise<void> {
  await fanOut([...state.clusters.keys()], asking.clock, (id) => leave(asking, state, id))
  await deleteMetaSession(asking.ask, state.address)
}

/**
 * The second half of a realignment: every cluster is pulled towards the consensus. Ids of those that are gone; null without a consensus.
 */
export async function pull(asking: Asking, state: RegionState, realignmentId: string): Promise<readonly string[] | null> {
  const { consensus } = state
  if (consensus === null) return null
  await alignMetaSession(asking.ask, state.address, { deliveryId: realignmentId, consensus })
  const goneIds: string[] = []
  await fanOut([...state.clusters.keys()], asking.clock, async (id) => {
    // What was withdrawn meanwhile is not passed on any further.
    if (state.head.realignmentId !== realignmentId) return
    await askIfThere(asking, state, { id, command: { type: 'cluster.pull', deliveryId: realignmentId, ...consensus }, goneIds })
  })
  return goneIds
}
