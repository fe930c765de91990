/** The host names under which the service answers, over real connections. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import t, { type Test } from 'tap'
import { readConfig } from '../../../src/config.js'
import { createService } from '../../../src/service.js'

const ANONYMOUS = { SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical', SERVICE_PORT: '0', SERVICE_LOG_LEVEL: 'silent' }

/** Sends a request with these headers verbatim. Resolves with the status and the rest. */
type Ask = (hosts: readonly string[], request?: string, to?: string) => Promise<{ status: number; text: string }>

async function start(t: Test, env: Readonly<Record<string, string>>): Promise<{ ask: Ask; port: string }> {
  const service = await createService(readConfig({ ...ANONYMOUS, ...env }))
  t.teardown(() => service.close())
  const { port } = new URL(await service.listen())
  const ask: Ask = async (hosts, request = 'GET /v1/network/users/active HTTP/1.1', to = '127.0.0.1') => {
    const socket = connect(Number(port), to)
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    const fields = hosts.map((host) => `Host: ${host.replace('PORT', port)}\r\n`).join('')
    socket.write(`${request.replace('PORT', port)}\r\n${fields}Connection: close\r\n\r\n`)
    await once(socket, 'close')
    return { status: Number(text.split(' ')[1]), text }
  }
  return { ask, port }
}

const FOREIGN = [
  'evil.example',
  'evil.example:PORT',
  'localhost.evil.example:PORT',
  '127.0.0.1.evil.example:PORT',
  'evil.example:80@127.0.0.1',
  '127.0.0.1@evil.example',
  '127.0.0.1:PORT, evil.example',
  '127.0.0.1:PORT/evil.example',
  '10.0.0.1:PORT',
  '[2001:db8::1]:PORT',
  '[::1',
  'localhost:',
  'localhost:x',
  ':PORT',
  'mylocalhost'
]

t.test('anonymous service: answers under loopback names, whatever the port, and no other', async (t) => {
  const { ask } = await start(t, {})
  for (const host of ['localhost', 'localhost:PORT', 'LocalHost:9000', '127.0.0.1:PORT', '[::1]:PORT'])
    t.equal((await ask([host])).status, 200, host)
  for (const host of FOREIGN) {
    const { status, text } = await ask([host])
    t.match(status, /^(400|421)$/, host)
    t.match(text, /\{"detail":"[^"]+"\}$/, host)
  }
})

t.test('anonymous service: a foreign name opens no route, of whatever kind, and learns nothing of which there are', async (t) => {
  const { ask } = await start(t, { SERVICE_DEBUG_UI: '1' })
  const targets = [
    '/v1/health',
    '/v1/readyz',
    '/openapi.json',
    '/docs',
    '/v1/debug/',
    '/v1/debug/recent',
    '/v1/debug/stream?ticket=x',
    '/v1/sessions',
    '/nowhere'
  ]
  for (const target of targets) t.equal((await ask(['evil.example'], `GET ${target} HTTP/1.1`)).status, 421, target)
  for (const method of ['POST', 'DELETE', 'OPTIONS', 'HEAD'])
    t.equal((await ask(['evil.example'], `${method} /v1/run HTTP/1.1`)).status, 421, method)
  const { text } = await ask(['evil.example'], 'GET /compat/v1/models HTTP/1.1')
  t.match(text, /\{"error":\{"message":.*"code":"misdirected_request"\}\}$/, 'in the envelope of the proxy')
})

t.test('anonymous service: two names in one request, refused unless each is its own', async (t) => {
  const { ask } = await start(t, {})
  t.equal((await ask(['127.0.0.1', 'evil.example'])).status, 400)
  t.equal((await ask(['evil.example', '127.0.0.1'])).status, 400)
  t.equal((await ask(['127.0.0.1'], 'GET http://evil.example/v1/sessions HTTP/1.1')).status, 421, 'a target in absolute form')
  t.equal((await ask(['evil.example'], 'GET http://127.0.0.1/v1/sessions HTTP/1.1')).status, 421)
  t.equal((await ask(['127.0.0.1'], 'GET http://127.0.0.1:PORT/v1/sessions HTTP/1.1')).status, 200)
})

t.test('anonymous service: probes without a name, and scrapers with a password, are answered', async (t) => {
  const { ask } = await start(t, { METRICS_USER: 'u', METRICS_PASSWORD: 'p' })
  t.equal((await ask([], 'GET /v1/health HTTP/1.0')).status, 200, "a balancer's probe")
  t.equal((await ask(['n1:8000'], `GET /metrics HTTP/1.1\r\nAuthorization: Basic ${btoa('u:p')}`)).status, 200)
  t.equal((await ask(['n1:8000'], 'GET /metrics HTTP/1.1')).status, 401)
})

t.test('anonymous service on every address: answers under the one that was connected to', async (t) => {
  const own = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal)?.address
  for (const host of ['0.0.0.0', '::']) {
    const { ask } = await start(t, { SERVICE_HOST: host })
    t.equal((await ask(['127.0.0.2:PORT'], undefined, '127.0.0.2')).status, 200, 'also where IPv4 comes in on a socket of IPv6')
    t.equal((await ask(['127.0.0.2:PORT'])).status, 421, 'another address than that')
    t.equal((await ask(['evil.example:PORT'], undefined, '127.0.0.2')).status, 421)
    if (own !== undefined) t.equal((await ask([`${own}:PORT`], undefined, own)).status, 200)
  }
})

t.test('listed names: answered as well, with their port or any', async (t) => {
  const { ask } = await start(t, { SERVICE_ALLOWED_HOSTS: 'memory.example, app.example:8443, [2001:db8::1]' })
  for (const host of ['memory.example', 'Memory.Example:1', 'app.example:8443', '[2001:DB8::1]:9', 'localhost'])
    t.equal((await ask([host])).status, 200, host)
  for (const host of ['app.example', 'app.example:80', 'www.memory.example', '[2001:db8::2]'])
    t.equal((await ask([host])).status, 421, host)
})

t.test('licensed service: any name, until names are listed', async (t) => {
  const licensed = {
    SERVICE_ALLOW_ANONYMOUS: '0',
    SERVICE_LICENSE_PUBLIC_KEY: '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}'
  }
  const open = await start(t, licensed)
  t.equal((await open.ask(['any.example'])).status, 401)
  const closed = await start(t, { ...licensed, SERVICE_ALLOWED_HOSTS: 'memory.example' })
  t.equal((await closed.ask(['memory.example'])).status, 401)
  t.equal((await closed.ask(['any.example'])).status, 421)
})

t.test('names that cannot be one: refused at start', async (t) => {
  for (const hosts of ['*', 'https://memory.example', 'memory.example/', 'a b', 'memory.example,', ',a', '::1', 'a:b']) {
    t.throws(() => readConfig({ ...ANONYMOUS, SERVICE_ALLOWED_HOSTS: hosts }), /SERVICE_ALLOWED_HOSTS must be names or addresses/, hosts)
  }
})
