/**
 * Memories that wait for their vectors outlive the process that stored them: after a restart, and on another node, they are embedded
 * without any request.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { builtProgram } from '../support/built.js'
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.js'
import { childrenOf } from '../support/machine-processes.js'
import { startNatsServer } from '../support/nats-server.js'
import { needs } from '../support/needs.js'
import { startRedis } from '../support/redis-server.js'
import { writeTinyBert } from '../support/tiny-bert.js'
import { until } from '../support/until.js'
import { type ServiceProcess, startServiceProcess } from '../torture/service-process.js'

const QUESTION = 'When do I prune the garden roses?'
const ANSWER = 'Prune roses in March, above an eye.'
const FAILS: EmbeddingServer['outage'] = (response) => response.writeHead(500).end()
const AUTHORIZATION = `Basic ${Buffer.from('m:m').toString('base64')}`

t.setTimeout(900_000)
const program = [await builtProgram('src/main')] as const

async function start(t: Test, env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const service = await startServiceProcess(program, { METRICS_USER: 'm', METRICS_PASSWORD: 'm', ...env })
  t.teardown(() => service.kill())
  return service
}

async function post({ url }: ServiceProcess, path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body)
  })
  return (await response.json()) as Readonly<Record<string, unknown>>
}

const run = (service: ServiceProcess, message: string, response?: string) =>
  post(service, '/v1/run', { session_id: 's', message, ...(response !== undefined && { response }) })

async function pendingAt({ url }: ServiceProcess): Promise<number> {
  const text = await (await fetch(new URL('/metrics', url), { headers: { authorization: AUTHORIZATION } })).text()
  return Number(/^service_pending_vectors (\d+)$/m.exec(text)?.[1])
}

/** Resolves when the process has that many vectors pending. */
async function untilPending(service: ServiceProcess, wanted: number): Promise<void> {
  await until(async () => (await pendingAt(service)) === wanted)
}

/** Stores two turns and an answer, all but the first turn without a vector. */
async function talk(t: Test, service: ServiceProcess, server: EmbeddingServer): Promise<void> {
  t.match(await run(service, 'Which soil suits the roses in the garden?'), { retrieval_error: false })
  server.outage = FAILS
  t.match(await run(service, QUESTION), { retrieval_error: true, turn: 2 })
  await post(service, '/v1/store', { session_id: 's', response: ANSWER })
  await untilPending(service, 2)
}

/** Restores the embedder and checks that everything is embedded, and that the next turn finds what it would have found anyway. */
async function mended(t: Test, service: ServiceProcess, server: EmbeddingServer): Promise<void> {
  server.outage = null
  await untilPending(service, 0)
  t.match(await run(service, QUESTION), { retrieval_error: false, short_circuit: true, turn: 3, context: /in March/ })
}

t.test('a process that is killed while the embedder is away is followed by one that embeds what waits', async (t) => {
  const server = await startEmbeddingServer(t)
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const storage = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(folder, 'records.db')}` }
  const env = { SERVICE_EMBEDDER: 'http', SERVICE_EMBEDDING_URL: server.url, ...storage }
  const before = await start(t, env)
  await talk(t, before, server)
  await before.kill()
  const after = await start(t, env)
  await untilPending(after, 2)
  await mended(t, after, server)
})

t.test(
  'a node that is killed while the embedder is away leaves what waits to another one, which embeds it',
  needs('nats-server', 'redis-server'),
  async (t) => {
    const [server, nats, redis] = [await startEmbeddingServer(t), await startNatsServer(), await startRedis()]
    t.teardown(async () => {
      await nats.stop()
      await redis.stop()
    })
    const env = {
      SERVICE_EMBEDDER: 'http',
      SERVICE_EMBEDDING_URL: server.url,
      SERVICE_SESSION_BACKEND: 'redis',
      REDIS_URL: redis.url,
      NATS_URL: nats.url
    }
    const nodes = [await start(t, { ...env, SERVICE_NODE_ID: 'n1' }), await start(t, { ...env, SERVICE_NODE_ID: 'n2' })] as const
    const [n1, n2] = nodes
    t.match(await run(n1, 'Which soil suits the roses in the garden?'), { retrieval_error: false })
    server.outage = FAILS
    t.match(await run(n2, QUESTION), { retrieval_error: true, turn: 2 })
    await post(n1, '/v1/store', { session_id: 's', response: ANSWER })
    let counts = [0, 0]
    await until(async () => (counts = [await pendingAt(n1), await pendingAt(n2)]).includes(2))
    const [owner, other] = counts[0] === 2 ? [n1, n2] : [n2, n1]
    await owner.kill()
    await untilPending(other, 2)
    await mended(t, other, server)
  }
)

t.test('a model whose process never answers is killed and lets the turn succeed, then starts again and makes the vector', async (t) => {
  const modelDir = t.testdir({})
  writeTinyBert(modelDir, 'Xenova/all-MiniLM-L6-v2')
  const service = await start(t, { SERVICE_EMBEDDER: 'transformers', SERVICE_MODEL_DIR: modelDir })
  t.match(await run(service, 'the cat sat on the mat'), { retrieval_error: false })
  const [encoder] = encoders()
  if (encoder === undefined) throw new Error('The model has no process')
  process.kill(encoder, 'SIGSTOP')
  t.match(await run(service, 'my invoice was paid by the bank'), { retrieval_error: true, turn: 2 })
  await untilPending(service, 1)
  process.kill(encoder, 'SIGKILL')
  await untilPending(service, 0)
  t.match(await run(service, 'dogs'), { retrieval_error: false, turn: 3 })
  t.equal(encoders().length, 1)
  t.not(encoders()[0], encoder, 'another process')
})

/** Ids of the model processes that this test's processes have started. */
function encoders(): number[] {
  return childrenOf(process.pid)
    .flatMap(({ pid }) => childrenOf(pid))
    .filter(({ command }) => command.includes('encoder-main'))
    .map(({ pid }) => pid)
}
