/** Meta-session of a region, whose state is the consensus of the region's clusters. */
import type { Address } from '../../src/domain/address.js'
import type { ClusterSample } from '../../src/domain/commands/cluster-commands.js'
import type { SessionStateView } from '../../src/domain/commands/coordination-commands.js'
import { unlessRefused } from '../asking/answers.js'
import type { Ask } from '../asking/ask.js'
import { deleteMetaSession, makeMetaSession, META_DEADLINE, metaAddress, type MetaOwner, PLAIN_SETTINGS } from '../asking/meta-session.js'
import type { Consensus, RegionState } from './state.js'

export function ownerOf({ subject, id }: Address): MetaOwner {
  return { subject, ownerId: id }
}

/** Reads the state of the meta-session. Creates it again if it is gone, with the sample's dimension and model. */
export async function readMetaSession(ask: Ask, region: Address, sample: ClusterSample): Promise<SessionStateView> {
  const owner = ownerOf(region)
  const read = () => ask(metaAddress(owner), { type: 'state.read' }, META_DEADLINE)
  const view = await unlessRefused(read(), ['session_missing'])
  if (view !== null) return view
  await makeMetaSession(ask, owner, settingsLike(sample))
  return read()
}

/** Before the first cluster is attached: replaces a meta-session without input whose dimension or model differs from the cluster's. */
export async function fitMetaSession(ask: Ask, { address, clusters, head }: RegionState, sample: ClusterSample): Promise<void> {
  if (clusters.size > 0 || head.realignmentCount > 0) return
  const view = await readMetaSession(ask, address, sample)
  if (view.dimension === sample.dimension && view.modelName === sample.modelName) return
  if (view.interactionCount > 0 || view.totalMemories > 0) return
  await deleteMetaSession(ask, ownerOf(address))
  await makeMetaSession(ask, ownerOf(address), settingsLike(sample))
}

/** Moves the meta-session's state exactly to the consensus. A repeated delivery changes nothing. */
export async function alignMetaSession(
  ask: Ask,
  region: Address,
  { deliveryId, consensus }: { deliveryId: string; consensus: Consensus }
): Promise<void> {
  const blend = { type: 'state.blend', deliveryId, ...consensus, coupling: 1 } as const
  await unlessRefused(ask(metaAddress(ownerOf(region)), blend, META_DEADLINE), ['session_missing'])
}

function settingsLike({ dimension, modelName }: ClusterSample) {
  return { ...PLAIN_SETTINGS, dimension, modelName, backing: 'region' } as const
}
