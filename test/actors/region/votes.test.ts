/** Compares the votes of a region with a model that keeps everything and recounts it each time. */
import fc from 'fast-check'
import t from 'tap'
import type { Vote } from '../../../src/domain/commands/region-commands.js'
import { CLOCK_SKEW_S } from '../../../src/domain/limits.js'
import { createRegionRig, type RegionRig } from '../../support/region-rig.js'

const CLUSTERS = ['a', 'b', 'c', 'd']
const STRANGER = 'stranger'
const WINDOW_S = 60

type Operation =
  /** A drift of a cluster whose clock is `skewS` seconds off the region's. A later `tell` may report it. */
  | { readonly do: 'drift'; readonly cluster: string; readonly skewS: number }
  /** Reports one of the drifts so far, 0 being the latest, for the first time or again. */
  | { readonly do: 'tell'; readonly which: number }
  | { readonly do: 'attach' | 'detach' | 'drop'; readonly cluster: string }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'restart' | 'realign' }

function createModel(threshold: number) {
  const attachedAt = new Map<string, number>()
  const seen = new Set<string>()
  let counted: { cluster: string; timestamp: number }[] = []
  let listed: { eventId: string; timestamp: number; order: number }[] = []
  let isAgreed = false
  let realignments = 0

  const fraction = (now: number) => {
    const voters = new Set(counted.filter(({ timestamp }) => timestamp > now - WINDOW_S).map(({ cluster }) => cluster))
    return attachedAt.size === 0 ? 0 : voters.size / attachedAt.size
  }
  const look = (now: number) => {
    if (fraction(now) <= threshold) isAgreed = false
  }
  return {
    get realignments() {
      return realignments
    },
    listed: () => [...listed].sort((x, y) => y.timestamp - x.timestamp || y.order - x.order).map(({ eventId }) => eventId),
    clusters: () => [...attachedAt.keys()],
    look,
    attach(cluster: string, now: number) {
      // Attaching again changes nothing, and agreement is not checked.
      if (attachedAt.has(cluster)) return
      attachedAt.set(cluster, now)
      look(now)
    },
    detach(cluster: string, now: number) {
      // Detaching a cluster that is not attached is refused, and agreement is not checked.
      if (!attachedAt.delete(cluster)) return
      counted = counted.filter((vote) => vote.cluster !== cluster)
      look(now)
    },
    tell({ clusterId, eventId, timestamp: told }: Vote, now: number): boolean {
      const timestamp = Math.min(told, now)
      const since = attachedAt.get(clusterId)
      if (since === undefined || told < since - CLOCK_SKEW_S || seen.has(eventId)) return false
      seen.add(eventId)
      listed = [...listed, { eventId, timestamp, order: seen.size }]
      if (timestamp <= now - WINDOW_S) return false
      look(now)
      counted = [...counted, { cluster: clusterId, timestamp }]
      if (!isAgreed && fraction(now) > threshold) {
        isAgreed = true
        realignments += 1
      }
      return true
    }
  }
}

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('drift' as const),
      cluster: fc.constantFrom(...CLUSTERS, STRANGER),
      skewS: fc.constantFrom(0, 0, 0, -5, 5, -70)
    })
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('tell' as const), which: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(20)) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('attach' as const), cluster: fc.constantFrom(...CLUSTERS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('detach' as const, 'drop' as const), cluster: fc.constantFrom(...CLUSTERS) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(0.5, 7, 20, 45, 61) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('restart' as const, 'realign' as const) }) }
)

t.test('shuffled, doubled, delayed and foreign votes agree with the model, between attachments and restarts', async (t) => {
  let crossings = 0
  const property = fc.asyncProperty(
    fc.array(operation, { minLength: 40, maxLength: 120 }),
    fc.constantFrom(0.3, 0.5, 0.75),
    async (operations, threshold) => {
      const rig = await createRegionRig({ consensusThreshold: threshold, voteWindowS: WINDOW_S })
      const model = createModel(threshold)
      const drifts: Vote[] = []
      for (const cluster of CLUSTERS.slice(1)) await perform(rig, model, drifts, { do: 'attach', cluster })
      for (const one of operations) await perform(rig, model, drifts, one)
      await rig.deliverAll()
      const { head } = rig.state
      crossings += head.realignmentCount
      return head.progress.work === 'idle' && head.realignmentId === null && rig.state.consensus === null
    }
  )
  await fc.assert(property, { numRuns: 120 })
  t.ok(crossings > 50, `${crossings} realignments`)
})

t.test('a vote counts although the clock of the region was set back after its cluster was attached', async (t) => {
  const rig = await createRegionRig()
  await rig.ask({ type: 'region.attach', clusterId: 'a' })
  const attachedAt = rig.clock.now()
  Object.assign(rig.clock, { now: () => attachedAt - 3_600 })
  const vote = { type: 'region.vote', clusterId: 'a', driftScore: 0.7, driftPhase: 'drifted' } as const
  t.same(await rig.ask({ ...vote, eventId: 'before', timestamp: attachedAt - 3_600 - CLOCK_SKEW_S - 1 }), { isCounted: false })
  t.same(await rig.ask({ ...vote, eventId: 'after', timestamp: attachedAt + 1 }), { isCounted: true })
  t.same(await rig.ask({ ...vote, eventId: 'set back', timestamp: attachedAt - 3_599 }), { isCounted: true })
})

async function perform(rig: RegionRig, model: ReturnType<typeof createModel>, drifts: Vote[], one: Operation): Promise<void> {
  const now = rig.clock.now()
  switch (one.do) {
    case 'drift':
      drifts.push({
        type: 'region.vote',
        eventId: `drift-${drifts.length}`,
        clusterId: one.cluster,
        driftScore: 0.7,
        driftPhase: 'drifted',
        timestamp: now + one.skewS
      })
      return
    case 'tell': {
      const drift = drifts.at(-1 - one.which)
      if (drift === undefined) return
      const { isCounted } = await rig.ask(drift)
      same(isCounted, model.tell(drift, now), 'counted')
      break
    }
    case 'attach':
      await rig.ask({ type: 'region.attach', clusterId: one.cluster })
      model.attach(one.cluster, now)
      break
    case 'detach':
      await rig.ask({ type: 'region.detach', clusterId: one.cluster }).catch(() => undefined)
      model.detach(one.cluster, now)
      break
    case 'drop':
      await rig.ask({ type: 'region.dropCluster', clusterId: one.cluster })
      model.detach(one.cluster, now)
      break
    case 'wait':
      await rig.clock.advance(one.seconds * 1000)
      return
    case 'restart':
      await rig.restart()
      break
    case 'realign': {
      const { work } = rig.state.head.progress
      await rig.deliverAll()
      // The end of a realignment checks whether the clusters still agree.
      if (work !== 'idle') model.look(now)
      break
    }
  }
  const region = await rig.ask({ type: 'region.read' })
  const { events } = await rig.ask({ type: 'region.events', limit: 1_000 })
  same(region.realignmentCount, model.realignments, 'realignments')
  same(region.clusters, model.clusters(), 'clusters')
  same(
    events.map(({ eventId }) => eventId),
    model.listed(),
    'events'
  )
}

function same(actual: unknown, expected: unknown, what: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`${what}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`)
}
