/** Test suite of what the service promises when the server behind it fails. Each durable backend's test is one call of it. */
import t, { type Test } from 'tap'
import { startService } from '../support/real-service.js'
import { type Fault, startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js'
import { type Send, sender, startLoad, textsOf, until, wordsOf } from './load.js'

export interface FaultyServer {
  readonly port: number
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

export interface Backend {
  readonly name: string
  /** Name of its check in the readiness answer. */
  readonly check: 'database' | 'redis'
  /** Bytes that occur only in the message that begins the write of an active session, and only in the message that commits it. */
  readonly writeBytes: Uint8Array
  readonly commitBytes: Uint8Array
  /** Starts a new server without any sessions. */
  open(): Promise<FaultyServer>
  /** Settings of a service that stores its sessions at this local port. */
  env(port: number): Record<string, string>
}

const SESSIONS = 6

const NO_ANSWER = /^error: The storage (is not available|does not answer)$/

/** Session that stays active and that nobody writes to. */
const CALM = 'calm'

interface Rig {
  readonly server: FaultyServer
  readonly proxy: TcpProxy
  readonly send: Send
  readonly logs: readonly string[]
  /** Starts another service on the same sessions, as after a restart. */
  restarted(): Promise<Send>
}

export function serverFaults(backend: Backend): void {
  t.test(`${backend.name}: a server killed under load, and started again`, (t) => killedUnderLoad(t, backend))
  t.test(`${backend.name}: a server that stops answering under load, and goes on`, (t) => stalledUnderLoad(t, backend))
  t.test(`${backend.name}: connections cut in the middle of commits under load`, (t) => cutUnderLoad(t, backend))
  for (const fault of ['cut before', 'cut after'] as const) {
    t.test(`${backend.name}: a connection ${fault} a commit is a 503 and the session goes on as stored`, (t) => cutOnce(t, backend, fault))
  }
}

async function open(t: Test, backend: Backend): Promise<Rig> {
  const server = await backend.open()
  t.teardown(() => server.stop())
  const proxy = await startTcpProxy(server)
  t.teardown(() => proxy.stop())
  const start = () => startService(t, { env: backend.env(proxy.port) })
  const { service, as, logs } = await start()
  const send = sender(service, await as('tester'))
  await send('POST', '/v1/run', { session_id: CALM, message: wordsOf(0) })
  return {
    server,
    proxy,
    send,
    logs,
    async restarted() {
      await service.close()
      const next = await start()
      return sender(next.service, await next.as('tester'))
    }
  }
}

async function killedUnderLoad(t: Test, backend: Backend): Promise<void> {
  const { server, send, logs, restarted } = await open(t, backend)
  const load = await startLoad(t, send, { sessions: SESSIONS })
  for (let round = 0; round < 2; round++) {
    await load.acknowledgedEach()
    await server.kill()
    // Enough to count as a session that fails too often, if outages were counted as failures.
    for (let n = 0; n < 6; n++) await load.refusedEach()
    await outage(t, backend, send)
    await server.start()
    await until('readiness', () => isReady(send))
    await load.acknowledgedEach()
  }
  await load.stop()
  await load.verify(t, send)
  await load.verify(t, await restarted())
  t.notMatch(logs.join(''), /An actor failed|127\.0\.0\.1|localhost/)
}

async function stalledUnderLoad(t: Test, backend: Backend): Promise<void> {
  const { proxy, send, logs, restarted } = await open(t, backend)
  const load = await startLoad(t, send, { sessions: SESSIONS })
  await load.acknowledgedEach()
  proxy.stall()
  await outage(t, backend, send, /^error: (No answer came in time|The storage .*)$/)
  await load.refusedEach()
  proxy.resume()
  await until('readiness', () => isReady(send))
  await load.acknowledgedEach()
  await load.stop()
  await load.verify(t, send)
  await load.verify(t, await restarted())
  t.notMatch(logs.join(''), /An actor failed|127\.0\.0\.1|localhost/)
}

async function cutUnderLoad(t: Test, backend: Backend): Promise<void> {
  const { proxy, send, restarted } = await open(t, backend)
  const load = await startLoad(t, send, { sessions: SESSIONS })
  for (let round = 0; round < 10; round++) {
    await proxy.breakNext(backend.commitBytes, round % 2 === 0 ? 'cut after' : 'cut before')
    await load.acknowledgedEach()
  }
  await load.stop()
  await load.verify(t, send)
  await load.verify(t, await restarted())
}

async function cutOnce(t: Test, backend: Backend, fault: Fault): Promise<void> {
  const { proxy, send } = await open(t, backend)
  const inject = (n: number) => send('POST', `/v1/session/${CALM}/memory`, { text: wordsOf(n) })
  t.equal((await inject(1)).status, 200)
  const cut = proxy.breakNext(backend.commitBytes, fault)
  const [answer] = await Promise.all([inject(2), cut])
  t.match(answer, {
    status: 503,
    retryAfter: '1',
    body: { detail: /^The storage (is not available|does not answer); whether it was done is not known$/ }
  })
  await until('readiness', () => isReady(send))
  t.equal((await inject(3)).status, 200, 'the first request after it is served')
  t.same(await textsOf(send, CALM), (fault === 'cut after' ? [0, 1, 2, 3] : [0, 1, 3]).map(wordsOf))
}

/** Checks what clients and operators see while the server is unavailable. */
async function outage(t: Test, { check }: Backend, send: Send, result = NO_ANSWER): Promise<void> {
  await until('a failed readiness check', async () => !(await isReady(send)))
  const { status, body } = await send('GET', '/v1/readyz')
  t.equal(status, 503)
  t.match(body, { ready: false, checks: { [check]: result, embedder: 'ok' } })
  const calm = await send('GET', `/v1/metrics/${CALM}`)
  t.match(calm, { status: 200, body: { interaction_count: 1 } }, 'an active session is read from memory')
  const answer = await send('GET', '/v1/metrics/never-seen')
  t.match(answer, { status: 503, retryAfter: '1' }, 'one that would have to be looked for is not said to be missing')
  t.equal((await send('GET', '/v1/health')).status, 200, 'the process itself is well')
}

async function isReady(send: Send): Promise<boolean> {
  return (await send('GET', '/v1/readyz')).status === 200
}
