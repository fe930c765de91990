import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { createNatsBus } from '../../../src/bus/nats/bus.js'
import { freePort } from '../../support/free-port.js'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { startNatsNodes } from '../../support/nats-nodes.js'
import { startNatsServer } from '../../support/nats-server.js'
import { allNeed } from '../../support/needs.js'
import { codeOf } from '../../support/runtime.js'
import { startTcpProxy } from '../../support/tcp-proxy.js'
import { until } from '../../support/until.js'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

allNeed(t, 'nats-server')
lost()
refused()

function lost(): void {
  t.test('a bus without its server refuses at once, sends nothing later, and is itself again when the server is back', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    const handed: unknown[] = []
    a.serve('engram.nodes.a.first.asks', async (body) => handed.push(body))
    a.subscribe('engram.news', (body) => handed.push(body))
    await nodes.server.kill()
    await until(() => !a.isConnected && !b.isConnected)
    t.equal(await codeOf(b.request('engram.nodes.a.first.asks', 'lost', { deadlineMs: 60_000 })), 'unreachable')
    t.equal(await codeOf(b.check()), 'unreachable')
    b.publish('engram.news', 'lost')
    a.subscribe('engram.more', (body) => handed.push(body))
    await nodes.server.restart()
    await until(() => a.isConnected && b.isConnected)
    await a.check()
    t.equal(await b.request('engram.nodes.a.first.asks', 'asked', { deadlineMs: 5_000 }), 1)
    b.publish('engram.news', 'told')
    b.publish('engram.more', 'more')
    await until(() => handed.length === 3)
    t.same(handed, ['asked', 'told', 'more'])
    t.notMatch(JSON.stringify(nodes.lines), '127.0.0.1')
  })

  t.test('an answer whose connection was lost meanwhile comes over the next one', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    let answer: ((value: string) => void) | undefined
    a.serve('engram.nodes.a.first.asks', () => new Promise((resolve) => (answer = resolve)))
    await a.check()
    const asked = b.request('engram.nodes.a.first.asks', 1, { deadlineMs: 60_000 })
    await until(() => answer !== undefined)
    await nodes.server.kill()
    await until(() => !a.isConnected && !b.isConnected)
    await nodes.server.restart()
    await until(() => a.isConnected && b.isConnected)
    await b.check()
    answer?.('late, and there')
    t.equal(await asked, 'late, and there')
  })

  t.test('an answer that was lost with its connection is given again over the next one', async (t) => {
    const nodes = await startNatsNodes(t)
    const proxy = await startTcpProxy(nodes.server)
    t.teardown(() => proxy.stop())
    const [a, b] = [await nodes.open('a', { url: `nats://127.0.0.1:${proxy.port}` }), await nodes.open('b')]
    let handed = 0
    a.serve('engram.nodes.a.first.asks', async () => {
      handed += 1
      return 'lost on its way'
    })
    await a.check()
    const isLost = proxy.breakNext(Buffer.from('lost on its way'), 'cut before')
    const asked = b.request('engram.nodes.a.first.asks', 1, { deadlineMs: 60_000 })
    await isLost
    t.equal(await asked, 'lost on its way')
    t.equal(handed, 1)
  })

  t.test('a request that is to be asked again ends soon after a reconnection, and says why', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    let handed = 0
    a.serve('engram.nodes.a.first.asks', () => {
      handed += 1
      return new Promise(() => undefined)
    })
    await a.check()
    const told: string[] = []
    const lineLost = () => void told.push('lost')
    const asked = codeOf(b.request('engram.nodes.a.first.asks', 1, { deadlineMs: 60_000, lineLost }))
    await until(() => handed === 1)
    await nodes.server.kill()
    await until(() => !a.isConnected && !b.isConnected)
    t.same(told, [])
    await nodes.server.restart()
    t.equal(await asked, 'deadline_passed')
    t.same(told, ['lost'])
  })

  t.test('a connection on which nothing passes is given up within seconds, also with much unsent', async (t) => {
    const nodes = await startNatsNodes(t)
    const proxy = await startTcpProxy(nodes.server)
    t.teardown(() => proxy.stop())
    const bus = await nodes.open('a', { url: `nats://127.0.0.1:${proxy.port}` })
    proxy.stall()
    for (let sent = 0; sent < 100; sent++) bus.publish('engram.news', new Uint8Array(500_000))
    t.equal(await codeOf(bus.check()), 'unreachable')
    await until(() => !bus.isConnected)
    proxy.resume()
    await until(() => bus.isConnected)
    await bus.check()
  })

  t.test('a check that is not answered fails after two seconds', async (t) => {
    const nodes = await startNatsNodes(t)
    const proxy = await startTcpProxy(nodes.server)
    t.teardown(() => proxy.stop())
    const clock = createManualClock()
    const bus = await nodes.open('a', { url: `nats://127.0.0.1:${proxy.port}`, clock })
    await bus.check()
    proxy.stall()
    let found = 'waits'
    void codeOf(bus.check()).then((code) => (found = code))
    await clock.advance(1_999)
    t.equal(found, 'waits')
    await clock.advance(1)
    t.equal(found, 'unreachable')
  })

  t.test('a bus that is closed while it looks for its server looks no further', async (t) => {
    const nodes = await startNatsNodes(t)
    const clock = createManualClock()
    const bus = await nodes.open('a', { clock })
    await nodes.server.kill()
    await until(() => !bus.isConnected)
    const sockets: Socket[] = []
    const silent = createServer((socket) => void sockets.push(socket)).listen(nodes.server.port, '127.0.0.1')
    t.teardown(() => silent.close())
    await until(
      () => sockets.length > 0,
      () => clock.advance(250)
    )
    await bus.close()
    const [socket] = sockets
    socket?.resetAndDestroy()
    await until(() => socket?.closed === true)
    await settled()
    t.equal(clock.pending, 0)
  })

  t.test('an attempt at a server that says nothing leaves no connection', async (t) => {
    let ended = 0
    const silent = createServer((socket) => void socket.resume().on('close', () => (ended += 1))).listen(0, '127.0.0.1')
    t.teardown(() => silent.close())
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    void codeOf(createNatsBus({ url: `nats://127.0.0.1:${port}`, name: 'a', clock: createManualClock(), logger: SILENT }))
    await until(() => ended === 1)
    t.pass('it is closed before the next attempt')
  })

  t.test('a bus that is cut off closes at once', async (t) => {
    const nodes = await startNatsNodes(t)
    const bus = await nodes.open('a')
    await nodes.server.kill()
    await until(() => !bus.isConnected)
    await bus.close()
    t.equal(await codeOf(bus.request('engram.nodes.a.first.asks', 1, { deadlineMs: 1_000 })), 'unreachable')
    t.equal(await codeOf(bus.outbox.append('a', '1', 1)), 'unreachable')
  })
}

/** What opening a bus throws. */
async function failure(t: Test, url: string): Promise<unknown> {
  try {
    const bus = await createNatsBus({ url, name: 'a', clock: createManualClock(), logger: SILENT })
    t.teardown(() => bus.close())
    return undefined
  } catch (error) {
    return error
  }
}

function refused(): void {
  const servers = {
    'of a cluster and too old': {
      config: 'server_name: one\ncluster { name: old, listen: "127.0.0.1:-1", routes: ["nats://127.0.0.1:1"] }',
      says: /one of a cluster.*2\.10\.23/
    },
    'without JetStream': { hasJetStream: false, says: /no JetStream/ },
    'for small messages only': { config: 'max_payload: 65535', says: /up to 65535 bytes/ },
    'that does not know this node': { config: 'authorization { user: u, password: p }', says: /does not accept the credentials/ }
  }
  for (const [title, { says, ...options }] of Object.entries(servers)) {
    t.test(`a server ${title} is refused with a sentence`, async (t) => {
      const server = await startNatsServer(options)
      t.teardown(() => server.stop())
      t.match(await failure(t, server.url), { name: 'Error', message: says })
    })
  }

  t.test('user and password are taken from the address', async (t) => {
    const server = await startNatsServer({ config: 'authorization { user: "a:b", password: "p@ss" }' })
    t.teardown(() => server.stop())
    t.equal(await failure(t, `nats://a%3Ab:p%40ss@127.0.0.1:${server.port}`), undefined)
  })

  t.test('a subscription that the server does not allow is told of in the log, and the others go on', async (t) => {
    const config = 'authorization { users [{ user: u, password: p, permissions: { subscribe: { deny: "engram.others" } } }] }'
    const nodes = await startNatsNodes(t, { config })
    const bus = await nodes.open('a', { url: `nats://u:p@127.0.0.1:${nodes.server.port}` })
    const news: unknown[] = []
    bus.subscribe('engram.others', (body) => news.push(body))
    bus.subscribe('engram.news', (body) => news.push(body))
    await until(() => nodes.lines.length > 0)
    t.match(nodes.lines, [{ level: 'warn', message: 'NATS refused a subscription' }])
    bus.publish('engram.others', 'theirs')
    bus.publish('engram.news', 'ours')
    await until(() => news.length > 0)
    t.same(news, ['ours'])
  })

  t.test('a server that is missing is awaited for ten seconds, and its address is not told', async (t) => {
    const clock = createManualClock()
    const beganMs = clock.monotonicMs()
    const port = await freePort()
    let error: unknown
    createNatsBus({ url: `nats://user:secret@127.0.0.1:${port}`, name: 'a', clock, logger: SILENT }).catch(
      (thrown: unknown) => (error = thrown)
    )
    // Time passes between attempts only.
    await until(
      () => error !== undefined,
      () => (clock.pending > 0 ? clock.advance(250) : settled())
    )
    t.match(error, { code: 'unreachable', message: 'The NATS server does not answer' })
    t.notMatch(String((error as Error).cause), /secret|127/)
    t.equal(clock.monotonicMs() - beganMs, 10_000)
    t.equal(clock.pending, 0)
  })

  t.test('an unsuitable server in the place of the one that was lost is not used, and named once', async (t) => {
    const clock = createManualClock()
    const nodes = await startNatsNodes(t)
    const bus = await nodes.open('a', { clock })
    await nodes.server.kill()
    await until(() => !bus.isConnected)
    const problems = () => nodes.lines.filter(({ level }) => level === 'error')
    const unsuitable = await startNatsServer({ port: nodes.server.port, hasJetStream: false })
    t.teardown(() => unsuitable.stop())
    await until(
      () => problems().length > 0,
      () => clock.advance(250)
    )
    for (let times = 0; times < 40; times++) await clock.advance(250)
    t.notOk(bus.isConnected)
    await unsuitable.stop()
    await nodes.server.restart()
    await until(
      () => bus.isConnected,
      () => clock.advance(250)
    )
    await bus.check()
    t.match(problems(), [{ message: 'This NATS server cannot be used', fields: { problem: /no JetStream/ } }])
    t.equal(problems().length, 1)
  })
}
