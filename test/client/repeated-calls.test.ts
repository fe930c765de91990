/** Which calls are made again when their first try may have been carried out: a wrong entry does something twice, or gives up too soon. */
import t from 'tap'
import { createChat } from '../../src/client/chat.js'
import { createClusters, createObserver, createRegions } from '../../src/client/groups.js'
import { createCompliance, createNetwork } from '../../src/client/network.js'
import { createOperations } from '../../src/client/operations.js'
import { createRequests } from '../../src/client/requests.js'
import { createSession, createSessions, createTurns } from '../../src/client/sessions.js'
import { createTimers } from '../support/manual-timers.js'

/** A client of a service that fails at everything, with the tries of each call. */
function open() {
  const { timers, pass } = createTimers()
  const tries = new Map<string, (string | null)[]>()
  const fetch = async ({ method, url, headers }: Request) => {
    const name = `${method} ${new URL(url).pathname}`
    tries.set(name, [...(tries.get(name) ?? []), headers.get('authorization')])
    return new Response(null, { status: 503 })
  }
  const requests = createRequests({ url: 'http://host', token: 'token', retries: 1, fetch }, timers)
  const groups = { clusters: createClusters(requests), regions: createRegions(requests), observer: createObserver(requests) }
  const others = { network: createNetwork(requests), compliance: createCompliance(requests), chat: createChat(requests) }
  const sessions = { turns: createTurns(requests), sessions: createSessions(requests), session: createSession(requests, 's') }
  return { ...groups, ...others, ...sessions, operations: createOperations(requests), tries, pass }
}

type Opened = ReturnType<typeof open>

async function triesOf(call: (client: Opened) => readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const client = open()
  const asked = Promise.allSettled(call(client))
  await client.pass(1_000)
  await asked
  return Object.fromEntries([...client.tries].map(([name, all]) => [name, all.length]))
}

const CHAT = { model: 'any', messages: [] }
const VECTOR = [1]

t.test('what would be done twice is asked for once', async (t) => {
  const tries = await triesOf(({ sessions, session, clusters, regions, observer, network, chat }) => [
    sessions.create(),
    session.import({} as never),
    session.memories.inject({ text: 'a' }),
    session.triggers.add({ keyword: 'a' }),
    session.anchors.add({ text: 'a' }),
    session.isolation.release(),
    session.entities.put({ key: 'a', kind: 'path', value: 'a' }),
    clusters.create(),
    clusters.store('c', { response: 'a' }),
    clusters.feedback('c'),
    regions.create(),
    regions.attach('r', 'c'),
    observer.sample(),
    observer.registerRegion('r'),
    network.transfer({ source_session_id: 'a', target_session_id: 'b' }),
    network.switchUser('u'),
    network.propose({ proposer_session_id: 'a', target_embedding: VECTOR }),
    chat.complete(CHAT)
  ])
  t.equal(Object.keys(tries).length, 18)
  t.strictSame(Object.fromEntries(Object.entries(tries).filter(([, count]) => count !== 1)), {})
  t.strictSame(await triesOf(({ chat }) => [chat.stream(CHAT)]), { 'POST /compat/v1/chat/completions': 1 })
})

t.test('what only reads, is the same when it is done again, or has a key is asked for again', async (t) => {
  const tries = await triesOf(({ turns, sessions, session, clusters, regions, observer, network, compliance, chat, operations }) => [
    ...[turns.run({ message: 'a' }), turns.store({ session_id: 's', response: 'a' }), turns.dedupCheck({ session_id: 's', text: 'a' })],
    ...[sessions.list(), sessions.days(), sessions.lastMetrics()],
    ...[session.search({ query: 'a' }), session.context(), session.metrics(), session.days(), session.export(), session.delete()],
    session.verify({ test_embeddings: [VECTOR] }),
    ...[session.memories.list(), session.memories.get('m'), session.memories.add([]), session.memories.delete('m')],
    session.memories.update('m', { pinned: true }),
    ...[session.triggers.clear(), session.anchors.score(), session.isolation.set({ level: 'OPEN' })],
    ...[session.entities.list(), session.entities.delete('k')],
    ...[clusters.list(), clusters.get('c'), clusters.delete('c'), clusters.run('c', { message: 'a' })],
    ...[clusters.addMember('c', { session_id: 's' }), clusters.removeMember('c', 's')],
    ...[regions.list(), regions.get('r'), regions.delete('r'), regions.detach('r', 'c'), regions.events('r')],
    ...[observer.create(), observer.delete(), observer.summary(), observer.anomalies(), observer.clearAnomalies()],
    observer.unregisterRegion('r'),
    ...[network.activeUser(), network.serializeUser('u'), network.trust(), compliance.eraseUser('u'), chat.models()],
    ...[operations.health(), operations.ready(), operations.metrics({ user: 'a', password: 'b' }), operations.openapi()]
  ])
  t.equal(Object.keys(tries).length, 49)
  t.strictSame(Object.fromEntries(Object.entries(tries).filter(([, count]) => count !== 2)), {})
  t.strictSame(await triesOf(({ session }) => [session.exportBytes()]), { 'GET /v1/session/s/export': 2 })
})

t.test('a turn has a key of its own where none is given, the same for each try', async (t) => {
  const { timers, pass } = createTimers()
  const keys: string[] = []
  const fetch = async (request: Request) => {
    keys.push(((await request.json()) as { readonly idempotency_key: string }).idempotency_key)
    return new Response(null, { status: 503 })
  }
  const requests = createRequests({ url: 'http://host', retries: 1, fetch }, timers)
  const [turns, clusters] = [createTurns(requests), createClusters(requests)]
  for (const call of [
    () => turns.run({ message: 'a' }),
    () => turns.store({ session_id: 's', response: 'a' }),
    () => clusters.run('c', { message: 'a' }),
    () => turns.run({ message: 'a', idempotency_key: 'mine' })
  ]) {
    const asked = Promise.allSettled([call()])
    await pass(1_000)
    await asked
  }
  t.equal(keys.length, 8)
  for (let at = 0; at < 8; at += 2) t.equal(keys[at], keys[at + 1])
  t.equal(new Set(keys).size, 4)
  t.equal(keys[6], 'mine')
  for (const key of keys.slice(0, 6)) t.match(key, /^[0-9a-f]{32}$/)
})

t.test('each is sent with the token, but for the metrics, which have a password', async (t) => {
  const client = open()
  const asked = Promise.allSettled([
    ...[client.chat.complete(CHAT), client.session.exportBytes(), client.turns.run({ message: 'a' })],
    client.operations.metrics({ user: 'ä', password: 'b' })
  ])
  await client.pass(1_000)
  await asked
  const basic = `Basic ${Buffer.from('ä:b').toString('base64')}`
  for (const [name, sent] of client.tries) for (const one of sent) t.equal(one, name === 'GET /metrics' ? basic : 'Bearer token', name)
})
