import t from 'tap'
import { topologyOf, type LiveActor } from '../../src/domain/topology.js'

const NOTHING = { service: 'running', supervisors: [], uses: [], live: [], stored: [], more: 0 }

function live(kind: LiveActor['kind'], id: string, links: LiveActor['links'] = []): LiveActor {
  return { kind, id, machines: {}, links }
}

t.test('the graph of a service without actors, shows its parts', async (t) => {
  const embedder = { id: 'embedder', kind: 'embedder', label: 'lexical', state: 'configured' } as const
  t.strictSame(topologyOf({ ...NOTHING, uses: [embedder], supervisors: [{ kind: 'session', state: 'running' }] }), {
    nodes: [
      { id: 'service', kind: 'service', label: 'service', state: 'running' },
      embedder,
      { id: 'supervisor:session', kind: 'supervisor', label: 'session', state: 'running' },
    ],
    edges: [
      { source: 'service', target: 'embedder', kind: 'uses' },
      { source: 'service', target: 'supervisor:session', kind: 'supervises' },
    ],
    more: 0,
  })
})

t.test('a link that both of its ends tell, is shown once, and an end that does not live here as stored', async (t) => {
  const member = { kind: 'member', source: { kind: 'session', id: 'c' }, target: { kind: 'cluster', id: 'c' } } as const
  const attached = { kind: 'attached', source: member.target, target: { kind: 'region', id: 'r' } } as const
  const graph = topologyOf({ ...NOTHING, live: [live('session', 'c', [member]), live('cluster', 'c', [member, attached])], stored: [member.target, { kind: 'cluster', id: 'd' }], more: 3 })
  t.strictSame(
    graph.nodes.map(({ id, state }) => [id, state]),
    [['service', 'running'], ['session:c', 'active'], ['cluster:c', 'active'], ['cluster:d', 'stored'], ['region:r', 'stored']],
  )
  t.strictSame(graph.edges.filter(({ kind }) => kind !== 'supervises'), [
    { source: 'session:c', target: 'cluster:c', kind: 'member' },
    { source: 'cluster:c', target: 'region:r', kind: 'attached' },
  ])
  t.equal(graph.more, 3)
})
