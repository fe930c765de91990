// Against servers on real sockets; time is the test's.
import { once } from 'node:events'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { createBrotliCompress, createDeflate, createGzip, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { createModelService, type ModelServiceLimits } from '../../src/upstream/model-service.js'
import { type Script, startUpstream } from '../support/chat-upstream.js'
import { createManualClock, createRecordingLogger } from '../support/embedder-ports.js'
import { until } from '../support/until.js'

const ASK = { method: 'POST' as const, path: 'chat/completions', body: Buffer.from('{"a":1}') }
const LIMITS = { connectMs: 10, firstByteMs: 600, idleMs: 300, overallMs: 3_600 }

const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

async function open(
  t: Test,
  script: Script,
  { limits = {}, url = (base: string) => base }: { limits?: Partial<ModelServiceLimits>; url?: (base: string) => string } = {}
) {
  const upstream = await startUpstream(t, script)
  const clock = createManualClock()
  const logger = createRecordingLogger()
  const service = createModelService({ url: url(upstream.url), apiKey: 'key', clock, logger, limits: { ...LIMITS, ...limits } })
  t.teardown(() => service.close())
  const controller = new AbortController()
  return { upstream, clock, logger, service, controller, send: () => service.send(ASK, controller.signal) }
}

async function read(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

t.test('a call arrives with the key and comes back with the headers that concern the caller', async (t) => {
  const { upstream, send, clock } = await open(t, ({ response }) => {
    response
      .writeHead(418, { 'content-type': 'text/plain', 'retry-after': '3', 'set-cookie': 'a=b', server: 'x', 'openai-organization': 'o' })
      .end('short')
  })
  const { status, headers, body } = await send()
  t.strictSame([status, headers, await read(body)], [418, { 'content-type': 'text/plain', 'retry-after': '3' }, 'short'])
  t.match(upstream.calls[0], {
    method: 'POST',
    path: '/v1/chat/completions',
    text: '{"a":1}',
    headers: { authorization: 'Bearer key', 'content-type': 'application/json', 'accept-encoding': 'identity' }
  })
  t.equal(clock.waiting, 0, 'no timer is left')
})

t.test('all headers of an answer go on but those of the connection, of its length, and of the upstream as a site', async (t) => {
  const passed = {
    'content-type': 'application/json',
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-tokens': '5',
    'openai-processing-ms': '12',
    'openai-version': '2020-10-01',
    'x-request-id': 'up-1',
    'x-new': 'yes'
  }
  const kept = {
    connection: 'keep-alive, x-hop',
    'x-hop': '1',
    'keep-alive': 'timeout=5',
    te: 'trailers',
    'cache-control': 'public, max-age=60',
    'set-cookie': ['a=b', 'c=d'],
    'strict-transport-security': 'max-age=1',
    'access-control-allow-origin': '*',
    'www-authenticate': 'Basic',
    'x-session-id': 'theirs'
  }
  for (const status of [200, 429, 500]) {
    const { send } = await open(t, ({ response }) => response.writeHead(status, { ...passed, ...kept }).end('{}'))
    const { headers, body } = await send()
    t.strictSame(headers, passed, String(status))
    await read(body)
  }
})

t.test('a base with a query and slashes at its end keeps the former', async (t) => {
  const { upstream, send } = await open(t, ({ response }) => response.end(), { url: (base) => `${base}//?api-version=1` })
  await read((await send()).body)
  t.equal(upstream.calls[0]?.path, '/v1/chat/completions?api-version=1')
})

t.test('a base that is the address of chat completions serves all paths beside it', async (t) => {
  const { upstream, send } = await open(t, ({ response }) => response.end(), { url: (base) => `${base}/chat/completions/` })
  await read((await send()).body)
  t.equal(upstream.calls[0]?.path, '/v1/chat/completions')
})

t.test('a call is made once more when a connection that was kept is closed under it', async (t) => {
  const { upstream, send, logger } = await open(t, ({ response }, nth) => {
    if (nth === 2) response.socket?.resetAndDestroy()
    else response.end('ok')
  })
  t.equal(await read((await send()).body), 'ok')
  // The connection is back in its pool a turn after the body has ended.
  await yieldToEventLoop()
  t.equal(await read((await send()).body), 'ok')
  t.equal(upstream.calls.length, 3)
  t.strictSame(logger.entries, [])
})

t.test('a new connection that is closed under a call is a failure: the call may have been begun', async (t) => {
  const { upstream, send, logger } = await open(t, ({ response }) => response.socket?.resetAndDestroy())
  await t.rejects(send(), { code: 'upstream_unavailable', message: 'The model service cannot be reached' })
  t.equal(upstream.calls.length, 1)
  t.match(logger.entries, [{ level: 'warn', fields: { code: 'ECONNRESET' } }])
})

t.test('a service that is not there is told without its address', async (t) => {
  const logger = createRecordingLogger()
  const service = createModelService({ url: 'http://127.0.0.1:1/v1', apiKey: undefined, clock: createManualClock(), logger })
  await t.rejects(service.send(ASK, new AbortController().signal), {
    code: 'upstream_unavailable',
    message: 'The model service cannot be reached'
  })
  t.strictSame(
    logger.entries.map(({ fields }) => fields),
    [{ code: 'ECONNREFUSED' }]
  )
})

t.test('a connection that never stands is given up', async (t) => {
  const silent = createTcpServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const clock = createManualClock()
  // Its encryption is part of a connection, and this server never begins with it.
  const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`
  const service = createModelService({ url, apiKey: undefined, clock, logger: createRecordingLogger(), limits: LIMITS })
  t.teardown(() => {
    service.close()
    silent.close()
  })
  const sent = service.send(ASK, new AbortController().signal)
  await once(silent, 'connection')
  clock.advance(LIMITS.connectMs)
  await t.rejects(sent, { code: 'upstream_unavailable' })
})

t.test('a service that does not answer is given up after its limit and no earlier', async (t) => {
  const { upstream, send, clock } = await open(t, () => undefined)
  const sent = send()
  await until(() => upstream.calls.length === 1)
  clock.advance(LIMITS.firstByteMs - 1)
  await yieldToEventLoop()
  clock.advance(1)
  await t.rejects(sent, { code: 'upstream_late', message: 'The model service did not answer in time' })
  await upstream.calls[0]?.closed
  t.equal(clock.waiting, 0)
})

t.test('an answer that falls silent is broken off, and the call with it', async (t) => {
  const { upstream, send, clock } = await open(t, ({ response }) => response.write('one'))
  const { body } = await send()
  const pieces = body[Symbol.asyncIterator]()
  t.equal(Buffer.from((await pieces.next()).value as Uint8Array).toString(), 'one')
  const next = pieces.next()
  clock.advance(LIMITS.idleMs)
  await t.rejects(next, { code: 'upstream_late', message: 'The model service fell silent' })
  await upstream.calls[0]?.closed
  t.equal(clock.waiting, 0)
})

t.test('an answer that nobody reads is not silent, however long', async (t) => {
  const { upstream, send, clock } = await open(t, ({ response }) => void response.end('x'.repeat(5_000_000)), {
    limits: { overallMs: 1_000_000 }
  })
  const { body } = await send()
  const pieces = body[Symbol.asyncIterator]()
  const first = await pieces.next()
  // Until the buffers on the way are full and nobody waits for a piece any more.
  for (let quiet = 0; quiet < 50; quiet++) await yieldToEventLoop()
  clock.advance(LIMITS.idleMs * 10)
  let bytes = (first.value as Uint8Array).length
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) bytes += next.value.length
  t.equal(bytes, 5_000_000)
  t.equal(upstream.calls.length, 1)
})

t.test('a call as a whole ends after its limit, however lively it is', async (t) => {
  const { upstream, send, clock } = await open(t, ({ response }) => response.write('one'), { limits: { idleMs: 10_000 } })
  const { body } = await send()
  const text = read(body)
  clock.advance(LIMITS.overallMs)
  await t.rejects(text, { code: 'upstream_late', message: 'The model service took too long' })
  await upstream.calls[0]?.closed
})

t.test('a call that is aborted at any point ends on both sides', async (t) => {
  for (const stage of ['before', 'while it waits', 'in its body'] as const) {
    const { upstream, send, clock, controller, logger } = await open(t, ({ response }) => stage === 'in its body' && response.write('one'))
    if (stage === 'before') controller.abort()
    const sent = send()
    sent.catch(() => undefined)
    if (stage !== 'before') await until(() => upstream.calls.length === 1)
    const text: Promise<unknown> = stage === 'in its body' ? read((await sent).body) : sent
    controller.abort()
    await t.rejects(text, { code: 'upstream_unavailable', message: 'The caller went away' }, stage)
    await upstream.calls[0]?.closed
    t.equal(clock.waiting, 0)
    t.strictSame(logger.entries, [])
  }
})

t.test('an answer that breaks off or is no HTTP in its middle says so', async (t) => {
  const { send } = await open(t, ({ response }, nth) => {
    if (nth === 1) response.write('one', () => response.destroy())
    else response.socket?.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\none\r\nnonsense\r\n')
  })
  for (let nth = 1; nth <= 2; nth++) {
    const { body } = await send()
    await t.rejects(read(body), { code: 'upstream_unavailable', message: 'The model service broke off' })
  }
})

t.test('an answer that is compressed unasked comes as it was before, piece by piece; one that is broken says so', async (t) => {
  const piece = 'data: Whitby\n\n'
  const codings = { gzip: createGzip, 'X-GZIP': createGzip, deflate: createDeflate, br: createBrotliCompress }
  const names = Object.keys(codings) as (keyof typeof codings)[]
  let finish = (): void => undefined
  const { send } = await open(t, ({ response }, nth) => {
    const coding = names[nth - 1] ?? 'gzip'
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': coding })
    if (nth === names.length + 1) return void response.end(gzipSync(piece).subarray(0, -4))
    if (nth === names.length + 2) return void response.end('no gzip at all')
    const encoder = codings[coding]()
    encoder.pipe(response)
    encoder.write(piece)
    encoder.flush()
    finish = () => encoder.end(piece)
  })
  for (const coding of names) {
    const { headers, body } = await send()
    t.strictSame(headers, { 'content-type': 'text/event-stream' }, coding)
    const pieces = body[Symbol.asyncIterator]()
    t.equal(String((await pieces.next()).value), piece, `${coding}: the first arrives before the last was sent`)
    finish()
    t.equal(String((await pieces.next()).value), piece)
    t.equal((await pieces.next()).done, true)
  }
  for (const wrong of ['cut', 'not in it'])
    await t.rejects(read((await send()).body), { code: 'upstream_unavailable', message: 'The model service broke off' }, wrong)
})

t.test('an answer in a coding that is not known stays as it is, whatever its name', async (t) => {
  const codings = ['zstd', '__proto__', 'constructor']
  const { send } = await open(t, ({ response }, nth) => {
    response.writeHead(200, { 'content-encoding': codings[nth - 1] ?? '' })
    response.end('as it is')
  })
  for (const coding of codings) {
    const { headers, body } = await send()
    t.strictSame([headers, await read(body)], [{ 'content-encoding': coding }, 'as it is'])
  }
})

t.test('calls above the limit are refused at once; one that has ended makes room', async (t) => {
  const { upstream, send } = await open(t, ({ response }, nth) => nth > 1 && response.end('ok'), { limits: { callsMax: 1 } })
  const first = send()
  await t.rejects(send(), { code: 'busy' })
  await until(() => upstream.calls.length === 1)
  upstream.calls[0]?.response.end('ok')
  await read((await first).body)
  t.equal(await read((await send()).body), 'ok')
})

t.test('closing ends what is under way', async (t) => {
  const { upstream, service, send } = await open(t, () => undefined)
  const sent = send()
  sent.catch(() => undefined)
  await until(() => upstream.calls.length === 1)
  service.close()
  service.close()
  await t.rejects(sent, { code: 'upstream_unavailable', message: 'The service is shutting down' })
})
