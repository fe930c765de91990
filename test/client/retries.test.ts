/** Connections that break: the client retries what may be retried, and it happens once. */
import t, { type Test } from 'tap'
import { createEngram } from '../../src/client/engram.js'
import { listen } from '../support/listening-service.js'
import { startTcpProxy } from '../support/tcp-proxy.js'

async function start(t: Test, env: Readonly<Record<string, string>> = {}) {
  const service = await listen(t, { env })
  const proxy = await startTcpProxy(service)
  t.teardown(() => proxy.stop())
  const token = await service.token('alice')
  const engram = createEngram({ url: `http://127.0.0.1:${String(proxy.port)}`, token })
  const textsOf = async (id: string) => {
    const { memories } = await createEngram({ url: service.url, token }).session(id).memories.list()
    return memories.map(({ text }) => text)
  }
  return { engram, proxy, textsOf }
}

t.test('a run, a store and a run of a cluster whose answers were lost are stored once', async (t) => {
  const { engram, proxy, textsOf } = await start(t)
  for (const fault of ['cut after', 'cut before'] as const) {
    const session = engram.session(fault.replace(' ', '-'))
    const cut = [proxy.breakNext(Buffer.from('Where do the goats graze?'), fault), proxy.breakNext(Buffer.from('By the river'), fault)]
    const run = await session.run({ message: 'Where do the goats graze?' })
    t.equal(run.turn, 1)
    await session.store({ response: 'By the river' })
    await Promise.all(cut)
    t.same(await textsOf(session.id), ['Where do the goats graze?', 'By the river'])
  }
  await engram.clusters.create({ cluster_id: 'herd' })
  const cut = proxy.breakNext(Buffer.from('Who keeps the goats?'), 'cut after')
  t.equal((await engram.clusters.run('herd', { message: 'Who keeps the goats?' })).turn, 1)
  await cut
  t.same(await textsOf('herd'), ['Who keeps the goats?'])
})

t.test('a run without a session whose answer was lost meets the session that it made', async (t) => {
  const { engram, proxy } = await start(t)
  const cut = proxy.breakNext(Buffer.from('A first word'), 'cut after')
  const { session_id, turn } = await engram.run({ message: 'A first word' })
  await cut
  t.equal(turn, 1)
  t.same(
    (await engram.sessions.list()).sessions.map((session) => session.session_id),
    [session_id]
  )
})

t.test('a call that is not safe to repeat is not repeated, and its error says that nobody knows', async (t) => {
  const { engram, proxy } = await start(t)
  await engram.sessions.create({ session_id: 's' })
  const cut = proxy.breakNext(Buffer.from('"keyword"'), 'cut after')
  await t.rejects(engram.session('s').triggers.add({ keyword: 'goats' }), { name: 'EngramError', kind: 'unreachable', attempts: 1 })
  await cut
  t.equal((await engram.session('s').metrics()).trigger_count, 1, 'it was done, once')
})

t.test('a rate limit that ends after the deadline is told at once, with the time to wait', async (t) => {
  const { engram } = await start(t, { SERVICE_RATE_LIMIT_PER_MINUTE: '1' })
  await engram.sessions.list()
  await t.rejects(engram.sessions.list(), { name: 'EngramError', kind: 'rate_limited', status: 429, retryAfterMs: 60_000, attempts: 1 })
})

t.test('a deadline ends a call that hangs, and a signal ends one under way', async (t) => {
  const { engram, proxy } = await start(t)
  proxy.stall()
  await t.rejects(engram.sessions.list({}, { deadlineMs: 50 }), { name: 'EngramError', kind: 'deadline', status: null })
  const controller = new AbortController()
  const asked = engram.sessions.list({}, { signal: controller.signal })
  controller.abort()
  await t.rejects(asked, { name: 'EngramError', kind: 'aborted' })
})
