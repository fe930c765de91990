import Fastify from 'fastify'
import t from 'tap'
import { HttpProblem } from '../../../src/http/contract/problem.js'
import { registerUnmatched, toTemplate } from '../../../src/http/plugins/route-table.js'

t.test('a route is written as the interface writes it', async (t) => {
  t.equal(toTemplate('/v1/health'), '/v1/health')
  t.equal(toTemplate('/v1/session/:session_id/memories/:memory_hash'), '/v1/session/{session_id}/memories/{memory_hash}')
  t.equal(toTemplate('/v1/session/:session_id/entities/*'), '/v1/session/{session_id}/entities/{key}')
})

t.test('a path that there is has its methods told where another one is asked for, and any other path is not found', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  registerUnmatched(app)
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof HttpProblem)) throw error
    return reply.code(error.status).headers(error.headers).send({ detail: error.detail })
  })
  for (const url of ['/v1/cluster/', '/v1/a.b']) app.get(url, async () => 'got')
  app.put('/v1/session/:id/isolation', async () => 'put')
  app.delete('/v1/session/:id/isolation', async () => 'gone')
  app.post('/v1/files/*', async () => 'posted')
  const answerTo = async (method: 'GET' | 'POST' | 'PATCH', url: string) => {
    const { statusCode, headers } = await app.inject({ method, url })
    return [statusCode, headers.allow]
  }
  t.same(await answerTo('POST', '/v1/session/s/isolation?x=1'), [405, 'DELETE, PUT'])
  t.same(await answerTo('PATCH', '/v1/cluster/'), [405, 'GET, HEAD'])
  t.same(await answerTo('PATCH', '/v1/cluster'), [405, 'GET, HEAD'], 'with its slash or without')
  t.same(await answerTo('PATCH', '/v1/files/a/b'), [405, 'POST'])
  for (const url of ['/v1/session/s/t/isolation', '/v1/session//isolation', '/v1/axb', '/v1/files', '/v2/cluster', '/'])
    t.same(await answerTo('PATCH', url), [404, undefined], url)
})

t.test('a slash at the end of a path makes no difference, but that nothing is deleted by it', async (t) => {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  t.teardown(() => app.close())
  registerUnmatched(app)
  app.setErrorHandler((error, _request, reply) => reply.code(error instanceof HttpProblem ? error.status : 500).send())
  app.get('/v1/session/:id', async () => 'got')
  app.delete('/v1/session/:id', async () => 'gone')
  app.delete('/v1/session/:id/entities/*', async () => 'gone')
  app.delete('/v1/observer/', async () => 'gone')
  const statusOf = async (method: 'GET' | 'DELETE', url: string) => (await app.inject({ method, url })).statusCode
  t.equal(await statusOf('GET', '/v1/session/s/'), 200)
  t.equal(await statusOf('DELETE', '/v1/session/s'), 200)
  t.equal(await statusOf('DELETE', '/v1/session/s?x=/'), 200)
  t.equal(await statusOf('DELETE', '/v1/session/s/'), 404)
  t.equal(await statusOf('DELETE', '/v1/session/s/?x=1'), 404)
  t.equal(await statusOf('DELETE', '/v1/session/s/entities/a/'), 200, 'the slash is the end of a key')
  for (const url of ['/v1/observer', '/v1/observer/']) t.equal(await statusOf('DELETE', url), 200, url)
})
