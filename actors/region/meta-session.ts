/** Meta-session of a region, whose state is the consensus of the region's clusters. */
import type { ClusterSample } from '../../src/domain/commands/cluster-commands.js'
import type { SessionStateView } from '../../src/domain/commands/coordination-commands.js'
import { unlessRefused } from '../asking/answers.js'
import type { Asking } from '../coordination/asking.js'
import { deleteMetaSession, makeMetaSession, META_DEADLINE, metaAddress, PLAIN_SETTINGS } from '../coordination/meta-session.js'
import type { Consensus, RegionState } from './state.js'

/** Reads the state of the meta-session. Creates it again if it is gone, with the sample's dimension and model. */
export async function readMetaSession({ ask, address }: Asking, sample: ClusterSample): Promise<SessionStateView> {
  const meta = metaAddress(address)
  const read = () => ask(meta, { type: 'state.read' }, META_DEADLINE)
  const view = await unlessRefused(read(), ['session_missing'])
  if (view !== null) return view
  await makeMetaSession(ask, meta, settingsLike(sample))
  return read()
}

/** Before the first cluster is attached: replaces a meta-session without input whose dimension or model differs from the cluster's. */
export async function fitMetaSession(asking: Asking, { clusters, head }: RegionState, sample: ClusterSample): Promise<void> {
  if (clusters.size > 0 || head.realignmentCount > 0) return
  const view = await readMetaSession(asking, sample)
  if (view.dimension === sample.dimension && view.modelName === sample.modelName) return
  if (view.interactionCount > 0 || view.totalMemories > 0) return
  const meta = metaAddress(asking.address)
  await deleteMetaSession(asking.ask, meta)
  await makeMetaSession(asking.ask, meta, settingsLike(sample))
}

/** Moves the meta-session's state exactly to the consensus. A repeated delivery changes nothing. */
export async function alignMetaSession({ ask, address }: Asking, deliveryId: string, consensus: Consensus): Promise<void> {
  const blend = { type: 'state.blend', deliveryId, ...consensus, coupling: 1 } as const
  await unlessRefused(ask(metaAddress(address), blend, META_DEADLINE), ['session_missing'])
}

function settingsLike({ dimension, modelName }: ClusterSample) {
  return { ...PLAIN_SETTINGS, dimension, modelName, backing: 'region' } as const
}
