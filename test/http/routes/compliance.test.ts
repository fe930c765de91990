/** The compliance pack against real services with real storages. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openDurableStorage } from '../../../src/composition/durable-storage.js'
import { createSystemClock } from '../../../src/platform/clock.js'
import type { Logger } from '../../../src/ports.js'
import { erasureStory } from '../../support/erasure-story.js'
import { startMongoStandIn } from '../../support/mongo-stand-in.js'
import { needs } from '../../support/needs.js'
import { startPostgres } from '../../support/postgres.js'
import { finding, startService } from '../../support/real-service.js'
import { startRedis } from '../../support/redis-server.js'

const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} }
const outside = { clock: createSystemClock(), logger }

const sqlite = (directory: string) => ({ SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(directory, 'sessions.db')}` })

async function isInFiles(directory: string, bytes: Buffer): Promise<boolean> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = await Promise.all(entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))))
  return files.some((file) => file.includes(bytes))
}

t.test('a user erased with SQLite is in no answer and in none of its files', async (t) => {
  const directory = t.testdir()
  const env = sqlite(directory)
  await erasureStory(t, {
    env,
    holds: (bytes) => isInFiles(directory, bytes),
    openTrails: () => openDurableStorage({ backend: 'sql', url: env.DATABASE_URL }, outside)
  })
})

t.test('a user erased with Redis is in no answer and in none of its files', needs('redis-server'), async (t) => {
  const server = await startRedis()
  t.teardown(() => server.stop())
  await erasureStory(t, {
    env: { SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: server.url },
    holds: (bytes) => isInFiles(server.directory, bytes),
    openTrails: () => openDurableStorage({ backend: 'redis', url: server.url }, outside)
  })
})

t.test(
  'a user erased on one of three nodes is in no answer of any and in none of the files that they share',
  needs('nats-server', 'redis-server'),
  async (t) => {
    const server = await startRedis()
    t.teardown(() => server.stop())
    await erasureStory(t, {
      nodes: 3,
      env: { SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: server.url },
      holds: (bytes) => isInFiles(server.directory, bytes),
      openTrails: () => openDurableStorage({ backend: 'redis', url: server.url }, outside)
    })
  }
)

t.test('a user erased with PostgreSQL is in no answer and in no row', needs('initdb'), async (t) => {
  const server = await startPostgres()
  t.teardown(() => server.stop())
  const url = await server.createDatabase()
  const held = (bytes: Buffer) => `select 1 from actor_rows where position('\\x${bytes.toString('hex')}'::bytea in body) > 0
    union all select 1 from actor_records where position('\\x${bytes.toString('hex')}'::bytea in head) > 0
    union all select 1 from actor_rows where position('\\x${bytes.toString('hex')}'::bytea in row_id) > 0
    union all select 1 from audit_entries where position('\\x${bytes.toString('hex')}'::bytea in convert_to(entry, 'UTF8')) > 0`
  await erasureStory(t, {
    env: { SERVICE_STATE_PERSIST: '1', DATABASE_URL: url },
    holds: async (bytes) => (await server.run(url, held(bytes))).length > 0,
    openTrails: () => openDurableStorage({ backend: 'sql', url }, outside)
  })
})

t.test('a user erased with a stand-in for MongoDB is in no answer and in no document', async (t) => {
  const server = await startMongoStandIn()
  t.teardown(() => server.kill())
  await erasureStory(t, {
    env: { SERVICE_SESSION_BACKEND: 'mongo', MONGO_URL: server.url },
    holds: async (bytes) => server.holds(bytes),
    openTrails: () => openDurableStorage({ backend: 'mongo', url: server.url }, outside)
  })
})

t.test('the erasure route without the compliance pack is not there', async (t) => {
  const alice = await (await startService(t)).as('alice')
  t.strictSame(await alice.delete('/v1/compliance/users/ann/memory'), { status: 404, body: { detail: 'Not Found' } })
})

t.test('the erasure route needs a licence, takes ids of 1 to 128 characters, and is absent from the schema', async (t) => {
  const { as, service } = await startService(t, { env: { SERVICE_COMPLIANCE: '1', ...sqlite(t.testdir()) } })
  const alice = await as('alice')
  const refused = await service.http.inject({ method: 'DELETE', url: '/v1/compliance/users/ann/memory' })
  t.equal(refused.statusCode, 401)
  t.equal((await alice.get('/v1/compliance/users/ann/memory')).status, 405)
  t.notMatch(JSON.stringify((await alice.get('/openapi.json')).body), 'compliance')
  for (const [id, outcome] of [
    ['', 'path.user_id: string_too_short'],
    ['x'.repeat(129), 'path.user_id: string_too_long'],
    ['x'.repeat(128), '200'],
    ['a%2Fb%20c%C3%BC', '200'],
    ['a%00', 'path.user_id: value_error']
  ] as const) {
    t.equal(finding(await alice.delete(`/v1/compliance/users/${id}/memory`)), outcome)
  }
  await alice.post('/v1/run', { session_id: 's', message: 'Hello', user_id: 'a/b cü' })
  t.match((await alice.delete('/v1/compliance/users/a%2Fb%20c%C3%BC/memory')).body, { user_id: 'a/b cü', erased_memories: 1 })
})

t.test('the name of an erased user is not kept in the network, once no session is in the partition of that name', async (t) => {
  const directory = t.testdir()
  const { as } = await startService(t, { env: { SERVICE_COMPLIANCE: '1', ...sqlite(directory) } })
  const alice = await as('alice')
  const erase = () => alice.delete('/v1/compliance/users/ann-of-the-partition/memory')
  const serialize = async () => (await alice.post('/v1/network/users/ann-of-the-partition/serialize')).status
  const active = async () => (await alice.get('/v1/network/users/active')).body['active_user']
  await alice.post('/v1/network/users/switch', { user_id: 'ann-of-the-partition' })
  await alice.post('/v1/session/create', { session_id: 'hers' })
  t.equal((await erase()).status, 200)
  t.strictSame([await serialize(), await active()], [200, 'ann-of-the-partition'], 'her session is still in it')
  await alice.delete('/v1/session/hers')
  t.ok(await isInFiles(directory, Buffer.from('ann-of-the-partition')))
  t.strictSame((await erase()).body, { user_id: 'ann-of-the-partition', erased_memories: 0, sessions_affected: 0 })
  t.strictSame([await serialize(), await active()], [404, 'default'])
  t.notOk(await isInFiles(directory, Buffer.from('ann-of-the-partition')))
  await alice.post('/v1/network/users/switch', { user_id: 'bob' })
  t.equal((await alice.delete('/v1/compliance/users/default/memory')).status, 200)
  t.equal((await alice.post('/v1/network/users/default/serialize')).status, 200, 'the first partition has no name of a person')
})
