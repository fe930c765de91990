/** The debugger of the whole service: its flags, its graph, and who sees what. */
import t from 'tap'
import type { TopologyEdge, TopologyNode } from '../../src/domain/nodes/topology.js'
import { type Caller, startService } from '../support/real-service.js'

const PATHS = ['/v1/debug/recent', '/v1/debug/topology', '/v1/debug/stream', '/v1/debug/machines', '/v1/debug/actors/session/s/chart']

const debugging = { SERVICE_DEBUG_UI: '1', SERVICE_DEBUG_TRACE: '1' }

async function graphOf(caller: Caller) {
  const { body } = await caller.get('/v1/debug/topology')
  const nodes = body['nodes'] as readonly TopologyNode[]
  const edges = body['edges'] as readonly TopologyEdge[]
  return {
    body,
    nodes: nodes.map(({ id, state }) => `${id} ${state}`),
    edges: edges.map(({ source, target, kind }) => `${source} ${kind} ${target}`)
  }
}

t.test('a service without the flag has nothing of the debugger, traced or not', async (t) => {
  const alice = await (await startService(t, { env: { SERVICE_DEBUG_TRACE: '1' } })).as('alice')
  for (const path of PATHS) t.strictSame(await alice.get(path), { status: 404, body: { detail: 'Not Found' } })
  t.equal((await alice.post('/v1/debug/ticket')).status, 404)
})

t.test('a service with the flag keeps the debugger out of its schema', async (t) => {
  const alice = await (await startService(t, { env: debugging })).as('alice')
  t.notMatch(JSON.stringify((await alice.get('/openapi.json')).body), 'debug')
  for (const path of PATHS.filter((path) => !path.endsWith('stream') && !path.endsWith('chart')))
    t.equal((await alice.get(path)).status, 200)
})

t.test('a debugger without tracing answers and has no events', async (t) => {
  const alice = await (await startService(t, { env: { SERVICE_DEBUG_UI: '1' } })).as('alice')
  await alice.post('/v1/run', { session_id: 's', message: 'Hello' })
  t.strictSame((await alice.get('/v1/debug/recent')).body, { events: [], last_seq: 0 })
})

t.test('the graph shows the parts and the own actors with what ties them, and nobody else any of it', async (t) => {
  // Of several nodes each has its parts under its name: test/nodes.test.ts.
  const { as } = await startService(t, { nodes: 1, env: debugging })
  const [alice, bob] = [await as('alice'), await as('bob')]
  await alice.post('/v1/run', { session_id: 's', message: 'Where is the lighthouse?' })
  await alice.post('/v1/cluster/', { cluster_id: 'c' })
  await alice.post('/v1/cluster/c/members', { session_id: 's' })
  const { body } = await alice.post('/v1/region/', {})
  const region = `region:${String(body['region_id'])}`
  t.equal((await alice.post(`/v1/region/${String(body['region_id'])}/clusters`, { cluster_id: 'c' })).status, 200)
  const observer = await alice.post('/v1/observer/', { region_ids: [body['region_id']] })
  const { nodes, edges } = await graphOf(alice)
  const meta = String(body['meta_session_id'])
  const own = ['session:s', 'session:c', `session:${meta}`, 'cluster:c', region, 'observer:one']
  for (const node of ['service running', 'proxy not_configured', 'storage configured', 'embedder configured', 'supervisor:session running'])
    t.ok(nodes.includes(node), node)
  for (const id of own) t.ok(nodes.includes(`${id} active`), id)
  for (const edge of [
    'session:s member cluster:c',
    'session:c backing cluster:c',
    `cluster:c attached ${region}`,
    `session:${meta} backing ${region}`,
    `${region} registered observer:one`,
    `session:${String(observer.body['meta_session_id'])} backing observer:one`,
    'supervisor:session supervises session:s',
    'service supervises supervisor:cluster',
    'service uses embedder'
  ]) {
    t.ok(edges.includes(edge), edge)
  }
  const others = await graphOf(bob)
  for (const id of own)
    t.notOk(
      others.nodes.some((node) => node.startsWith(`${id} `)),
      `not of bob: ${id}`
    )
  t.equal(others.body['more'], 0)
})

t.test('the charts of an actor show the states it is in to its subject only', async (t) => {
  const { as } = await startService(t, { env: debugging })
  const [alice, bob] = [await as('alice'), await as('bob')]
  await alice.post('/v1/run', { session_id: 's', message: 'Where is the lighthouse?' })
  t.strictSame((await alice.get('/v1/debug/actors/session/s/chart')).body, {
    kind: 'session',
    id: 's',
    machines: {
      session: { active: 'settled' },
      mind: { drift: 'stable', understanding: 'initialization', isolation: 'OPEN', realignment: 'resting' }
    }
  })
  for (const path of ['session/s', 'session/nobody', 'tree/s']) t.equal((await bob.get(`/v1/debug/actors/${path}/chart`)).status, 404)
})

t.test('of many sessions that are active also the one that was used longest ago has its charts', async (t) => {
  const { as } = await startService(t, { env: debugging })
  const alice = await as('alice')
  const ids = Array.from({ length: 230 }, (_, at) => `s${String(at)}`)
  for (const id of ids) await alice.post('/v1/session/create', { session_id: id })
  t.equal((await graphOf(alice)).body['more'], 30, 'the graph leaves the oldest out')
  t.match((await alice.get('/v1/debug/actors/session/s0/chart')).body, { id: 's0', machines: { session: { active: 'settled' } } })
})

t.test('the replay shows what the own sessions did and not what others asked', async (t) => {
  // Several nodes tell of each other as well.
  const { as } = await startService(t, { nodes: 1, env: debugging })
  const [alice, bob] = [await as('alice'), await as('bob')]
  await alice.post('/v1/run', { session_id: 's', message: 'Where is the lighthouse?' })
  await bob.post('/v1/run', { session_id: 'b', message: 'What is the password?' })
  const events = (await alice.get('/v1/debug/recent')).body['events'] as { kind: string; session_id?: string }[]
  for (const kind of ['actor.activated', 'retrieve', 'fuse', 'rerank', 'serialize'])
    t.ok(
      events.some((event) => event.kind === kind),
      kind
    )
  const named = events.flatMap(({ session_id }) => session_id ?? [])
  t.strictSame(new Set(named), new Set(['s']))
  const unnamed = events.filter(({ session_id }) => session_id === undefined)
  t.strictSame(new Set(unnamed.map(({ kind }) => kind)), new Set(['supervisor.started']), 'what nobody owns')
})
