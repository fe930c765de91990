/**
 * An embedding service that fails in various ways, seen through HTTP: turns succeed, readiness reports it, and pending vectors are made
 * later.
 */
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { answer, SERVED_WIDTH, startEmbeddingServer } from '../support/embedding-server.js'
import { startService } from '../support/real-service.js'
import { until } from '../support/until.js'

const OUTAGES = {
  'answers 500': (response: ServerResponse) => response.writeHead(500).end(),
  'breaks off': (response: ServerResponse) => response.destroy(),
  'answers no JSON': (response: ServerResponse) => response.writeHead(200).end('{'),
  'answers vectors of another width': (response: ServerResponse, texts: readonly string[]) => answer(response, texts, () => [1, 0]),
  'answers no numbers': (response: ServerResponse, texts: readonly string[]) =>
    answer(response, texts, () => Array.from({ length: SERVED_WIDTH }, () => null))
} as const

t.test('an embedding service that is away and comes back', async (t) => {
  const server = await startEmbeddingServer(t)
  const env = { SERVICE_EMBEDDER: 'http', SERVICE_EMBEDDING_URL: server.url, METRICS_USER: 'm', METRICS_PASSWORD: 'm' }
  const { service, as } = await startService(t, { env, nodes: 1 })
  const caller = await as('ann')
  const readiness = async () => {
    const { status, body } = await caller.get('/v1/readyz')
    return { status, embedder: String((body['checks'] as Record<string, unknown>)['embedder']) }
  }
  const pending = async () => {
    const authorization = `Basic ${Buffer.from('m:m').toString('base64')}`
    const { body } = await service.http.inject({ method: 'GET', url: '/metrics', headers: { authorization } })
    return Number(/^service_pending_vectors (\d+)$/m.exec(body)?.[1])
  }

  for (const [name, fails] of Object.entries(OUTAGES)) {
    await t.test(`it ${name}`, async (t) => {
      const session_id = name.replaceAll(' ', '-')
      const run = async (message: string, response?: string) => (await caller.post('/v1/run', { session_id, message, response })).body
      // Each outage has texts of its own, because vectors are cached.
      const [question, march] = [`When do I prune the garden roses, as it ${name}?`, `In March, as it ${name}.`]
      t.match(await run('Which soil suits the roses in the garden?'), { retrieval_error: false })
      await run('Do the roses need water in the garden?', 'Loam suits roses best.')
      t.match(await readiness(), { status: 200, embedder: 'ok' })

      server.outage = fails
      t.match(await run(question, `Water them twice a week, it ${name}.`), {
        retrieval_error: true,
        context: '',
        drift_score: 0,
        drift_detected: false,
        short_circuit: false,
        top_similarity: 0,
        turn: 3
      })
      t.match((await caller.post('/v1/store', { session_id, response: march })).status, 200)
      t.match((await caller.post('/v1/store', { session_id, response: march })).body, { dedup_signal: { is_update: true, max_sim: 1 } })
      t.equal((await caller.post(`/v1/session/${session_id}/anchor`, { text: `gardening ${name}` })).status, 503)
      const found = (await caller.post(`/v1/session/${session_id}/search`, { query: `prune roses that ${name}` })).body
      t.equal(found['retrieval_error'], true)
      t.ok((found['results'] as { text: string }[]).some(({ text }) => text === question))
      t.equal(await pending(), 3)
      let seen = await readiness()
      await until(async () => (seen = await readiness()).status === 503)
      t.match(seen.embedder, /^error: /)

      server.outage = null
      await until(async () => (await readiness()).status === 200)
      await until(async () => (await pending()) === 0)
      t.match(await run(question), { retrieval_error: false, short_circuit: true, turn: 4, context: /In March/ })
    })
  }
})
