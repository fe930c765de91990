/** The session that stands for a region: it has the consensus as its state. It lives and dies with the region. */
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

/** Makes the meta-session; one that was left by an earlier try is taken as it is. Throws what the session refuses. */
export async function makeMetaSession(ask: Ask, region: Address, settings: Settings): Promise<void> {
  // Nobody else can have made it: a region's id is a new UUID.
  await unlessRefused(ask(metaAddress(region), { type: 'session.create', ...settings, backing: 'region' }, DEADLINE), ['already_exists'])
}

/** Deletes the meta-session, if there is one. */
export async function deleteMetaSession(ask: Ask, region: Address): Promise<void> {
  await unlessRefused(ask(metaAddress(region), { type: 'session.delete', isByOwner: true }, DEADLINE), ['session_missing'])
}

/** What the meta-session says of its state. One that is gone is made again, for vectors like the sample's. */
export async function readMetaSession(ask: Ask, region: Address, sample: ClusterSample): Promise<SessionStateView> {
  const read = () => ask(metaAddress(region), { type: 'state.read' }, DEADLINE)
  const view = await unlessRefused(read(), ['session_missing'])
  if (view !== null) return view
  await makeMetaSession(ask, region, settingsLike(sample))
  return read()
}

/** Before the first cluster: a meta-session that has seen nothing is made anew when it could not take that cluster's vectors. */
export async function fitMetaSession(ask: Ask, { address, clusters, head }: RegionState, sample: ClusterSample): Promise<void> {
  if (clusters.size > 0 || head.realignmentCount > 0) return
  const view = await readMetaSession(ask, address, sample)
  if (view.dimension === sample.dimension && view.modelName === sample.modelName) return
  if (view.interactionCount > 0 || view.totalMemories > 0) return
  await deleteMetaSession(ask, address)
  await makeMetaSession(ask, address, settingsLike(sample))
}

/** Moves the meta-session's state to the consensus, all the way. The same delivery again changes nothing. */
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
