/** Records and exports of past versions are read on every backend, and those of later versions are refused. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import t, { type Test } from 'tap'
import { readConfig } from '../../src/config.js'
import { openDurableStorage } from '../../src/composition/durable-storage.js'
import type { DurableStorageConfig } from '../../src/config.js'
import { createSystemClock } from '../../src/platform/clock.js'
import type { Logger } from '../../src/ports.js'
import { createService } from '../../src/service.js'
import { startMongoStandIn } from '../support/mongo-stand-in.js'
import { needs } from '../support/needs.js'
import { startPostgres } from '../support/postgres.js'
import { type Caller, startService } from '../support/real-service.js'
import { askRedis, startRedis } from '../support/redis-server.js'
import {
  exportOf,
  mongoDocumentsOf,
  PAST_DATABASES,
  PAST_VERSIONS,
  type PastVersion,
  placeDatabase,
  postgresDumpOf,
  redisCommandsOf
} from './past-versions.js'
import { ANSWER, TEXTS } from './story.js'

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }
const outside = { clock: createSystemClock(), logger: SILENT }

type Environment = Record<string, string>

async function serviceOver(t: Test, env: Environment): Promise<Caller> {
  const { as } = await startService(t, { env: { SERVICE_ALLOW_ANONYMOUS: '1', ...env } })
  return as('anybody')
}

/** Checks that everything the story stored is present and can be used further. */
async function readsBack(t: Test, caller: Caller): Promise<void> {
  const texts = async (id: string) =>
    ((await caller.get(`/v1/session/${id}/memories`)).body['memories'] as { text: string; pinned: boolean }[]).map(({ text }) => text)
  t.strictSame(await texts('anna'), TEXTS)
  t.match((await caller.get('/v1/metrics/anna')).body, {
    interaction_count: 2,
    anchor_count: 1,
    trigger_count: 1,
    entity_count: 1,
    isolation: { level: 'FILTER', similarity_threshold: 0.2 }
  })
  t.match((await caller.get('/v1/session/anna/entities?q=verify')).body, { entities: [{ value: 'export function verify() {}' }] })
  const found = (await caller.post('/v1/session/anna/search', { query: 'alarm code of the summer house', top_k: 1 })).body
  t.match(found, { results: [{ text: TEXTS[3], tier: 'long_term', access_count: 3, pinned: false }] })
  t.match((await caller.get('/v1/cluster/travel')).body, { name: 'Travel', members: ['ben'], total_memories: 2 })
  t.match((await caller.get('/v1/region/')).body, [{ name: 'South', cluster_count: 0 }])
  t.match((await caller.get('/v1/observer/summary')).body, { registered_regions: [] })
  const { sessions } = (await caller.get('/v1/sessions?contains=ann')).body
  t.match(sessions, [{ session_id: 'anna', total_memories: TEXTS.length }])
  const again = await caller.post('/v1/run', { session_id: 'anna', message: TEXTS[0] })
  t.match(again, { status: 200, body: { short_circuit: true, turn: 3, context: new RegExp(ANSWER) } })
  t.match((await caller.get('/v1/session/anna/days')).body, { days: [{ turns: 1, short_circuits: 1 }] }, 'counted from now on')
  const { memories } = (await caller.get('/v1/session/anna/memories')).body as { memories: { memory_hash: string }[] }
  t.equal((await caller.patch(`/v1/session/anna/memories/${memories[3]?.memory_hash ?? ''}`, { pinned: true })).status, 200)
  t.match(await caller.delete('/v1/compliance/users/maria/memory'), { status: 200, body: { erased_memories: 2 } })
}

t.test('SQLite: databases of every past version are opened as they are', async (t) => {
  const folder = t.testdir()
  for (const version of PAST_VERSIONS) {
    const url = await placeDatabase(version, folder)
    await readsBack(t, await serviceOver(t, { SERVICE_COMPLIANCE: '1', SERVICE_STATE_PERSIST: '1', DATABASE_URL: url }))
  }
})

interface PastDatabase {
  readonly env: Environment
  readonly storage: DurableStorageConfig
}

/** Places the database as that version left it. */
type Place = (version: PastVersion) => Promise<PastDatabase>

function opens(name: string, options: object, start: (t: Test) => Promise<Place>): void {
  t.test(`${name}: databases of every past version are opened as they are, written on, and erased from`, options, async (t) => {
    const place = await start(t)
    for (const version of PAST_DATABASES) {
      const { env, storage } = await place(version)
      const trails = await openDurableStorage(storage, outside)
      t.match(await trails.verifyAudit('anonymous'), { isIntact: true, entries: 1 }, `${version.name}: the trail goes on`)
      await trails.close()
      await readsBack(t, await serviceOver(t, { SERVICE_COMPLIANCE: '1', ...env }))
    }
  })
}

opens('PostgreSQL', needs('initdb'), async (t) => {
  const server = await startPostgres()
  t.teardown(() => server.stop())
  return async (version) => {
    const url = await server.createDatabase()
    await server.run(url, postgresDumpOf(version))
    const [schema] = await server.run(url, 'select max(version) as version from actor_migrations')
    t.strictSame(schema, { version: version.name === 'schema-2' ? 2 : 3 })
    return { env: { SERVICE_STATE_PERSIST: '1', DATABASE_URL: url }, storage: { backend: 'sql', url } }
  }
})

opens('Redis', needs('redis-server'), async (t) => async (version) => {
  const server = await startRedis()
  t.teardown(() => server.stop())
  await server.kill()
  // Replaces the log that the server has begun: it also reads a log of a single file.
  await rm(join(server.directory, 'appendonlydir'), { recursive: true })
  await writeFile(join(server.directory, 'appendonly.aof'), redisCommandsOf(version))
  await server.start()
  return { env: { SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: server.url }, storage: { backend: 'redis', url: server.url } }
})

opens('a stand-in for MongoDB', {}, async (t) => async (version) => {
  const server = await startMongoStandIn()
  t.teardown(() => server.kill())
  const client = new MongoClient(server.url)
  for (const [name, documents] of Object.entries(mongoDocumentsOf(version)))
    if (documents.length > 0)
      await client
        .db()
        .collection(name)
        .insertMany([...documents])
  await client.close()
  return { env: { SERVICE_SESSION_BACKEND: 'mongo', MONGO_URL: server.url }, storage: { backend: 'mongo', url: server.url } }
})

t.test('memory: exports of every past version are imported, and exported again with all that they held', async (t) => {
  const caller = await serviceOver(t, {})
  for (const version of PAST_VERSIONS) {
    const id = `from-${version.name}`
    const { status, body } = await caller.post(`/v1/session/${id}/import`, exportOf(version))
    t.match({ status, body }, { status: 200, body: { imported: true, total_memories: TEXTS.length } }, version.name)
    const { memories } = (await caller.get(`/v1/session/${id}/memories`)).body as { memories: { text: string }[] }
    t.strictSame(
      memories.map(({ text }) => text),
      TEXTS
    )
    const before = (exportOf(version) as { state_dict: { session: { entities: unknown; anchors: unknown } } }).state_dict.session
    const { state_dict: after } = (await caller.get(`/v1/session/${id}/export`)).body as { state_dict: { session: typeof before } }
    t.strictSame([after.session.entities, after.session.anchors], [before.entities, before.anchors])
  }
})

t.test('what a later version made is refused, each with a sentence that says so', async (t) => {
  const [last] = PAST_VERSIONS.slice(-1) as [PastVersion]
  const caller = await serviceOver(t, {})
  const exported = exportOf(last) as { state_dict: object }
  const later = await caller.post('/v1/session/x/import', { state_dict: { ...exported.state_dict, version: 3 } })
  t.match(later, { status: 400, body: { detail: /state_dict is of version 3, and this service reads versions up to 2/ } })
  t.equal((await caller.get('/v1/metrics/x')).status, 404)

  const url = await placeDatabase(last, t.testdir())
  const storage = await openDurableStorage({ backend: 'sql', url }, outside)
  const address = { kind: 'session', subject: 'anonymous', id: 'ben' } as const
  const record = await storage.activate(address)
  if (record === null) throw new Error('there is no such record')
  const head = record.head as { session: object }
  const newer = { ...head, session: { ...head.session, format: 3 } }
  await storage.commit(address, record.token, { head: newer, put: [], remove: [] })
  await storage.close()
  const over = await serviceOver(t, { SERVICE_STATE_PERSIST: '1', DATABASE_URL: url })
  const refusal = { status: 503, body: { detail: /later version of the service: it has format 3, and this node reads up to 2/ } }
  for (let times = 0; times < 6; times++) t.match(await over.post('/v1/run', { session_id: 'ben', message: 'Hello' }), refusal)
  t.match(await over.get('/v1/sessions'), refusal)
  t.equal((await over.get('/v1/metrics/anna')).status, 200, 'the other records are read')
})

t.test('Redis: a database that a later version has laid out is not opened', needs('redis-server'), async (t) => {
  const server = await startRedis()
  t.teardown(() => server.stop())
  await askRedis(server, 'SET engram:layout 2')
  const env = { SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: server.url, SERVICE_LOG_LEVEL: 'silent' }
  await t.rejects(createService(readConfig(env)), { message: /layout 2, made by a later build: this one knows 1/ })
})
