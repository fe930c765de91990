// What only a real socket shows: bytes that are no request, clients that leave, and the shutdown of the service.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { createRig, CREDENTIALS, type Rig } from '../support/http-rig.js'
import { until } from '../support/until.js'

async function listen(t: Test, rig: Rig): Promise<number> {
  await rig.app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => {
    const closed = rig.app.close()
    // The rig's clock stands still, and with it the time for which kept connections linger.
    rig.app.server.closeAllConnections()
    return closed
  })
  return (rig.app.server.address() as AddressInfo).port
}

/** Sends bytes and reads until the other side closes. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = await open(port)
  socket.write(bytes)
  return drain(socket)
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

async function drain(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  socket.on('error', () => undefined)
  await once(socket, 'close')
  return text
}

/** A response's status line and its JSON body. */
function parse(text: string): { status: number; body: unknown } {
  return { status: Number(text.split(' ')[1]), body: JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) }
}

t.test('bytes that are no request: get the error shape and a closed connection', async (t) => {
  const port = await listen(t, await createRig())
  for (const bytes of [
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    '\x16\x03\x01\x02\x00',
    'GET /v1/health HTTP/1.1\r\nbad header\r\n\r\n',
    'GET /v1/health HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
    'PROPFINDX / HTTP/1.1\r\nhost: x\r\n\r\n'
  ]) {
    const { status, body } = parse(await exchange(port, bytes))
    t.equal(status, 400, JSON.stringify(bytes))
    t.strictSame(body, { detail: 'Malformed HTTP request' })
  }
})

t.test('requests that Node.js refuses by itself: get the error shape', async (t) => {
  const port = await listen(t, await createRig())
  const head = 'GET /v1/health HTTP/1.1\r\n'
  const close = 'connection: close\r\n'
  for (const [what, bytes, status] of [
    ['an expectation that nobody knows', `${head}host: x\r\nexpect: foo\r\n\r\n`, 417],
    ['no host', `${head}\r\n`, 400],
    ['no host, and a path that is not there', 'GET /nope HTTP/1.1\r\n\r\n', 400],
    ['two hosts', `${head}host: x\r\nHost: y\r\n\r\n`, 400],
    ['no host, and a body', 'POST /v1/run HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}', 400],
    ['chunks of what is compressed', `${head}host: x\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400],
    ['a path that is no UTF-8', `GET /v1/%ff HTTP/1.1\r\nhost: x\r\n${close}\r\n`, 400],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n', 405],
    ['HTTP/2 at once', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['another protocol', `GET /nope HTTP/1.1\r\nhost: x\r\nupgrade: h2c\r\nconnection: upgrade, close\r\n\r\n`, 404]
  ] as const) {
    const text = await exchange(port, bytes)
    t.match(text, /^content-type: application\/json; charset=utf-8\r$/im, what)
    const answer = parse(text)
    t.equal(answer.status, status, what)
    t.type((answer.body as { detail?: unknown }).detail, 'string')
  }
  t.match(await exchange(port, 'GET /v1/health HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /, 'HTTP/1.0 needs no host')
  t.match(await exchange(port, `${head}host: x\r\n${close}transfer-encoding: Chunked\r\n\r\n0\r\n\r\n`), /^HTTP\/1\.1 200 /)
  const upgrade = `${head}host: x\r\nupgrade: websocket\r\nconnection: upgrade, close\r\n\r\n`
  t.match(await exchange(port, upgrade), /^HTTP\/1\.1 200 /, 'no other protocol: the request is answered as it is')
})

t.test('header fields or a request line above 64 KiB: get 431 in the error shape', async (t) => {
  const port = await listen(t, await createRig())
  const large = 'x'.repeat(70_000)
  for (const bytes of [
    `GET /v1/health HTTP/1.1\r\nhost: x\r\nx-large: ${large}\r\n\r\n`,
    `GET /v1/health?${large} HTTP/1.1\r\nhost: x\r\n\r\n`
  ]) {
    const { status, body } = parse(await exchange(port, bytes))
    t.equal(status, 431)
    t.strictSame(body, { detail: 'Request header fields too large' })
  }
})

t.test('a method that Node knows and the interface does not is told like any other', async (t) => {
  const port = await listen(t, await createRig())
  const text = await exchange(port, 'PROPFIND /v1/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  t.match(text, /^HTTP\/1\.1 405 [\s\S]*allow: GET, HEAD/)
  t.match(await exchange(port, 'PROPFIND /nope HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'), /^HTTP\/1\.1 404 /)
})

t.test('10 MB bodies, declared or in chunks, are read to their end, so that the client gets its 413', async (t) => {
  const rig = await createRig()
  const port = await listen(t, rig)
  const authorization = `Bearer ${await rig.token('alice')}`
  const response = await fetch(`http://127.0.0.1:${port}/v1/run`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: 'x'.repeat(10_000_000)
  })
  t.equal(response.status, 413)
  t.strictSame(await response.json(), { detail: 'Request body too large: at most 4194304 bytes (SERVICE_BODY_LIMIT_BYTES)' })
  const head = `POST /v1/run HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
  const chunk = `${(1_000_000).toString(16)}\r\n${'x'.repeat(1_000_000)}\r\n`
  const next = 'GET /v1/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
  t.match(
    await exchange(port, `${head}${chunk.repeat(10)}0\r\n\r\n${next}`),
    /^HTTP\/1\.1 413 [\s\S]*HTTP\/1\.1 200 /,
    'the connection goes on'
  )
})

t.test('a client that leaves while it sends, or while it waits: nothing fails, the next one is served', async (t) => {
  let release: (() => void) | undefined
  const asked = new Promise<void>((resolve) => (release = resolve))
  const rig = await createRig({ intercept: () => release?.() })
  const port = await listen(t, rig)
  const token = await rig.token('alice')
  const head = `POST /v1/run HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: `
  const sending = await open(port)
  sending.write(`${head}1000\r\n\r\n{"message":`)
  sending.destroy()
  const waiting = await open(port)
  waiting.write(`${head}15\r\n\r\n{"message":"x"}`)
  await asked
  waiting.destroy()
  t.equal((await fetch(`http://127.0.0.1:${port}/v1/health`)).status, 200)
  t.notMatch(rig.logs.join(''), /request failed/)
})

t.test('a client that resets its connection before its request is looked at has left, and is no failure of the service', async (t) => {
  const rig = await createRig()
  const port = await listen(t, rig)
  const token = await rig.token('alice')
  const leaving = await open(port)
  const ended = new Promise<void>((resolve) => {
    // The server has read the request; its socket exists but has no peer any more.
    rig.app.server.prependOnceListener('request', ({ socket }: IncomingMessage) => {
      leaving.resetAndDestroy()
      socket.once('close', () => resolve())
    })
  })
  const beganMs = performance.now()
  leaving.write(`GET /v1/sessions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`)
  await ended
  t.equal((await fetch(`http://127.0.0.1:${port}/v1/health`)).status, 200)
  t.notMatch(rig.logs.join(''), /request failed|"status":500/)
  t.match(rig.logs.join(''), /"status":499/)
  const authorization = `Basic ${Buffer.from(`${CREDENTIALS.user}:${CREDENTIALS.password}`).toString('base64')}`
  const scraped = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization } })).text()
  t.match(scraped, 'service_requests_total{method="GET",endpoint="/v1/sessions",status="499"} 1')
  const [, sum] = /^service_request_duration_seconds_sum\{method="GET",endpoint="\/v1\/sessions"\} (.*)$/m.exec(scraped) ?? []
  t.ok(Number(sum) <= (performance.now() - beganMs) / 1_000, `${String(sum)} s`)
})

t.test('a request that is answered is counted and logged once, though its answer is closed as one that was cut off is', async (t) => {
  const rig = await createRig()
  const port = await listen(t, rig)
  for (let nth = 0; nth < 3; nth++) await (await fetch(`http://127.0.0.1:${port}/v1/health`)).text()
  const authorization = `Basic ${Buffer.from(`${CREDENTIALS.user}:${CREDENTIALS.password}`).toString('base64')}`
  const scraped = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization } })
  t.match(await scraped.text(), 'service_requests_total{method="GET",endpoint="/v1/health",status="200"} 3\n')
  t.equal(rig.logs.filter((line) => line.includes('"endpoint":"/v1/health"')).length, 3)
})

t.test('a connection is kept for longer than balancers keep theirs, and a request has a minute to come', async (t) => {
  const rig = await createRig()
  const port = await listen(t, rig)
  const { headers } = await fetch(`http://127.0.0.1:${port}/v1/health`)
  t.equal(headers.get('keep-alive'), 'timeout=72')
  const { requestTimeout, timeout } = rig.app.server
  t.same({ requestTimeout, timeout }, { requestTimeout: 60_000, timeout: 120_000 }, 'and a peer that is dead two')
})

t.test('header fields of up to 64 KiB are read', async (t) => {
  const port = await listen(t, await createRig())
  const large = 'x'.repeat(65_000)
  t.match(await exchange(port, `GET /v1/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-large: ${large}\r\n\r\n`), /^HTTP\/1\.1 200 /)
})

t.test('closing: requests in flight are answered, and their connections end, whatever was sent after them', async (t) => {
  let begin = (): void => undefined
  let finish = (): void => undefined
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const finished = new Promise<void>((resolve) => (finish = resolve))
  const rig = await createRig({ intercept: () => (begin(), finished) })
  const port = await listen(t, rig)
  const socket = await open(port)
  const answers = drain(socket)
  socket.write(
    `POST /v1/run HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${await rig.token('alice')}\r\n` +
      'content-type: application/json\r\ncontent-length: 15\r\n\r\n{"message":"x"}'
  )
  await begun
  const closed = rig.app.close()
  await refusal(port)
  const second = once(rig.app.server, 'request')
  socket.write('GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n')
  await second
  finish()
  const [, first = '', later = ''] = (await answers).split('HTTP/1.1 ')
  await closed
  t.match(first, /^200 [\s\S]*connection: close[\s\S]*"context":/)
  t.equal(later, '', 'a request behind it is not begun: its client knows that, and tries elsewhere')
})

t.test('closing: a request that had begun to come is told to come again, on another connection', async (t) => {
  const rig = await createRig()
  const port = await listen(t, rig)
  const sockets: Socket[] = []
  rig.app.server.on('connection', (accepted: Socket) => sockets.push(accepted))
  const socket = await open(port)
  socket.write('GET /v1/health HTTP/1.1\r\n')
  await until(() => (sockets[0]?.bytesRead ?? 0) > 0)
  const closed = rig.app.close()
  await refusal(port)
  socket.write('host: x\r\n\r\n')
  const answer = await drain(socket)
  t.strictSame(parse(answer), { status: 503, body: { detail: 'The service is shutting down' } })
  for (const field of [/^retry-after: 1\r$/im, /^connection: close\r$/im]) t.match(answer, field)
  await closed
})

t.test('closing: requests on connections that nobody has accepted yet are answered too', async (t) => {
  const rig = await createRig()
  const port = await listen(t, rig)
  const answers = Array.from({ length: 40 }, async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n')
    return (await drain(socket)).slice(0, 'HTTP/1.1 200'.length)
  })
  await once(rig.app.server, 'connection')
  await rig.app.close()
  t.same(new Set(await Promise.all(answers)), new Set(['HTTP/1.1 200']))
})

/** Resolves once connections are refused. */
async function refusal(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const outcome = await Promise.race([
      once(socket, 'connect').then(
        () => 'open',
        () => 'refused'
      )
    ])
    socket.destroy()
    if (outcome === 'refused') return
  }
}
