/** The shipped HAProxy configuration, run by a real HAProxy in front of a real service: what it passes, and what it blocks. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readConfig } from '../../src/config.js'
import { createService } from '../../src/service.js'
import { freePort } from '../support/free-port.js'
import { needs } from '../support/needs.js'

const options = needs('haproxy')

const SCRAPER = `Basic ${Buffer.from('prometheus:secret').toString('base64')}`

/** Spellings of a path that a component between client and route might treat as `/metrics`. */
const ODD_FORMS = [
  '/metrics',
  '/metrics/',
  '/metrics//',
  '//metrics',
  '/./metrics',
  '/x/../metrics',
  '/v1/../metrics',
  '/v1/%2e%2e/metrics',
  '/v1/..%2fmetrics',
  '/compat/v1/../../metrics',
  '/docs/../metrics',
  '/docs/%2e%2e/metrics',
  '/%6detrics',
  '/%6Detrics/',
  '/metric%73',
  '/%2fmetrics',
  '/%2Fmetrics',
  '%2fmetrics',
  '/metrics%2f',
  '/metrics%20',
  '/metrics%00',
  '/METRICS',
  '/Metrics',
  '/metrics;a=b',
  '/metrics?x=1',
  '/%6detrics?x=/v1/health',
  '/metrics#/v1/health',
  '/\\metrics',
  '\\metrics',
  'http://127.0.0.1/metrics',
  'http://127.0.0.1//metrics',
  'http://127.0.0.1/%6detrics?/v1/',
  'HTTP://v1/metrics',
  'http:///metrics',
  'metrics',
  '*'
]

interface Answer {
  readonly status: number
  readonly text: string
}

/** Sends a request whose target is sent byte for byte, which no HTTP client does. */
async function ask(port: number, target: string, { method = 'GET', headers = '' } = {}): Promise<Answer> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  socket.write(`${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\nConnection: close\r\n${headers}\r\n`)
  await once(socket, 'close')
  return { status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0), text }
}

/** Starts HAProxy with the shipped configuration, except for its own address and those of nodes, and waits for an answer in `ready`. */
async function balance(t: Test, node: number, ready = [200]): Promise<number> {
  const port = await freePort()
  const settings = readFileSync('docs/operations/haproxy.cfg', 'utf8')
    .replace('bind :8000', `bind 127.0.0.1:${String(port)}`)
    .replace(/^( +server n\d) n\d:8000$/gm, `$1 127.0.0.1:${String(node)}`)
  const file = join(t.testdir(), 'haproxy.cfg')
  writeFileSync(file, settings)
  const child = spawn('haproxy', ['-W', '-f', file, '-q'], { stdio: 'ignore' })
  t.teardown(async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  for (;;) {
    try {
      if (ready.includes((await ask(port, '/v1/health')).status)) return port
    } catch (error) {
      if (child.exitCode !== null) throw error
    }
  }
}

async function startNode(t: Test): Promise<number> {
  const env = {
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_PORT: '0',
    SERVICE_LOG_LEVEL: 'silent',
    METRICS_USER: 'prometheus',
    METRICS_PASSWORD: 'secret'
  }
  const service = await createService(readConfig(env))
  t.teardown(() => service.close())
  return Number(new URL(await service.listen()).port)
}

t.test('metrics through the balancer: not in any form, not with the right password', options, async (t) => {
  const node = await startNode(t)
  const port = await balance(t, node)
  const headers = `Authorization: ${SCRAPER}\r\n`
  t.match((await ask(node, '/metrics', { headers })).text, 'service_requests_total', 'the node itself shows them')
  for (const target of ODD_FORMS) {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const { status, text } = await ask(port, target, { method, headers })
      t.match(status, /^(400|404|405)$/, `${method} ${target}`)
      t.notMatch(text, 'service_requests_total', `${method} ${target}`)
      t.notMatch(text, /www-authenticate|Metrics are/i, `${method} ${target} never came to the route`)
    }
  }
})

t.test('routes through the balancer: reach the node as they were written', options, async (t) => {
  const port = await balance(t, await startNode(t))
  const json = (body: object): string => {
    const text = JSON.stringify(body)
    return `Content-Type: application/json\r\nContent-Length: ${String(text.length)}\r\n\r\n${text}`
  }
  for (const target of ['/v1/health', '/v1/readyz', '/v1/readyz/', '/openapi.json', '/docs', '/redoc', '/v1/cluster/', '/v1/cluster']) {
    t.equal((await ask(port, target)).status, 200, target)
  }
  t.equal((await ask(port, '/compat/v1/models')).status, 503, 'no upstream is configured')
  t.equal((await ask(port, '/mcp')).status, 405, 'only POST is for tools')
  await ask(port, '/v1/session/create', { method: 'POST', headers: json({ session_id: 's' }) })
  const key = 'src//a/../b c.ts'
  await ask(port, '/v1/session/s/entities', { method: 'POST', headers: json({ key, kind: 'path', value: 'x' }) })
  const { status, text } = await ask(port, '/v1/session/s/entities/src//a/../b%20c.ts', { method: 'DELETE' })
  t.equal(status, 200, 'a key is not tidied up on its way')
  t.match(text, JSON.stringify(key))
})

t.test('nodes that are gone, or break off: callers get the shape of a refusal, and when to come again', options, async (t) => {
  const gone = await ask(await balance(t, await freePort(), [503]), '/v1/run')
  t.match(gone, { status: 503, text: /^retry-after: 1\r$/im })
  t.match(gone.text, '{"detail":"No node is available"}')
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (data) => socket.end(data.includes('/v1/run') ? '' : 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const broken = await ask(await balance(t, (server.address() as AddressInfo).port), '/v1/run')
  t.equal(broken.status, 502)
  t.match(broken.text, '{"detail":"The node broke off"}')
  for (const { text } of [gone, broken]) t.match(text, /^content-type: application\/json\r$/im)
})

t.test('metrics at the node: each form is either the route with its password, or no path at all', async (t) => {
  const node = await startNode(t)
  for (const target of ODD_FORMS) {
    const { status } = await ask(node, target)
    t.match(status, /^(400|401|404)$/, target)
    const { text } = await ask(node, target, { headers: `Authorization: ${SCRAPER}\r\n` })
    t.equal(text.includes('service_requests_total'), status === 401, `${target} is one thing, with and without the password`)
  }
})
