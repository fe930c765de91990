// Isolation of tenants: how far what one subject does affects another one, through the whole service.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { startService } from './support/real-service.js'

t.test('a text that one subject has used is embedded again for another', async (t) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const { input } = JSON.parse(text) as { readonly input: readonly string[] }
      asked.push(...input)
      response.end(JSON.stringify({ data: input.map((_, index) => ({ index, embedding: [1, 0, 0] })) }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`
  const { as } = await startService(t, { env: { SERVICE_EMBEDDER: 'http', SERVICE_EMBEDDING_URL: url } })
  const guess = 'The merger is called Bluebird.'
  for (const subject of ['alice', 'alice', 'mallory', 'mallory']) {
    t.equal((await (await as(subject)).post('/v1/run', { session_id: 's', message: guess })).status, 200)
  }
  t.equal(asked.filter((text) => text === guess).length, 2, 'once for each')
})

t.test('sessions of one subject beyond its own cap put its own away and none of another', async (t) => {
  // A cap is a node's, and what is put away shows where storage keeps nothing: that of several nodes does.
  const { as } = await startService(t, { nodes: 1, env: { SERVICE_MAX_SESSIONS: '60', SERVICE_MAX_SESSIONS_PER_SUBJECT: '20' } })
  const [quiet, loud] = [await as('quiet'), await as('loud')]
  const create = async (caller: typeof quiet, count: number): Promise<void> => {
    for (let n = 0; n < count; n++) t.equal((await caller.post('/v1/session/create', { session_id: `s${String(n)}` })).status, 200)
  }
  await create(quiet, 20)
  await create(loud, 90)
  for (let n = 0; n < 20; n++) t.equal((await quiet.get(`/v1/metrics/s${String(n)}`)).status, 200)
  t.equal((await loud.get('/v1/metrics/s0')).status, 404)
  t.equal((await loud.get('/v1/metrics/s89')).status, 200)
})

t.test('bytes of one subject beyond its own cap put its own sessions away and none of another', async (t) => {
  const { as } = await startService(t, { nodes: 1, env: { SERVICE_MAX_BYTES_PER_SUBJECT: '4000000' } })
  const [quiet, loud] = [await as('quiet'), await as('loud')]
  const fill = async (caller: typeof quiet, id: string): Promise<void> => {
    await caller.post('/v1/session/create', { session_id: id, dimension: 4_096 })
    const memories = Array.from({ length: 20 }, (_, n) => ({ text: `Crate ${String(n)} of ${id} holds ${String(n * 7)} oranges.` }))
    t.equal((await caller.post(`/v1/session/${id}/memories`, { memories })).status, 200)
  }
  await fill(quiet, 'q')
  for (let n = 0; n < 15; n++) await fill(loud, `s${String(n)}`)
  t.equal((await quiet.get('/v1/metrics/q')).status, 200)
  t.equal((await loud.get('/v1/metrics/s14')).status, 200, 'the last one stays')
  t.equal((await loud.get('/v1/metrics/s0')).status, 404)
})
