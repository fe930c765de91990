/** Clients of other protocols in pages of other origins: a preflight answer that omits one header stops the actual request. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t from 'tap'
import { startService } from '../../support/real-service.js'

const ORIGIN = 'https://app.example'

const BAD = '{"detail":"The path is not valid percent-encoded UTF-8"}'

/** Headers of answers that a page may read. */
const EXPOSED =
  'Retry-After, X-Session-Id, X-Request-Id, OpenAI-Processing-Ms, ' +
  'X-RateLimit-limit-requests, X-RateLimit-remaining-requests, X-RateLimit-reset-requests, ' +
  'X-RateLimit-limit-tokens, X-RateLimit-remaining-tokens, X-RateLimit-reset-tokens'

/** Headers that need no preflight by the Fetch standard, at least not with their values here. */
const SAFE = ['accept']

t.test('a page of another origin may send all that the official client of the Model Context Protocol sends', async (t) => {
  const { service, as } = await startService(t, { env: { CORS_ALLOW_ORIGINS: ORIGIN }, nodes: 1 })
  const url = new URL('/mcp', await service.http.listen({ host: '127.0.0.1', port: 0 }))
  const { token } = await as('anna')
  const sent = new Set<string>()
  const client = new Client({ name: 'page', version: '1.0.0' })
  t.teardown(() => client.close())
  await client.connect(
    new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: `Bearer ${token}`, 'x-session-id': 's' } },
      fetch: (address, init) => {
        for (const name of new Headers(init?.headers).keys()) sent.add(name)
        return fetch(address, init)
      }
    })
  )
  await client.listTools()
  t.ok(sent.has('mcp-protocol-version'), 'from the second message on')
  const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin: ORIGIN, 'access-control-request-method': 'POST' } })
  const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ')
  t.strictSame(
    [...sent, 'mcp-session-id', 'last-event-id'].filter((name) => ![...allowed, ...SAFE].includes(name)),
    []
  )
  t.equal(preflight.headers.get('access-control-allow-origin'), ORIGIN)
  t.equal(preflight.headers.get('access-control-allow-methods'), 'GET, HEAD, POST, PUT, PATCH, DELETE')
  t.equal(preflight.headers.get('access-control-max-age'), '600')
  const stainless = 'arch helper-method lang os package-version retry-count runtime runtime-version timeout'.split(' ')
  t.strictSame(allowed, [
    ...['authorization', 'x-api-key', 'content-type', 'x-session-id', 'user-agent', 'openai-organization', 'openai-project'],
    ...stainless.map((name) => `x-stainless-${name}`),
    ...['mcp-protocol-version', 'mcp-session-id', 'last-event-id']
  ])
})

t.test('no cache gives one origin the answer to another: each answer says that it depends on the origin', async (t) => {
  const { service } = await startService(t, { env: { CORS_ALLOW_ORIGINS: ORIGIN }, nodes: 1 })
  for (const url of ['/v1/health', '/v1/observer/summary', '/docs', '/redoc', '/nowhere', '/v1/session/%/days']) {
    for (const accept of ['*/*', 'text/html']) {
      const answer = await service.http.inject({ url, headers: { origin: ORIGIN, accept } })
      t.equal(answer.headers['access-control-allow-origin'], ORIGIN)
      t.match(answer.headers.vary, /\bOrigin\b/, `${url} for ${accept}`)
      t.equal(answer.headers['access-control-expose-headers'], EXPOSED)
    }
  }
})

t.test('a page of another origin may ask for a path that cannot be read, and read why it is refused', async (t) => {
  const { service } = await startService(t, { env: { CORS_ALLOW_ORIGINS: ORIGIN }, nodes: 1 })
  for (const url of ['/v1/session/%', '/%zz', '/v1/session/%ff/days?a=%']) {
    const asked = { origin: ORIGIN, 'access-control-request-method': 'GET' }
    t.equal((await service.http.inject({ method: 'OPTIONS', url, headers: asked })).statusCode, 204, url)
    const { statusCode, headers, body } = await service.http.inject({ url, headers: { origin: ORIGIN } })
    t.strictSame([statusCode, body, headers['access-control-allow-origin']], [400, BAD, ORIGIN], url)
  }
})
