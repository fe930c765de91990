import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import t from 'tap'
import { builtProgram } from './support/built.js'
import { LATE_OPTIMISING } from './support/program.js'
import { startNatsServer } from './support/nats-server.js'
import { needs } from './support/needs.js'

const program = await builtProgram('src/main')

/** Node.js option that keeps a stream open, and so the process alive. */
const HELD_OPEN = '--import=data:text/javascript,process.stdin.resume()'

interface Running {
  readonly child: ChildProcessWithoutNullStreams
  readonly url: URL
  /** What it logged before that. */
  readonly logged: readonly object[]
}

function run(env: Readonly<Record<string, string>>): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...LATE_OPTIMISING, program], { env: { PATH: process.env['PATH'] ?? '', ...env } })
}

/** Starts the process. Resolves once its log says where it listens. */
async function listening(env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const child = run({ SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical', SERVICE_PORT: '0', ...env })
  const logged: object[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = JSON.parse(line) as { msg?: string; url?: string }
    if (entry.msg === 'listening' && entry.url !== undefined) return { child, url: new URL(entry.url), logged }
    logged.push(entry)
  }
  throw new Error('the process ended before it listened')
}

t.test(
  'the process finishes a request in flight after SIGTERM, also where it comes again, refuses new ones and exits with 0',
  async (t) => {
    const { child, url } = await listening()
    const body = JSON.stringify({ session_id: 'last', message: 'Is this still answered?' })
    const socket = connect(Number(url.port), url.hostname)
    await once(socket, 'connect')
    let answer = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk))
    const health = await fetch(new URL('/v1/health', url), { headers: { connection: 'close' } })
    t.equal(health.status, 200)

    // Headers and half of the body: the request has been accepted but cannot be answered yet.
    const head = `POST /v1/run HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n\r\n`
    socket.write(head + body.slice(0, 10))
    const exited = once(child, 'exit')
    await fetch(new URL('/v1/health', url), { headers: { connection: 'close' } })
    child.kill('SIGTERM')
    await t.rejects(untilRefused(url), 'new connections are refused')
    child.kill('SIGTERM')
    socket.write(body.slice(10))
    await once(socket, 'close')
    t.match(answer, /^HTTP\/1\.1 200 OK/)
    t.match(answer, '"session_id":"last"')
    t.strictSame(await exited, [0, null])
  }
)

t.test('the process ends after SIGTERM also where something is left open, as by a database that does not let go', async (t) => {
  const { child } = await listening({ NODE_OPTIONS: HELD_OPEN })
  t.teardown(() => child.kill('SIGKILL'))
  child.stdout.resume()
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  t.strictSame(await exited, [0, null])
})

t.test('the process warns of a setting without effect, by its name and without its value, and starts', async (t) => {
  const { child, logged } = await listening({ DATABASE_URL: 'sqlite:hidden-word.db' })
  child.kill('SIGTERM')
  t.match(logged, [{ level: 40, msg: 'A setting has no effect', variable: 'DATABASE_URL', reason: /SERVICE_STATE_PERSIST/ }, {}])
  t.notMatch(JSON.stringify(logged), 'hidden-word')
  await once(child, 'exit')
})

t.test('the process names a bad setting that it is started with and exits with 78', async (t) => {
  const child = run({ SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_PORT: 'eighty' })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk))
  t.strictSame(await once(child, 'close'), [78, null])
  t.match(said, 'SERVICE_PORT must be a whole number from 0 to 65535')
})

t.test('the process refuses the start with neither a key nor anonymous calls', async (t) => {
  const child = run({})
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk))
  t.strictSame(await once(child, 'close'), [78, null])
  t.match(said, 'SERVICE_LICENSE_PUBLIC_KEY')
})

t.test('the process exits with 70 when another one starts as the same node, and the other one stays', needs('nats-server'), async (t) => {
  const nats = await startNatsServer()
  t.teardown(() => nats.stop())
  const env = { NATS_URL: nats.url, SERVICE_NODE_ID: 'n1', SERVICE_CLUSTER_MEMORY: '1' }
  const { child: first } = await listening({ ...env, NODE_OPTIONS: HELD_OPEN })
  t.teardown(() => first.kill('SIGKILL'))
  first.stdout.resume()
  const closed = once(first, 'close')
  const { child: second, url } = await listening(env)
  t.strictSame(await closed, [70, null])
  t.equal((await fetch(new URL('/v1/readyz', url))).status, 200)
  const left = once(second, 'close')
  second.stdout.resume()
  second.kill('SIGTERM')
  t.strictSame(await left, [0, null])
})

/** Sends requests until the listening socket is gone; each answer before that must be a valid one. */
async function untilRefused(url: URL): Promise<never> {
  for (;;) await fetch(new URL('/v1/health', url), { headers: { connection: 'close' } })
}
