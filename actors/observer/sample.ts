/** Samples the registered regions and their clusters. Changes nothing. */
import { type Condition, createSurvey, type ObservedCluster } from '../../src/domain/coordination/anomalies.js'
import type { Clock } from '../../src/ports.js'
import { fanOut } from '../asking/fan-out.js'
import { askIfThere, type Asking, askOther } from '../coordination/asking.js'
import { inSlices } from '../scheduling/time-slices.js'

export interface Sample {
  /** Number of regions and clusters that answered. */
  readonly regionsSampled: number
  readonly clustersSampled: number
  readonly durationMs: number
  readonly conditions: readonly Condition[]
  /** Registered regions that no longer exist. */
  readonly goneRegionIds: readonly string[]
}

/** Takes one sample. Actors that fail for every caller are left out. Rejects if another answer does not come, as a part would mislead. */
export async function takeSample(asking: Asking, regionIds: readonly string[]): Promise<Sample> {
  const { clock } = asking
  const startedAtMs = clock.monotonicMs()
  const { found, goneRegionIds } = await lookAtRegions(asking, regionIds)
  const clusters = await lookAtClusters(asking, [...(await clustersOf(found, clock))])
  const survey = createSurvey()
  await inSlices(found, clock, ({ regionId, clusterIds }) =>
    survey.add({ regionId, clusters: clusterIds.flatMap((id) => clusters.get(id) ?? []) })
  )
  return {
    regionsSampled: found.length,
    clustersSampled: clusters.size,
    durationMs: clock.monotonicMs() - startedAtMs,
    conditions: survey.conditions(),
    goneRegionIds
  }
}

/** Count of what the registered regions contain. */
export interface Census {
  /** Number of distinct clusters attached to them. */
  readonly clusterCount: number
  readonly goneRegionIds: readonly string[]
}

/** Takes a census. Asks only the regions: their clusters are counted, not asked. */
export async function takeCensus(asking: Asking, regionIds: readonly string[]): Promise<Census> {
  const { found, goneRegionIds } = await lookAtRegions(asking, regionIds)
  return { clusterCount: (await clustersOf(found, asking.clock)).size, goneRegionIds }
}

/** Checks that a region exists. Rejects with `region_missing` if not. */
export async function findRegion(asking: Asking, regionId: string): Promise<void> {
  await askOther(asking, { kind: 'region', id: regionId }, { type: 'region.sample' })
}

interface FoundRegion {
  readonly regionId: string
  readonly clusterIds: readonly string[]
}

/** Returns the ids of all clusters that are attached to any of the regions. */
async function clustersOf(regions: readonly FoundRegion[], clock: Clock): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  await inSlices(regions, clock, ({ clusterIds }) => clusterIds.forEach((id) => ids.add(id)))
  return ids
}

async function lookAtRegions(asking: Asking, regionIds: readonly string[]): Promise<{ found: FoundRegion[]; goneRegionIds: string[] }> {
  const goneRegionIds: string[] = []
  const answers = await fanOut(regionIds, asking.clock, async (regionId): Promise<FoundRegion[]> => {
    const region = { kind: 'region', id: regionId } as const
    const sample = await askIfThere(asking, region, { type: 'region.sample' }, (id) => goneRegionIds.push(id))
    return sample === null ? [] : [{ regionId, clusterIds: sample.clusters }]
  })
  return { found: answers.flat(), goneRegionIds }
}

/** Samples clusters. Resolves to those that answered, by id. */
async function lookAtClusters(asking: Asking, clusterIds: readonly string[]): Promise<Map<string, ObservedCluster>> {
  const clusters = new Map<string, ObservedCluster>()
  await fanOut(clusterIds, asking.clock, async (clusterId) => {
    const sample = await askIfThere(asking, { kind: 'cluster', id: clusterId }, { type: 'cluster.sample', isBrief: true })
    if (sample === null) return
    const { phase, driftPhase, interactionCount } = sample
    clusters.set(clusterId, { clusterId, phase, driftPhase, interactionCount })
  })
  return clusters
}
