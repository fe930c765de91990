/** Consensus: the direction that a region's clusters have in common. */
import type { ClusterSample } from '../../src/domain/commands/cluster-commands.js'
import type { SessionStateView } from '../../src/domain/commands/coordination-commands.js'
import { unitedUsers } from '../../src/domain/shared-users.js'
import { addScaled, unitOf } from '../../src/domain/similarity/vector.js'
import { inSlices, type SliceClock } from '../scheduling/time-slices.js'
import type { Consensus } from './state.js'

/**
 * Returns unit(Σ aggregates) over the clusters that have an aggregate, and the meta-session's dimension and model. Every cluster counts the
 * same regardless of its members, as in votes. Null without such clusters, or when the aggregates cancel out.
 */
export async function consensusOf(
  samples: readonly ClusterSample[],
  { dimension, modelName }: Pick<SessionStateView, 'dimension' | 'modelName'>,
  clock: SliceClock
): Promise<Consensus | null> {
  const fitting = samples.filter((sample) => sample.dimension === dimension && sample.modelName === modelName)
  const aggregates = fitting.flatMap(({ aggregate }) => aggregate ?? [])
  const sum = new Float64Array(dimension)
  // A thousand vectors of the largest dimension take some 20 ms.
  await inSlices(aggregates, clock, ({ vector }) => addScaled(sum, vector, 1))
  const vector = unitOf(sum)
  return vector === null ? null : { modelName, target: { vector, users: unitedUsers(aggregates.map(({ users }) => users)) } }
}
