/** Test suite of what is promised when two services that do not know of each other share one storage. */
import t, { type Test } from 'tap'
import { generateKeyPair, signLicense } from '../../src/auth/license-signing.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { startService } from '../support/real-service.js'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js'
import { type Send, sender, startLoad, textsOf, wordsOf } from './load.js'
import type { Backend } from './server-faults.js'

const ID = 'shared'

/** Detail of the refusal by an overtaken writer. */
const OVERTAKEN = /^(The record has another writer|Another activation took this over)$/
const FENCED = { status: 503, retryAfter: '1', body: { detail: OVERTAKEN } }

interface Rig {
  readonly first: Send
  /** Proxy between the first service and the server. */
  readonly proxy: TcpProxy
  readonly second: Send
  /** Starts another service, with nothing in memory. */
  another(): Promise<Send>
}

export function twoWriters(backend: Backend): void {
  const { name } = backend
  t.test(`${name}: a writer overtaken in the middle of its write is fenced and goes on from what is stored`, (t) => overtaken(t, backend))
  t.test(`${name}: a writer whose session is deleted in the middle of its write does not bring it back`, (t) => deleted(t, backend))
  t.test(`${name}: two services that write to the same sessions at once lose and double nothing`, (t) => together(t, backend))
}

async function open(t: Test, backend: Backend): Promise<Rig> {
  const server = await backend.open()
  t.teardown(() => server.stop())
  const { publicKey, privateKey } = generateKeyPair()
  const token = await signLicense({ privateKey, subject: 'tester', clock: createSystemClock() })
  const start = async (port: number) => {
    const { service } = await startService(t, { env: { ...backend.env(port), SERVICE_LICENSE_PUBLIC_KEY: publicKey } })
    return sender(service, { token })
  }
  const proxy = await startTcpProxy(server)
  t.teardown(() => proxy.stop())
  return { first: await start(proxy.port), proxy, second: await start(server.port), another: () => start(server.port) }
}

function write(send: Send, n: number) {
  return send('POST', '/v1/run', { session_id: ID, message: wordsOf(n) })
}

/** Starts a write of the first service and holds it on its way to the server. */
async function pausedWrite({ first, proxy }: Rig, backend: Backend) {
  await write(first, 1)
  const held = proxy.breakNext(backend.writeBytes, 'hold')
  const answer = write(first, 2)
  await held
  return { answer }
}

async function overtaken(t: Test, backend: Backend): Promise<void> {
  const rig = await open(t, backend)
  const { first, proxy, second } = rig
  const { answer } = await pausedWrite(rig, backend)
  t.equal((await write(second, 3)).status, 200)
  proxy.resume()
  t.match(await answer, FENCED)
  t.same(await textsOf(second, ID), [1, 3].map(wordsOf), 'the late write changed nothing')
  t.equal((await write(first, 4)).status, 200, 'its next request takes the session over')
  t.match(await write(second, 5), FENCED, 'and now the other one is late')
  t.equal((await write(second, 5)).status, 200)
  t.same(await textsOf(second, ID), [1, 3, 4, 5].map(wordsOf))
}

async function deleted(t: Test, backend: Backend): Promise<void> {
  const rig = await open(t, backend)
  const { first, proxy, second } = rig
  const { answer } = await pausedWrite(rig, backend)
  t.equal((await second('DELETE', `/v1/session/${ID}`)).status, 200)
  proxy.resume()
  t.match(await answer, FENCED)
  for (const send of [first, second]) t.equal((await send('GET', `/v1/metrics/${ID}`)).status, 404, 'it stays deleted')
  t.equal((await write(first, 6)).status, 200)
  t.same(await textsOf(first, ID), [wordsOf(6)], 'and made anew it is empty')
}

async function together(t: Test, backend: Backend): Promise<void> {
  const { first, second, another } = await open(t, backend)
  const load = await startLoad(t, first, { sessions: 6, other: second })
  for (let n = 0; n < 5; n++) await load.acknowledgedEach()
  await load.refusedEach()
  await load.stop()
  // An overtaken writer learns of it only with its next write, so its reads may be stale until then.
  await load.verify(t, await another())
}
