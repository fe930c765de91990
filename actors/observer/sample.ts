/** Looks at the registered regions and their clusters. Changes nothing. */
import { type Condition, createSurvey, type ObservedCluster } from '../../src/domain/coordination/anomalies.js'
import type { Clock } from '../../src/ports.js'
import { FAILING, unlessRefused } from '../asking/answers.js'
import { fanOut } from '../asking/fan-out.js'
import { inSlices } from '../scheduling/time-slices.js'
import { type Asking, askOther } from './asking.js'

export interface Sample {
  /** Regions and clusters that answered. */
  readonly regionsSampled: number
  readonly clustersSampled: number
  readonly durationMs: number
  readonly conditions: readonly Condition[]
  /** Registered regions that do not exist any more. */
  readonly goneRegionIds: readonly string[]
}

/** One look at everything. What fails by itself is left out. Rejects when an answer does not come: a part is not the whole. */
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

/** What of the registered regions there is at the moment. */
export interface Census {
  /** Attached to them, each counted once. */
  readonly clusterCount: number
  readonly goneRegionIds: readonly string[]
}

/** Asks the regions only: their clusters are counted, not looked at. */
export async function takeCensus(asking: Asking, regionIds: readonly string[]): Promise<Census> {
  const { found, goneRegionIds } = await lookAtRegions(asking, regionIds)
  return { clusterCount: (await clustersOf(found, asking.clock)).size, goneRegionIds }
}

/** Rejects with `region_missing` when there is no such region. */
export async function findRegion(asking: Asking, regionId: string): Promise<void> {
  await askOther(asking, { kind: 'region', id: regionId }, { type: 'region.sample' })
}

interface FoundRegion {
  readonly regionId: string
  readonly clusterIds: readonly string[]
}

/** Ids of the clusters that are attached to any of them. */
async function clustersOf(regions: readonly FoundRegion[], clock: Clock): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  await inSlices(regions, clock, ({ clusterIds }) => clusterIds.forEach((id) => ids.add(id)))
  return ids
}

async function lookAtRegions(asking: Asking, regionIds: readonly string[]): Promise<{ found: FoundRegion[]; goneRegionIds: string[] }> {
  const goneRegionIds: string[] = []
  const answers = await fanOut(regionIds, asking.clock, async (regionId): Promise<FoundRegion[]> => {
    const asked = askOther(asking, { kind: 'region', id: regionId }, { type: 'region.sample' })
    const sample = await unlessRefused(asked, ['region_missing', ...FAILING], ({ code }) => {
      if (code === 'region_missing') goneRegionIds.push(regionId)
    })
    return sample === null ? [] : [{ regionId, clusterIds: sample.clusters }]
  })
  return { found: answers.flat(), goneRegionIds }
}

/** By id. */
async function lookAtClusters(asking: Asking, clusterIds: readonly string[]): Promise<Map<string, ObservedCluster>> {
  const clusters = new Map<string, ObservedCluster>()
  await fanOut(clusterIds, asking.clock, async (clusterId) => {
    const asked = askOther(asking, { kind: 'cluster', id: clusterId }, { type: 'cluster.sample', isBrief: true })
    const sample = await unlessRefused(asked, ['cluster_missing', ...FAILING])
    if (sample === null) return
    const { phase, driftPhase, interactionCount } = sample
    clusters.set(clusterId, { clusterId, phase, driftPhase, interactionCount })
  })
  return clusters
}
