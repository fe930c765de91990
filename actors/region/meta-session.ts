/** Meta-session of a region: a session whose state is the consensus. It is created and deleted with the region. */
import type { Address } from '../../src/domain/address.js'
import type { ClusterSample } from '../../src/domain/commands/cluster-commands.js'
import type { SessionStateView } from '../../src/domain/commands/coordination-commands.js'
import type { CreateSession } from '../../src/domain/commands/session-commands.js'
import { metaSessionIdOf } from '../../src/domain/meta-session.js'
import { ANSWER_MS_MAX, unlessRefused } from '../asking/answers.js'
import type { Ask } from '../asking/ask.js'
import type { Consensus, RegionState } from './state.js'

type Settings = Omit<CreateSession, 'type' | 'backing'>

const DEADLINE = { deadlineMs: ANSWER_MS_MAX }

/** Creates the meta-session, or takes over one that an earlier try has left. Throws what the session refuses. */
export async function makeMetaSession(ask: Ask, region: Address, settings: Settings): Promise<void> {
  // An existing one is the region's own: its id derives from the region's, which is a new UUID.
  await unlessRefused(ask(metaAddress(region), { type: 'session.create', ...settings, backing: 'region' }, DEADLINE), ['already_exists'])
}

/** Deletes the meta-session, if there is one. */
export async function deleteMetaSession(ask: Ask, region: Address): Promise<void> {
  await unlessRefused(ask(metaAddress(region), { type: 'session.delete', isByOwner: true }, DEADLINE), ['session_missing'])
}

/** Reads the state of the meta-session. Creates it again if it is gone, with the sample's dimension and model. */
export async function readMetaSession(ask: Ask, region: Address, sample: ClusterSample): Promise<SessionStateView> {
  const read = () => ask(metaAddress(region), { type: 'state.read' }, DEADLINE)
  const view = await unlessRefused(read(), ['session_missing'])
  if (view !== null) return view
  await makeMetaSession(ask, region, settingsLike(sample))
  return read()
}

/** Before the first cluster is attached: replaces a meta-session without input whose dimension or model differs from the cluster's. */
export async function fitMetaSession(ask: Ask, { address, clusters, head }: RegionState, sample: ClusterSample): Promise<void> {
  if (clusters.size > 0 || head.realignmentCount > 0) return
  const view = await readMetaSession(ask, address, sample)
  if (view.dimension === sample.dimension && view.modelName === sample.modelName) return
  if (view.interactionCount > 0 || view.totalMemories > 0) return
  await deleteMetaSession(ask, address)
  await makeMetaSession(ask, address, settingsLike(sample))
}

/** Moves the meta-session's state exactly to the consensus. A repeated delivery changes nothing. */
export async function alignMetaSession(
  ask: Ask,
  region: Address,
  { deliveryId, consensus }: { deliveryId: string; consensus: Consensus }
): Promise<void> {
  const blend = { type: 'state.blend', deliveryId, ...consensus, coupling: 1 } as const
  await unlessRefused(ask(metaAddress(region), blend, DEADLINE), ['session_missing'])
}

function metaAddress({ subject, id }: Address): Address {
  return { kind: 'session', subject, id: metaSessionIdOf(id) }
}

function settingsLike({ dimension, modelName }: ClusterSample): Settings {
  return { dimension, modelName, useCortex: false, enableTopicSwitch: true, policyVectors: [] }
}
