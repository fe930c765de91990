/** Repeated idempotency keys: one effect and one answer, on one node and on several, with each shared storage, and after a crash. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { builtProgram } from '../../support/built.js'
import { startMongoServer } from '../../support/mongo-server.js'
import { startMongoStandIn } from '../../support/mongo-stand-in.js'
import { needs } from '../../support/needs.js'
import { startPostgres } from '../../support/postgres.js'
import { type Caller, finding, startService } from '../../support/real-service.js'
import { startTcpProxy } from '../../support/tcp-proxy.js'
import { startServiceProcess } from '../../torture/service-process.js'

async function memories(caller: Caller, session: string): Promise<string[]> {
  const { body } = await caller.get(`/v1/session/${session}/memories`)
  return (body['memories'] as { readonly text: string }[]).map(({ text }) => text)
}

type Environment = Record<string, string>

async function overPostgres(t: Test): Promise<Environment> {
  const server = await startPostgres()
  t.teardown(() => server.stop())
  return { SERVICE_STATE_PERSIST: '1', DATABASE_URL: await server.createDatabase() }
}

/** Uses a real server if there is one, else the stand-in. */
async function overMongo(t: Test): Promise<Environment> {
  const real = await startMongoServer()
  const server = real ?? (await startMongoStandIn())
  t.comment(`MongoDB: ${real?.origin ?? 'the stand-in'}`)
  t.teardown(() => ('stop' in server ? server.stop() : server.kill()))
  return { SERVICE_SESSION_BACKEND: 'mongo', MONGO_URL: 'newDatabase' in server ? server.newDatabase() : server.url }
}

/** Runs on one node, and on three with each request sent to the next one. */
for (const { nodes, name, options, open } of [
  { nodes: 1, name: 'one node', options: {}, open: async () => ({}) },
  { nodes: 3, name: 'three nodes over Redis', options: needs('nats-server', 'redis-server'), open: async () => ({}) },
  { nodes: 3, name: 'three nodes over PostgreSQL', options: needs('nats-server', 'initdb'), open: overPostgres },
  { nodes: 3, name: 'three nodes over MongoDB', options: needs('nats-server'), open: overMongo }
]) {
  t.test(`${name}: a run, a store and a cluster's run with a key happen once`, options, async (t) => {
    const { as } = await startService(t, { nodes, env: await open(t) })
    const alice = await as('alice')
    const run = { session_id: 's', message: 'Where do the goats graze?', idempotency_key: 'k' }
    const first = await alice.post('/v1/run', run)
    t.equal(first.body['turn'], 1)
    for (let n = 0; n < 4; n++) t.strictSame(await alice.post('/v1/run', { ...run, user_id: null }), first)
    const store = { session_id: 's', response: 'By the river', idempotency_key: 'k' }
    const stored = await alice.post('/v1/store', store)
    t.equal(stored.status, 200, 'a key is of one route')
    await alice.post('/v1/run', { session_id: 's', message: 'Another turn' })
    for (let n = 0; n < 4; n++) t.strictSame(await alice.post('/v1/store', store), stored)
    t.strictSame(await memories(alice, 's'), ['Where do the goats graze?', 'By the river', 'Another turn'])

    await alice.post('/v1/cluster/', { cluster_id: 'herd' })
    const shared = await alice.post('/v1/cluster/herd/run', { message: 'Who keeps the goats?', idempotency_key: 'k' })
    for (let n = 0; n < 3; n++)
      t.strictSame(await alice.post('/v1/cluster/herd/run', { message: 'Who keeps the goats?', idempotency_key: 'k' }), shared)
    const behind = await alice.post('/v1/run', { session_id: 'herd', message: 'Who keeps the goats?', idempotency_key: 'k' })
    t.equal(behind.status, 422, 'a run of a cluster is one of the session that has its id')
    t.strictSame(await memories(alice, 'herd'), ['Who keeps the goats?'])
  })

  t.test(`${name}: a run with a key and without a session meets its session again`, options, async (t) => {
    const { as } = await startService(t, { nodes, env: await open(t) })
    const [alice, bob] = [await as('alice'), await as('bob')]
    const first = await alice.post('/v1/run', { message: 'hello', idempotency_key: 'k' })
    const again = await Promise.all([1, 2, 3].map(() => alice.post('/v1/run', { message: 'hello', idempotency_key: 'k' })))
    for (const answer of again) t.strictSame(answer, first)
    const other = await bob.post('/v1/run', { message: 'hello', idempotency_key: 'k' })
    t.equal(other.body['turn'], 1)
    t.not(other.body['session_id'], first.body['session_id'], 'another tenant has another session')
    t.not((await alice.post('/v1/run', { message: 'hello' })).body['session_id'], first.body['session_id'])
  })
}

for (const { name, options, open } of [
  { name: 'PostgreSQL', options: needs('initdb'), open: overPostgres },
  { name: 'MongoDB', options: {}, open: overMongo }
]) {
  t.test(`${name}: keys outlast the process that took them, and what they were for is looked at`, options, async (t) => {
    const env = await open(t)
    const run = { session_id: 's', message: 'Where do the goats graze?', idempotency_key: 'k' }
    const store = { session_id: 's', response: 'By the river', idempotency_key: 'k' }
    const before = await startService(t, { nodes: 1, env })
    const alice = await before.as('alice')
    const [turn, twin] = await Promise.all([alice.post('/v1/run', run), alice.post('/v1/run', run)])
    t.strictSame(turn, twin, 'two at the same time')
    const stored = await alice.post('/v1/store', store)
    await before.close()

    const { as } = await startService(t, { nodes: 1, env })
    const again = await as('alice')
    t.strictSame(await again.post('/v1/run', run), turn)
    t.strictSame(await again.post('/v1/store', store), stored)
    t.equal(finding(await again.post('/v1/store', { ...store, response: 'On the hill' })), 'body.idempotency_key: value_error')
    t.strictSame(await memories(again, 's'), ['Where do the goats graze?', 'By the river'])
    t.match(await (await as('bob')).post('/v1/run', run), { status: 200, body: { turn: 1 } }, 'a key is of one subject')
  })
}

t.test('a key with another request is refused, and a key that is none as well', async (t) => {
  const { as } = await startService(t, { nodes: 1 })
  const alice = await as('alice')
  await alice.post('/v1/run', { session_id: 's', message: 'one', idempotency_key: 'k' })
  const other = await alice.post('/v1/run', { session_id: 's', message: 'two', idempotency_key: 'k' })
  t.equal(finding(other), 'body.idempotency_key: value_error')
  t.match(JSON.stringify(other.body), 'Something else was asked')
  for (const key of ['', 'k'.repeat(129), 7, 'a\0b'])
    t.match(
      finding(await alice.post('/v1/run', { session_id: 's', message: 'one', idempotency_key: key })),
      /^body\.idempotency_key/,
      String(key)
    )
  t.equal((await alice.post('/v1/run', { session_id: 's', message: 'one', idempotency_key: 'k'.repeat(128) })).status, 200)
})

t.test('what was erased does not come back with a repeated key', async (t) => {
  const { as } = await startService(t, { nodes: 1 })
  const alice = await as('alice')
  const run = { session_id: 's', message: 'Wintermute lives in Berne', user_id: 'u', idempotency_key: 'k' }
  await alice.post('/v1/run', { ...run, idempotency_key: 'before' })
  await alice.post('/v1/run', run)
  await alice.post('/v1/run', { session_id: 's', message: 'A new start', reset_context: true })
  const again = await alice.post('/v1/run', run)
  t.equal(again.status, 409)
  t.match(again.body['detail'], 'handled before')
  t.strictSame(await memories(alice, 's'), ['A new start'])
})

t.test('a process that dies after its commit and before its answer has done a request with a key once', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'keys-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const env = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(folder, 'records.db')}` }
  const body = JSON.stringify({ session_id: 's', message: 'Once and for all', idempotency_key: 'k' })
  const send = async (url: string, path = '/v1/run') => {
    const response = await fetch(new URL(path, url), { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return (await response.json()) as Readonly<Record<string, unknown>>
  }
  const program = [await builtProgram('src/main')] as const
  const dying = await startServiceProcess(program, env)
  t.teardown(() => dying.kill())
  const proxy = await startTcpProxy({ port: Number(new URL(dying.url).port) })
  t.teardown(() => proxy.stop())
  const cut = proxy.breakNext(Buffer.from('Once and for all'), 'cut after')
  await t.rejects(send(`http://127.0.0.1:${String(proxy.port)}`))
  await cut
  await dying.kill()

  const next = await startServiceProcess(program, env)
  t.teardown(() => next.kill())
  t.match(await send(next.url), { session_id: 's', turn: 1 })
  t.match(await send(next.url), { session_id: 's', turn: 1 })
  const listed = (await (await fetch(new URL('/v1/session/s/memories', next.url))).json()) as { readonly memories: { text: string }[] }
  t.strictSame(
    listed.memories.map(({ text }) => text),
    ['Once and for all']
  )
})
