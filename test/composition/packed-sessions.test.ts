/** A session of some hundred memories, stored in packs, on each database: it is rehydrated, and what is erased is gone. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startMongoStandIn } from '../support/mongo-stand-in.js'
import { needs } from '../support/needs.js'
import { startPostgres } from '../support/postgres.js'
import { startService } from '../support/real-service.js'
import { startRedis } from '../support/redis-server.js'

const MEMORIES = 300
/** One of the first memories, which are packed. */
const SECRET = 'The combination of the safe is Wintermute'
const SECRET_AT = 17

const textOf = (at: number) => (at === SECRET_AT ? SECRET : `The parcel number ${String(at)} lies in room ${String(7 * at)}`)
const others = Array.from({ length: MEMORIES }, (_, at) => textOf(at)).filter((text) => text !== SECRET)

/** Runs the work with a service of its own, whose memory is gone once it has closed. */
async function serving<Result>(t: Test, env: Record<string, string>, work: (caller: Caller) => Promise<Result>): Promise<Result> {
  const { as, close } = await startService(t, { env: { SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_COMPLIANCE: '1', ...env } })
  const result = await work(await as('tester'))
  await close()
  return result
}

type Caller = Awaited<ReturnType<Awaited<ReturnType<typeof startService>>['as']>>

async function textsIn(caller: Caller): Promise<readonly string[]> {
  const { body } = await caller.get('/v1/session/anna/memories?limit=1000')
  return (body['memories'] as { text: string }[]).map(({ text }) => text)
}

async function comesBack(t: Test, env: Record<string, string>): Promise<void> {
  const all = await serving(t, env, async (caller) => {
    await caller.post('/v1/session/create', { session_id: 'anna' })
    const memories = Array.from({ length: MEMORIES }, (_, at) => ({ text: textOf(at), user_id: at === SECRET_AT ? 'maria' : 'ben' }))
    t.match(await caller.post('/v1/session/anna/memories', { memories }), { status: 200, body: { stored: MEMORIES } })
    return textsIn(caller)
  })
  t.equal(all.length, MEMORIES)
  await serving(t, env, async (caller) => {
    t.strictSame(await textsIn(caller), all)
    const found = await caller.post('/v1/session/anna/search', { query: 'combination of the safe', top_k: 1 })
    t.match(found.body, { results: [{ text: SECRET }] })
    t.match(await caller.delete('/v1/compliance/users/maria/memory'), { status: 200, body: { erased_memories: 1 } })
  })
  await serving(t, env, async (caller) => {
    t.strictSame(new Set(await textsIn(caller)), new Set(others))
    const found = await caller.post('/v1/session/anna/search', { query: 'parcel number 16', top_k: 1 })
    t.match(found.body, { results: [{ text: textOf(16) }] })
  })
}

t.test('SQLite: packed memories come back, and none of the bytes of one that was erased is left', async (t) => {
  const folder = t.testdir()
  await comesBack(t, { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(folder, 'records.db')}` })
  for (const name of readdirSync(folder)) t.notOk(readFileSync(join(folder, name)).includes('Wintermute'), name)
})

t.test('PostgreSQL: packed memories come back', needs('initdb'), async (t) => {
  const server = await startPostgres()
  t.teardown(() => server.stop())
  await comesBack(t, { SERVICE_STATE_PERSIST: '1', DATABASE_URL: await server.createDatabase() })
})

t.test('Redis: packed memories come back', needs('redis-server'), async (t) => {
  const server = await startRedis()
  t.teardown(() => server.stop())
  await comesBack(t, { SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: server.url })
})

t.test('a stand-in for MongoDB: packed memories come back', async (t) => {
  const server = await startMongoStandIn()
  t.teardown(() => server.kill())
  await comesBack(t, { SERVICE_SESSION_BACKEND: 'mongo', MONGO_URL: server.url })
})
