/** Every call of the client against a real service: it covers the whole interface, and each answer has the declared type. */
import t from 'tap'
import { createEngram } from '../../src/client/engram.js'
import { EngramError } from '../../src/client/engram-error.js'
import { startUpstream } from '../support/chat-upstream.js'
import { listen } from '../support/listening-service.js'

/** Pages for browsers. */
const PAGES = ['GET /docs', 'GET /redoc']

const vector = (first: number) => [first, ...new Array<number>(7).fill(0.1)]

type Client = ReturnType<typeof createEngram>

async function callSessions(engram: Client): Promise<void> {
  await engram.sessions.create({ session_id: 's', dimension: 8 })
  const session = engram.session('s')
  await session.run({ message: 'The goats graze by the river' })
  await session.store({ response: 'I will remember the goats' })
  await session.dedupCheck({ text: 'goats' })
  await session.search({ query: 'goats' })
  await session.context({ top_k: 3 })
  await session.metrics()
  await engram.sessions.lastMetrics()
  await session.memories.add([{ text: 'Anna lives in Lisbon', role: 'user' }])
  const { memory_hash } = await session.memories.inject({ text: 'Short answers, please' })
  await session.memories.get(memory_hash)
  for await (const { text } of session.memories.all({ limit: 2 })) t.type(text, 'string')
  await session.memories.update(memory_hash, { importance: 2, pinned: true })
  t.equal((await session.memories.get(memory_hash)).importance, 2)
  t.match((await session.days()).days, [{ turns: 1 }])
  await session.memories.delete(memory_hash)
  await session.triggers.add({ keyword: 'goats' })
  await session.triggers.clear()
  await session.anchors.add({ text: 'animals' })
  await session.anchors.score()
  await session.isolation.set({ level: 'OPEN' })
  await session.isolation.release()
  await session.entities.put({ key: 'src/a.ts', kind: 'path', value: 'src/a.ts' })
  await session.entities.list({ q: 'a.ts' })
  t.match(await session.entities.delete('src/a.ts'), { key: 'src/a.ts', removed: true }, 'a key with slashes')
  await engram.session('copy').import(await session.export())
  const pieces: Uint8Array[] = []
  for await (const piece of await session.exportBytes()) pieces.push(piece)
  t.same(JSON.parse(Buffer.concat(pieces).toString()), await session.export())
  t.match(await engram.session('copy').import(new Blob(pieces)), { session_id: 'copy' })
  t.match(await session.verify({ test_embeddings: [vector(1)], reference_session_id: 'copy' }), { consistent: true })
  const ids: string[] = []
  for await (const { session_id } of engram.sessions.all({ limit: 1 })) ids.push(session_id)
  t.same(ids, ['copy', 's'], 'page after page')
  t.match(await engram.sessions.days({ max_sessions: 2 }), { days: [{ turns: 1 }], sessions: 2, next: null })
  for await (const { session_id } of engram.sessions.all({ after: 'copy' })) t.equal(session_id, 's', 'those after one')
  const copy = engram.session('copy')
  await copy.memories.add(['goats', 'sheep', 'bees', 'hens', 'ducks'].map((animal) => ({ text: `We keep ${animal}.` })))
  for await (const memory of copy.memories.all({ limit: 2 })) await copy.memories.delete(memory.memory_hash)
  t.match(await copy.memories.list(), { memories: [], next: null }, 'each may be deleted as it comes')
}

async function callGroups(engram: Client): Promise<void> {
  await engram.clusters.create({ cluster_id: 'c', dimension: 8 })
  await engram.clusters.addMember('c', { session_id: 's' })
  await engram.clusters.store('c', { message: 'Who keeps the goats?', response: 'Anna' })
  await engram.clusters.run('c', { message: 'Where are the goats?' })
  await engram.clusters.feedback('c')
  t.match(await engram.clusters.list(), [{ cluster_id: 'c' }])
  t.same((await engram.clusters.get('c')).members, ['s'])
  const { region_id } = await engram.regions.create({ dimension: 8 })
  await engram.regions.attach(region_id, 'c')
  await engram.regions.list()
  await engram.regions.get(region_id)
  await engram.regions.events(region_id, { limit: 3 })
  await engram.observer.create()
  await engram.observer.registerRegion(region_id)
  await engram.observer.sample()
  await engram.observer.summary()
  await engram.observer.anomalies()
  await engram.observer.clearAnomalies()
  await engram.observer.unregisterRegion(region_id)
  await engram.observer.delete()
  await engram.network.transfer({ source_session_id: 's', target_session_id: 'copy' })
  await engram.network.propose({ proposer_session_id: 's', target_embedding: vector(1) })
  await engram.network.trust()
  await engram.regions.detach(region_id, 'c')
  await engram.regions.delete(region_id)
  await engram.clusters.removeMember('c', 's')
  await engram.clusters.delete('c')
  await engram.network.switchUser('anna')
  t.same(await engram.network.activeUser(), { active_user: 'anna' })
  await engram.network.serializeUser('anna')
  t.match(await engram.session('s').delete(), { deleted: true })
}

t.test('every operation of the schema has its call, and each is answered', async (t) => {
  const upstream = await startUpstream(t, ({ method, response }) => {
    const answer = method === 'GET' ? { object: 'list', data: [] } : { choices: [{ message: { role: 'assistant', content: 'Hello' } }] }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  const { url, token } = await listen(t, {
    env: { SERVICE_UPSTREAM_URL: upstream.url, SERVICE_UPSTREAM_API_KEY: 'key', METRICS_USER: 'scraper', METRICS_PASSWORD: 'pass:wörd' }
  })
  const called = new Set<string>()
  const engram = createEngram({
    url: `${url}/`,
    token: await token('alice'),
    fetch: (request) => {
      called.add(`${request.method} ${new URL(request.url).pathname}`)
      return fetch(request)
    }
  })
  t.match(await engram.health(), { status: 'ok' })
  t.match(await engram.ready(), { ready: true })
  t.match(await engram.metrics({ user: 'scraper', password: 'pass:wörd' }), 'service_requests_total')
  await callSessions(engram)
  await callGroups(engram)
  const answer = await engram.chat.complete({ model: 'any', messages: [{ role: 'user', content: 'Hello' }] })
  t.match(answer, { body: { choices: [{}] }, session_id: /./ })
  await engram.chat.models()
  const { paths } = (await engram.openapi()) as { readonly paths: Readonly<Record<string, object>> }
  const patterns = [...called]
  const missing = Object.entries(paths)
    .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((operation) => !patterns.some((one) => new RegExp(`^${operation.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(one)))
  t.strictSame(missing.sort(), PAGES)
})

t.test('the optional surfaces answer as their types say', async (t) => {
  const env = { SERVICE_DEBUG_UI: '1', SERVICE_DEBUG_TRACE: '1', SERVICE_COMPLIANCE: '1', SERVICE_STATE_PERSIST: '1' }
  const { url, token } = await listen(t, { env: { ...env, DATABASE_URL: `sqlite:${t.testdir({})}/records.db` } })
  const engram = createEngram({ url, token: await token('alice') })
  await engram.session('s').run({ message: 'Anna lives in Lisbon', user_id: 'u' })
  const { events, last_seq } = await engram.debug.recent({ limit: 5 })
  t.match(events.at(-1), { seq: last_seq, timestamp: Number, kind: String })
  t.match((await engram.debug.topology()).nodes, [{ id: String, kind: String, label: String }])
  t.match((await engram.debug.machines()).machines, [{}])
  t.match(await engram.debug.chart('session', 's'), { kind: 'session', id: 's' })
  t.same(await engram.compliance.eraseUser('u'), { user_id: 'u', erased_memories: 1, sessions_affected: 1 })
})

const errorOf = (asked: Promise<unknown>): Promise<EngramError> =>
  asked.then(
    () => Promise.reject(new Error('It was answered')),
    (error: unknown) => (error instanceof EngramError ? error : Promise.reject(error as Error))
  )

t.test('errors say what is wrong, and never hold the token', async (t) => {
  const { url, token } = await listen(t)
  const secret = await token('alice')
  const engram = createEngram({ url, token: secret })
  const missing = await errorOf(engram.session('none').metrics())
  t.match(missing, { name: 'EngramError', kind: 'not_found', status: 404, detail: 'Session not found', attempts: 1, problems: [] })
  const invalid = await errorOf(engram.run({ message: '' }))
  t.match(invalid, { kind: 'invalid', status: 422, problems: [{ loc: ['body', 'message'], msg: String, type: String }] })
  await engram.sessions.create({ session_id: 's' })
  t.match(await errorOf(engram.sessions.create({ session_id: 's' })), { kind: 'conflict', status: 409 })
  t.match(await errorOf(createEngram({ url }).sessions.list()), { kind: 'unauthorized', status: 401, detail: 'Missing license token' })
  t.match(await errorOf(createEngram({ url, token: await token('alice', 1) }).sessions.list()), { kind: 'expired', status: 402 })
  const talking = createEngram({
    url,
    token: secret,
    retries: 0,
    fetch: (request) => Promise.reject(new Error(`refused ${String(request.headers.get('authorization'))}`, { cause: new Error(secret) }))
  })
  const lost = await errorOf(talking.sessions.list())
  t.match(lost, { kind: 'unreachable', status: null })
  for (const error of [missing, invalid, lost]) {
    const told = [error.stack, error.message, error.detail, JSON.stringify(error), (error.cause as Error | undefined)?.stack].join()
    t.notOk(told.includes(secret))
  }
})

t.test('what cannot be sent is a TypeError, and nothing is asked', async (t) => {
  let asked = 0
  const fetch = () => Promise.reject(new Error(`asked ${String(++asked)}`))
  for (const url of ['', 'engram', 'ftp://host', 'http://user:pass@host']) t.throws(() => createEngram({ url }), TypeError)
  t.throws(() => createEngram({ url: 'http://host', deadlineMs: 0 }), TypeError)
  for (const retries of [0.5, -1]) t.throws(() => createEngram({ url: 'http://host', retries }), TypeError)
  const engram = createEngram({ url: 'http://host', fetch })
  for (const id of ['', '.', '..']) await t.rejects(engram.session(id).delete(), TypeError, 'it would name something else')
  await t.rejects(engram.session('s').entities.delete('..'), TypeError)
  const secret = 'a\nb'
  const error: unknown = await createEngram({ url: 'http://host', token: secret, fetch })
    .sessions.list()
    .catch((refused: unknown) => refused)
  t.ok(error instanceof TypeError && !error.message.includes(secret))
  t.equal(asked, 0)
})

t.test('a deadline longer than platforms count is one that does not end the call', async (t) => {
  const { url } = await listen(t)
  t.match(await createEngram({ url, deadlineMs: Number.MAX_VALUE }).health(), { status: 'ok' })
})

t.test('an answer without a body is not one of the interface, and is not asked for again', async (t) => {
  for (const status of [200, 204, 205, 304]) {
    const fetch = async () => new Response(null, { status })
    t.match(await errorOf(createEngram({ url: 'http://host', fetch }).health()), { kind: 'unexpected', attempts: 1 }, String(status))
  }
})

t.test('a token may be made for each try', async (t) => {
  const { url, token } = await listen(t)
  const subjects = ['alice', 'bob']
  const engram = createEngram({ url, token: async () => token(subjects.shift() ?? 'nobody') })
  await engram.sessions.create({ session_id: 'of-alice' })
  t.same((await engram.sessions.list()).sessions, [], 'bob has none')
})
