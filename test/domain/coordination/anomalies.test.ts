import fc from 'fast-check'
import t from 'tap'
import {
  compareConditions,
  CONDITIONS_MAX,
  createSurvey,
  type ObservedCluster,
  type ObservedRegion
} from '../../../src/domain/coordination/anomalies.js'
import type { DriftPhase, UnderstandingPhase } from '../../../src/domain/session.js'

const PHASES: UnderstandingPhase[] = ['initialization', 'exploration', 'convergence', 'resonance', 'stability', 'instability']
const DRIFT_PHASES: DriftPhase[] = ['stable', 'shifting', 'drifted']

/** A few clusters and regions of them: a cluster may be in none, one or several. */
const worlds = fc
  .array(
    fc.record({
      phase: fc.constantFrom(...PHASES),
      driftPhase: fc.constantFrom(...DRIFT_PHASES),
      interactionCount: fc.oneof(fc.constantFrom(0, 1, 2, 3), fc.nat(100))
    }),
    { maxLength: 12 }
  )
  .map((states) => states.map((state, at): ObservedCluster => ({ clusterId: `c${at}`, ...state })))
  .chain((clusters) =>
    fc
      .array(fc.subarray(clusters), { maxLength: 5 })
      .map((groups) => groups.map((own, at): ObservedRegion => ({ regionId: `r${at}`, clusters: own })))
  )

function conditionsOf(regions: readonly ObservedRegion[]) {
  const survey = createSurvey()
  for (const region of regions) survey.add(region)
  return survey.conditions()
}

/** Implements the definitions of the interface literally, at any cost. */
function expectedKeys(regions: readonly ObservedRegion[]): string[] {
  const keys: string[] = []
  const observed = new Map(regions.flatMap(({ clusters }) => clusters.map((cluster) => [cluster.clusterId, cluster] as const)))
  for (const phase of PHASES) {
    const inPhase = [...observed.values()].filter((cluster) => cluster.phase === phase)
    const across = regions.filter(({ clusters }) => clusters.some((cluster) => cluster.phase === phase))
    if (phase !== 'initialization' && inPhase.length >= 3 && across.length >= 2) keys.push(`cross_cluster_convergence:${phase}`)
  }
  const drifting = [...observed.values()].filter(({ driftPhase }) => driftPhase !== 'stable')
  if (drifting.length / observed.size > 0.5) keys.push('systemic_drift')
  for (const { regionId, clusters } of regions) {
    const average = clusters.reduce((sum, { interactionCount }) => sum + interactionCount, 0) / clusters.length
    for (const { clusterId, interactionCount } of clusters)
      if (interactionCount > 3 * average) keys.push(`cluster_divergence:${regionId}:${clusterId}`)
  }
  return keys.sort()
}

t.test('conditions of any clusters in any regions are those of the definitions', async () => {
  fc.assert(
    fc.property(worlds, (regions) => {
      const keys = conditionsOf(regions).map(({ key }) => key)
      return JSON.stringify(keys.sort()) === JSON.stringify(expectedKeys(regions))
    }),
    { numRuns: 2_000 }
  )
})

t.test('conditions of any clusters name observed clusters and have a severity of 0 to 1', async () => {
  fc.assert(
    fc.property(worlds, (regions) => {
      const observed = new Set(regions.flatMap(({ clusters }) => clusters.map(({ clusterId }) => clusterId)))
      return conditionsOf(regions).every(({ severity, affectedClusterIds: ids }) => {
        return severity >= 0 && severity <= 1 && ids.length > 0 && new Set(ids).size === ids.length && ids.every((id) => observed.has(id))
      })
    })
  )
})

const cluster = (clusterId: string, more: Partial<ObservedCluster> = {}): ObservedCluster => ({
  clusterId,
  phase: 'initialization',
  driftPhase: 'stable',
  interactionCount: 1,
  ...more
})

t.test('convergence needs three clusters in two regions, and is one condition a phase', async (t) => {
  const phase = 'resonance'
  const [a, b, c] = [cluster('a', { phase }), cluster('b', { phase }), cluster('c', { phase })]
  t.strictSame(conditionsOf([{ regionId: 'r', clusters: [a, b, c] }]), [], 'one region')
  t.strictSame(
    conditionsOf([
      { regionId: 'r', clusters: [a, b] },
      { regionId: 's', clusters: [b] }
    ]),
    [],
    'two clusters'
  )
  t.match(
    conditionsOf([
      { regionId: 'r', clusters: [a, b] },
      { regionId: 's', clusters: [c] }
    ]),
    [
      {
        anomalyType: 'cross_cluster_convergence',
        affectedClusterIds: ['a', 'b', 'c'],
        severity: 1,
        description: '3 clusters in 2 regions are in the phase resonance'
      }
    ]
  )
})

t.test('conditions are listed alike in whichever order their regions were looked at', async (t) => {
  const regionOf = (regionId: string, phase: UnderstandingPhase): ObservedRegion => ({
    regionId,
    clusters: ['a', 'b'].map((id) => cluster(`${regionId}-${id}`, { phase }))
  })
  const regions = [regionOf('r1', 'stability'), regionOf('r2', 'stability'), regionOf('r3', 'exploration'), regionOf('r4', 'exploration')]
  const keys = ['cross_cluster_convergence:exploration', 'cross_cluster_convergence:stability']
  for (const looked of [regions, regions.toReversed()])
    t.strictSame(
      conditionsOf(looked).map(({ key }) => key),
      keys
    )
})

t.test('systemic drift of exactly one half is none', async (t) => {
  const drifting = cluster('a', { driftPhase: 'shifting' })
  t.strictSame(conditionsOf([{ regionId: 'r', clusters: [drifting, cluster('b')] }]), [])
  t.match(conditionsOf([{ regionId: 'r', clusters: [drifting] }]), [{ key: 'systemic_drift', affectedClusterIds: ['a'], severity: 1 }])
  t.strictSame(conditionsOf([]), [], 'nothing is observed')
})

t.test('divergence is measured against the average of each region the cluster is in', async (t) => {
  const busy = cluster('busy', { interactionCount: 100 })
  const idle = ['a', 'b', 'c', 'd'].map((id) => cluster(id, { interactionCount: 4 }))
  const [found, ...others] = conditionsOf([
    { regionId: 'r', clusters: [busy, ...idle] },
    { regionId: 's', clusters: [busy] }
  ])
  t.match(found, { key: 'cluster_divergence:r:busy', affectedClusterIds: ['busy'] })
  t.ok(Math.abs((found?.severity ?? 0) - (1 - 23.2 / 100)) < 1e-9)
  t.strictSame(others, [])
})

t.test('more conditions than can be known leave out the same ones every time', async (t) => {
  const regions = Array.from({ length: 6_000 }, (_, at): ObservedRegion => {
    const clusters = ['a', 'b', 'c', 'd'].map((id) =>
      cluster(`${at}-${id}`, { interactionCount: id === 'a' ? 100 : 0, driftPhase: 'drifted' })
    )
    return { regionId: `r${at}`, clusters }
  })
  const conditions = conditionsOf(regions)
  t.equal(conditions.length, CONDITIONS_MAX)
  t.strictSame(compareConditions(new Set(conditions.map(({ key }) => key)), conditionsOf(regions)), { raised: [], cleared: [] })
})

t.test('a condition is raised once, and again only after it was cleared', async (t) => {
  const drifting = conditionsOf([{ regionId: 'r', clusters: [cluster('a', { driftPhase: 'drifted' })] }])
  t.strictSame(compareConditions(new Set(), drifting), { raised: drifting, cleared: [] })
  t.strictSame(compareConditions(new Set(['systemic_drift']), drifting), { raised: [], cleared: [] })
  t.strictSame(compareConditions(new Set(['systemic_drift']), []), { raised: [], cleared: ['systemic_drift'] })
})
