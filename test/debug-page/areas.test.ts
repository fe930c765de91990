import fc from 'fast-check'
import t from 'tap'
import { alarmsOf, type Area, areasOf, SHOWN_MAX } from '../../src/debug-page/areas.js'
import { counted } from '../../src/debug-page/counted.js'
import type { GraphEdge, GraphNode } from '../../src/debug-page/topology.js'

const part = (kind: string, name: string, course?: string): GraphNode => ({
  id: `${kind}:${name}`,
  kind,
  label: name,
  state: 'active',
  ...(course !== undefined && { course })
})
const edge = (kind: string, source: string, target: string): GraphEdge => ({ kind, source, target })

/** Titles of the areas with what is within them, the service left out. */
function told(areas: readonly Area[]): unknown[] {
  return areas.filter(({ kind }) => kind !== 'service').map(({ title, inner }) => (inner.length === 0 ? title : [title, ...told(inner)]))
}

function every(areas: readonly Area[]): Area[] {
  return areas.flatMap((area) => [area, ...every(area.inner)])
}

const STORY = {
  nodes: [
    part('service', 'service'),
    part('supervisor', 'session'),
    part('session', 'ann', 'stable'),
    part('session', 'ben', 'drifted'),
    part('session', 'alone', 'shifting'),
    part('session', 'c', 'drifted'),
    part('session', 'meta', 'stable'),
    part('cluster', 'c'),
    part('cluster', 'loose'),
    part('region', 'r', 'gathering'),
    part('observer', 'one', 'systemicDrift')
  ],
  edges: [
    edge('supervises', 'service:service', 'supervisor:session'),
    edge('supervises', 'supervisor:session', 'session:ann'),
    edge('member', 'session:ann', 'cluster:c'),
    edge('member', 'session:ben', 'cluster:c'),
    edge('backing', 'session:c', 'cluster:c'),
    edge('backing', 'session:meta', 'region:r'),
    edge('attached', 'cluster:c', 'region:r'),
    edge('registered', 'region:r', 'observer:one')
  ]
}

t.test('areas: regions hold clusters, clusters their members, and what belongs to nothing is gathered', async (t) => {
  const areas = areasOf(STORY.nodes, STORY.edges, null)
  t.strictSame(told(areas), [
    ['Regions', ['r', ['c', 'ann', 'ben']]],
    ['Clusters without a region', 'loose'],
    ['Sessions without a cluster', 'alone'],
    ['Across all', 'one']
  ])
  t.match(areas.at(-1), { kind: 'service', inner: [{ title: 'session', kind: 'supervisor', inner: [] }] }, 'a supervisor holds no session')
})

t.test('areas: tones and words for drift, votes and anomalies; a cluster has those of the session that it shares', async (t) => {
  const areas = new Map(every(areasOf(STORY.nodes, STORY.edges, null)).map(({ id, tone, note }) => [id, `${tone}: ${note}`]))
  t.equal(areas.get('session:ann'), 'calm: stable')
  t.equal(areas.get('session:alone'), 'warn: shifting')
  t.equal(areas.get('cluster:c'), 'alarm: 2 members · drifted')
  t.equal(areas.get('cluster:loose'), 'none: active')
  t.equal(areas.get('region:r'), 'warn: 1 cluster · votes coming in')
  t.equal(areas.get('observer:one'), 'alarm: observer · systemicDrift')
  t.notOk(areas.has('session:c'), 'its cluster stands for it')
})

t.test('areas: what of a state or a course is calm, worth a look, or an alarm', async (t) => {
  const toneOf = (node: GraphNode) => every(areasOf([node], [], null)).at(-1)?.tone
  const tones = (kind: string, words: readonly string[]) => words.map((state) => toneOf({ ...part(kind, 'one'), state }))
  const courses = (kind: string, words: readonly string[]) => words.map((course) => toneOf(part(kind, 'one', course)))
  const all = (tone: string, count: number) => Array.from({ length: count }, () => tone)
  t.strictSame(courses('session', ['stable', 'shifting', 'drifted', 'unheard of']), ['calm', 'warn', 'alarm', 'none'])
  t.strictSame(courses('region', ['quiet', 'gathering', 'coolingDown', 'realigning']), ['calm', 'warn', 'warn', 'alarm'])
  t.strictSame(tones('service', ['up', 'running', 'configured']), all('calm', 3))
  t.strictSame(tones('service', ['restarting', 'joining', 'unfit', 'draining']), all('warn', 4))
  t.strictSame(tones('service', ['failed', 'isolated']), all('alarm', 2))
  t.strictSame(
    ['quiet', 'gathering', 'realigning', 'coolingDown'].map(
      (course) => every(areasOf([part('region', 'r', course)], [], null)).at(-1)?.note
    ),
    ['no votes', 'votes coming in', 'realigning', 'realigned']
  )
})

t.test('alarms: every part of the highest tone, once', async (t) => {
  t.strictSame(
    alarmsOf(STORY.nodes, STORY.edges).map(({ part, note }) => `${part.id} ${note}`),
    ['cluster:c drifted', 'observer:one systemicDrift', 'session:ben drifted']
  )
})

t.test('areas: few of each however many parts, the selected one and what calls for attention among them', async (t) => {
  const graph = fc.tuple(
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 0, max: 12 }),
    fc.nat(),
    fc.array(fc.tuple(fc.nat(50), fc.nat(50)))
  )
  const property = fc.property(graph, ([sessions, clusters, chosen, pairs]) => {
    const nodes = [
      ...Array.from({ length: sessions }, (_, i) => part('session', `s${i}`, i % 5 === 0 ? 'drifted' : 'stable')),
      ...Array.from({ length: clusters }, (_, i) => part('cluster', `c${i}`))
    ]
    const edges = pairs.map(([a, b]) => edge('member', `session:s${a}`, `cluster:c${b}`))
    const selected = nodes[chosen % Math.max(1, nodes.length)]?.id ?? null
    const areas = areasOf(nodes, edges, selected)
    const all = every(areas)
    t.ok(all.every(({ inner }) => inner.length <= SHOWN_MAX))
    t.ok(all.every(({ inner, more }) => more === 0 || inner.length === SHOWN_MAX))
    if (selected !== null) t.ok(all.some(({ id }) => id === selected))
    t.strictSame(areasOf(nodes, edges, selected), areas, 'the same each time')
  })
  fc.assert(property, { numRuns: 100 })
  const many = Array.from({ length: 40 }, (_, i) => part('session', `s${String(i).padStart(2, '0')}`, i === 33 ? 'drifted' : 'stable'))
  const [area] = areasOf(many, [], null)
  t.match(area, { more: 40 - SHOWN_MAX, moreKind: 'session' })
  const mixed = [
    part('service', 'x'),
    ...many.slice(0, 8).map(({ label }) => part('node', label)),
    part('storage', 'z'),
    part('proxy', 'y')
  ]
  const uses = mixed.slice(1).map(({ id }) => edge('uses', 'service:x', id))
  t.match(areasOf(mixed, uses, null), [{ more: 2, moreKind: '' }], 'of several kinds')
  t.ok(
    area?.inner.some(({ title }) => title === 's33'),
    'the one that has drifted is shown'
  )
})

t.test('counts: one, many, and kinds that end in y', async (t) => {
  t.strictSame([counted(1, 'day'), counted(2_000, 'day'), counted(3, 'entity')], ['1 day', '2,000 days', '3 entities'])
})
