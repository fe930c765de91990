/**
 * Requests that would need more memory than there is, against the real program with little memory: every request is answered or refused,
 * the process survives within its limit, and its health check answers throughout.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { builtProgram } from '../support/built.js'
import { LATE_OPTIMISING, programArgs } from '../support/program.js'

const LIMIT_MB = 512
const HEAP_MB = 256

/** Milliseconds between measurements of the process. */
const WATCH_MS = 50

/** Generous, because the test's machine may be busy; the target is 100. */
const HEALTH_MS_MAX = 10_000

/** Most characters shown of the output of a process that does not start. */
const COMPLAINT_CHARS_MAX = 4_000

interface Running {
  readonly url: URL
  readonly isAlive: () => boolean
  /** Peak resident memory so far, in MiB. */
  readonly mib: () => number
  /** Milliseconds that each answer of `/v1/health` took so far; Infinity if there was none. */
  readonly healthMs: readonly number[]
  readonly post: (path: string, body: unknown) => Promise<{ status: number; retryAfter: string | null; text: string }>
  readonly get: (path: string) => Promise<{ status: number; retryAfter: string | null; text: string }>
  readonly stop: () => Promise<void>
}

async function start(t: Test, folder: string, env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, ...LATE_OPTIMISING, await builtProgram('src/main')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      SERVICE_ALLOW_ANONYMOUS: '1',
      SERVICE_EMBEDDER: 'lexical',
      SERVICE_PORT: '0',
      SERVICE_RATE_LIMIT_PER_MINUTE: '0',
      SERVICE_LOG_LEVEL: 'info',
      SERVICE_MEMORY_LIMIT_MB: String(LIMIT_MB),
      SERVICE_STATE_PERSIST: '1',
      DATABASE_URL: `sqlite:${join(folder, 'sessions.db')}`,
      ...env
    }
  })
  t.teardown(() => child.kill('SIGKILL'))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-COMPLAINT_CHARS_MAX)))
  const url = await new Promise<URL>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { msg, url } = JSON.parse(line) as { msg?: string; url?: string }
      if (msg === 'listening' && url !== undefined) resolve(new URL(url))
    })
    child.once('exit', (code, signal) => reject(new Error(`it ended before it listened, ${String(code ?? signal)}: ${complaint}`)))
  })
  let mib = 0
  const watch = setInterval(() => {
    const pages = Number(/VmRSS:\s+(\d+)/.exec(statusOf(child.pid))?.[1] ?? 0)
    mib = Math.max(mib, pages / 1024)
  }, WATCH_MS)
  const healthMs: number[] = []
  const probe = spawn(process.execPath, [...programArgs('test/support/health-probe.ts'), url.href], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  probe.on('message', (ms: number) => void healthMs.push(ms < 0 ? Infinity : ms))
  t.teardown(() => probe.kill('SIGKILL'))
  await once(probe, 'message')
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null
  async function call(path: string, init: RequestInit) {
    const answer = await fetch(new URL(path, url), init)
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
  }
  return {
    url,
    isAlive,
    mib: () => mib,
    healthMs,
    post: (path, body) => call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    get: (path) => call(path, {}),
    async stop() {
      clearInterval(watch)
      probe.kill('SIGKILL')
      child.kill('SIGKILL')
      await exited
    }
  }
}

function statusOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${String(pid)}/status`, 'utf8')
  } catch {
    return ''
  }
}

function check(t: Test, node: Running, what: string): void {
  const mib = node.mib()
  const health = node.healthMs.toSorted((a, b) => a - b)
  const [p50, p99, worst] = [0.5, 0.99, 1].map((share) => health[Math.ceil(share * health.length) - 1] ?? Infinity)
  const shown = [p50, p99, worst].map((ms) => (ms ?? 0).toFixed(0)).join(', ')
  t.comment(`${what}: ${mib.toFixed(0)} MiB at most; health p50, p99, slowest of ${String(health.length)} answers: ${shown} ms`)
  t.ok(node.isAlive(), 'the process lives')
  t.ok(mib < LIMIT_MB, `${mib.toFixed(0)} of ${String(LIMIT_MB)} MiB`)
  t.ok((worst ?? Infinity) < HEALTH_MS_MAX, `health within ${shown} ms`)
}

/** Time limit in milliseconds: a busy machine takes several times as long as an idle one. */
t.setTimeout(900_000)

const options = { skip: process.platform === 'linux' ? false : 'resident memory is read from /proc' }

t.test('short texts in wide vectors, a vector over the limit, and a session that is too large after a restart', options, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'memory-limit-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const node = await start(t, folder)
  t.equal((await node.post('/v1/session/create', { session_id: 'wide', dimension: 16_384 })).status, 200)
  const statuses: number[] = []
  const batch = (n: number) => ({ memories: Array.from({ length: 100 }, (_, at) => ({ text: `m${n} ${at}` })) })
  for (let n = 0; n < 24; n += 2) {
    const answers = await Promise.all([n, n + 1].map((one) => node.post('/v1/session/wide/memories', batch(one))))
    for (const { status, text, retryAfter } of answers) {
      statuses.push(status)
      if (status === 503) t.match({ text, retryAfter }, { text: /SERVICE_MEMORY_LIMIT_MB/, retryAfter: '1' })
    }
  }
  t.comment(statuses.join(' '))
  t.ok(statuses.includes(200), 'what fits is taken in')
  t.ok(statuses.includes(409), 'what never will is refused for good')
  t.ok(statuses.every((status) => [200, 409, 503].includes(status)))
  const kept = statuses.filter((status) => status === 200).length * 100
  t.match(JSON.parse((await node.get('/v1/metrics/wide')).text), { total_memories: kept }, 'nothing is half done')
  const policies = await node.post('/v1/session/create', {
    dimension: 1,
    policy_vectors: Array.from({ length: 232_000 }, () => ({ embedding: [1] }))
  })
  t.ok([413, 422, 503].includes(policies.status), String(policies.status))
  const some = await node.post('/v1/session/create', {
    dimension: 1,
    policy_vectors: Array.from({ length: 257 }, () => ({ embedding: [1] }))
  })
  t.equal(some.status, 422)
  check(t, node, 'wide vectors')
  await node.stop()

  const smaller = await start(t, folder, { SERVICE_MEMORY_LIMIT_MB: '128' })
  for (let n = 0; n < 5; n++) {
    const { status, text, retryAfter } = await smaller.get('/v1/metrics/wide')
    t.match({ status, text, retryAfter }, { status: 503, text: /SERVICE_MEMORY_LIMIT_MB/, retryAfter: '1' })
  }
  t.equal((await smaller.post('/v1/run', { session_id: 'small', message: 'Does this still work?' })).status, 200)
  check(t, smaller, 'a session that is too large')
  await smaller.stop()
  const again = await start(t, folder)
  t.match(JSON.parse((await again.get('/v1/metrics/wide')).text), { total_memories: kept }, 'and nothing was lost')
  await again.stop()
})

/** Most characters of an entity's value. */
const VALUE_CHARS = 2 * 1024 * 1024

const ENTITIES = 30

const UNREAD = 69

/** Sends a request and reads only the status line of the answer. */
async function askAndStop(node: Running, path: string): Promise<{ readonly status: string; readonly socket: Socket }> {
  const socket = connect(Number(node.url.port), node.url.hostname)
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${node.url.host}\r\n\r\n`)
  const first = await new Promise<Buffer>((resolve) => {
    socket.once('data', (chunk: Buffer) => {
      socket.pause()
      resolve(chunk)
    })
  })
  return { status: /^HTTP\/1\.1 (\d+)/.exec(first.toString('latin1'))?.[1] ?? '', socket }
}

t.test('69 answers of 60 MiB that nobody reads', options, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'memory-limit-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const node = await start(t, folder)
  t.equal((await node.post('/v1/session/create', { session_id: 'long', dimension: 1 })).status, 200)
  const value = 'x'.repeat(VALUE_CHARS)
  for (let n = 0; n < ENTITIES; n++) {
    t.equal((await node.post('/v1/session/long/entities', { key: `k${n}`, kind: 'constant', value })).status, 201)
  }
  const path = '/v1/session/long/entities?max_results=1000'
  const all = await node.get(path)
  t.equal(all.status, 200)
  t.equal(
    (JSON.parse(all.text) as { entities: { value: string }[] }).entities.filter((entity) => entity.value === value).length,
    ENTITIES,
    'who reads gets all'
  )

  const asked = await Promise.all(Array.from({ length: UNREAD }, () => askAndStop(node, path)))
  t.teardown(() => asked.forEach(({ socket }) => socket.destroy()))
  const begun = asked.filter(({ status }) => status === '200')
  const refused = asked.filter(({ status }) => status === '503')
  t.comment(`${begun.length} begun, ${refused.length} refused`)
  t.equal(begun.length + refused.length, UNREAD)
  t.ok(begun.length > 0, 'some are begun')
  t.ok(refused.length > begun.length, 'most are refused')
  check(t, node, 'unread answers')
  await node.stop()
})
