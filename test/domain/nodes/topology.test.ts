import t from 'tap'
import { type LiveActor, type NodeDescription, topologyOf } from '../../../src/domain/nodes/topology.js'

const NOTHING: NodeDescription = { nodeId: 'n1', state: 'running', supervisors: [], live: [], more: 0 }

function live(kind: LiveActor['kind'], id: string, links: LiveActor['links'] = []): LiveActor {
  return { kind, id, machines: {}, links }
}

t.test('the graph of a service without actors shows its parts', async (t) => {
  const embedder = { id: 'embedder', kind: 'embedder', label: 'lexical', state: 'configured' } as const
  t.strictSame(
    topologyOf({ uses: [embedder], stored: [], nodes: [{ ...NOTHING, supervisors: [{ kind: 'session', state: 'running' }] }] }),
    {
      nodes: [
        { id: 'service', kind: 'service', label: 'service', state: 'running' },
        embedder,
        { id: 'supervisor:session', kind: 'supervisor', label: 'session', state: 'running' }
      ],
      edges: [
        { source: 'service', target: 'embedder', kind: 'uses' },
        { source: 'service', target: 'supervisor:session', kind: 'supervises' }
      ],
      more: 0
    }
  )
})

t.test('a link that both of its ends tell is shown once, and an end that does not live here as stored', async (t) => {
  const member = { kind: 'member', source: { kind: 'session', id: 'c' }, target: { kind: 'cluster', id: 'c' } } as const
  const attached = { kind: 'attached', source: member.target, target: { kind: 'region', id: 'r' } } as const
  const one = { ...NOTHING, live: [live('session', 'c', [member]), live('cluster', 'c', [member, attached])], more: 3 }
  const graph = topologyOf({
    uses: [],
    nodes: [one],
    stored: [
      { ...member.target, name: 'Support' },
      { kind: 'cluster', id: 'd', name: null }
    ]
  })
  t.strictSame(
    graph.nodes.map(({ id, label, state }) => [id, label, state]),
    [
      ['service', 'service', 'running'],
      ['session:c', 'c', 'active'],
      ['cluster:c', 'Support', 'active'],
      ['cluster:d', 'd', 'stored'],
      ['region:r', 'r', 'stored']
    ]
  )
  t.strictSame(
    graph.edges.filter(({ kind }) => kind !== 'supervises'),
    [
      { source: 'session:c', target: 'cluster:c', kind: 'member' },
      { source: 'cluster:c', target: 'region:r', kind: 'attached' }
    ]
  )
  t.equal(graph.more, 3)
})

t.test('the graph of several nodes shows which one holds what, and an actor once wherever the asked node stands', async (t) => {
  const supervisors = [{ kind: 'session', state: 'running' }] as const
  const first = { ...NOTHING, nodeId: 'n1', state: 'up', supervisors, live: [live('session', 'a')], more: 1 }
  const second = { ...NOTHING, nodeId: 'n2', state: 'draining', supervisors, live: [live('session', 'b')], more: 2 }
  const graph = topologyOf({ uses: [], stored: [], nodes: [first, second] })
  t.strictSame(
    graph.nodes.filter(({ kind }) => kind === 'node').map(({ id, label, state }) => [id, label, state]),
    [
      ['node:n1', 'n1', 'up'],
      ['node:n2', 'n2', 'draining']
    ]
  )
  t.strictSame(graph.edges.map(({ source, target }) => `${source} > ${target}`).sort(), [
    'node:n1 > supervisor:session@n1',
    'node:n2 > supervisor:session@n2',
    'service > node:n1',
    'service > node:n2',
    'supervisor:session@n1 > session:a',
    'supervisor:session@n2 > session:b'
  ])
  t.equal(graph.more, 3)
})

t.test('the graph tells where a live session, region and observer are, and of others nothing', async (t) => {
  const watching = { sampling: 'resting', convergence: 'absent', systemicDrift: 'present', divergence: 'present' }
  const actors: LiveActor[] = [
    { ...live('session', 'calm'), machines: { session: { active: 'settled' }, mind: { drift: 'stable', isolation: 'OPEN' } } },
    { ...live('session', 'drifted'), machines: { mind: { drift: { drifted: 'underOnce' } } } },
    { ...live('session', 'restoring'), machines: { session: 'activating' } },
    { ...live('region', 'r'), machines: { realignment: { votes: 'gathering', work: 'idle' } } },
    { ...live('observer', 'one'), machines: { watching } },
    { ...live('observer', 'two'), machines: { watching: { ...watching, systemicDrift: 'absent', divergence: 'absent' } } },
    { ...live('cluster', 'c'), machines: { sharing: { coupling: 'coupled' } } }
  ]
  const { nodes } = topologyOf({ uses: [], stored: [], nodes: [{ ...NOTHING, live: actors }] })
  t.strictSame(
    nodes.slice(1).map(({ id, course }) => [id, course]),
    [
      ['session:calm', 'stable'],
      ['session:drifted', 'drifted'],
      ['session:restoring', undefined],
      ['region:r', 'gathering'],
      ['observer:one', 'systemicDrift, divergence'],
      ['observer:two', 'quiet'],
      ['cluster:c', undefined]
    ]
  )
})
