// Traces as a collector receives them: across nodes, through the proxy, and none at all where none is configured.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { answer, beginStream, completion, startChat, streamed } from '../support/chat-upstream.js'
import { freePort } from '../support/free-port.js'
import { startJoined } from '../support/joined-services.js'
import { needs } from '../support/needs.js'
import { compiledProgram } from '../support/program.js'
import { startService } from '../support/real-service.js'
import { call, startWorkers } from '../support/started-workers.js'
import { type CollectedSpan, startCollector } from '../support/trace-collector.js'

const SERVER = 2
const CLIENT = 3
const SECRET = 'The word of the safe is Wintermute.'

function one(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const [found, ...others] = spans.filter((span) => span.name === name)
  if (found === undefined || others.length > 0) throw new Error(`${name}: not one of ${spans.map((span) => span.name).join(', ')}`)
  return found
}

t.test('a run that is forwarded is one trace over two nodes, part of its caller’s', needs('nats-server', 'redis-server'), async (t) => {
  const collector = await startCollector(t)
  const env = { SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical', SERVICE_RATE_LIMIT_PER_MINUTE: '0', ...collector.env }
  const logs: string[] = []
  const services = await startJoined(t, { count: 2, env, overrides: { logDestination: { write: (line) => void logs.push(line) } } })
  const requests = new Map<string, string>()
  for (let at = 1; at <= 8; at++) {
    const traceId = at.toString(16).padStart(32, 'a')
    const response = await services[0]!.http.inject({
      method: 'POST',
      url: '/v1/run',
      headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
      payload: { session_id: `private-${at}`, message: SECRET }
    })
    t.equal(response.statusCode, 200)
    requests.set(traceId, String(response.headers['x-request-id']))
  }
  await Promise.all(services.map((service) => service.close()))

  const all = collector.spans()
  const forward = all.find(({ name }) => name === 'forward')
  if (forward === undefined) throw new Error('None of eight sessions is at the other node')
  const spans = all.filter(({ traceId }) => traceId === forward.traceId)
  const server = one(spans, 'POST /v1/run')
  t.match(server, { kind: SERVER, parentSpanId: '00f067aa0ba902b7' })
  const requestId = requests.get(forward.traceId)
  t.match(server.attributes, {
    'http.request.method': 'POST',
    'http.route': '/v1/run',
    'http.response.status_code': '200',
    'engram.request.id': requestId
  })
  t.match(forward, { kind: CLIENT, parentSpanId: server.spanId, attributes: { 'engram.hop': '1', 'engram.node.id': 'n2' } })
  const command = one(spans, 'session.run')
  t.match(command, { parentSpanId: forward.spanId, attributes: { 'engram.actor.kind': 'session', 'engram.request.id': requestId } })
  for (const name of ['session.run prepare', 'session.run step', 'storage commit'])
    t.equal(one(spans, name).parentSpanId, command.spanId, name)
  t.strictSame(
    [server, forward, command].map(({ resource }) => [resource['service.name'], resource['service.instance.id']]),
    [
      ['engram', 'n1'],
      ['engram', 'n1'],
      ['engram', 'n2']
    ]
  )
  for (const span of spans) t.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), span.name)
  const line = logs.find((text) => text.includes('request completed') && text.includes(server.spanId))
  t.match(JSON.parse(line ?? '{}'), { trace_id: server.traceId, span_id: server.spanId })
  for (const text of collector.texts) t.notMatch(text, /Wintermute|private-|"anonymous"/)
})

t.test('sent as protobuf, by default, a trace is what it is as JSON', async (t) => {
  const collector = await startCollector(t, 'http/protobuf')
  const { as, close } = await startService(t, { nodes: 1, env: { ...collector.env } })
  const alice = await as('alice')
  const headers = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
  const { status } = await alice.call({ method: 'POST', url: '/v1/run', headers, payload: { session_id: 's', message: SECRET } })
  t.equal(status, 200)
  await close()
  const spans = collector.spans()
  t.strictSame(new Set(spans.map(({ traceId }) => traceId)), new Set(['0af7651916cd43dd8448eb211c80319c']))
  const server = one(spans, 'POST /v1/run')
  t.match(server, { kind: SERVER, parentSpanId: 'b7ad6b7169203331', attributes: { 'http.response.status_code': '200' } })
  const command = one(spans, 'session.run')
  t.equal(command.parentSpanId, server.spanId)
  for (const name of ['session.run prepare', 'session.run step', 'storage commit'])
    t.equal(one(spans, name).parentSpanId, command.spanId, name)
  t.match(server.resource, { 'service.name': 'engram' })
  for (const span of spans) t.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), span.name)
  for (const text of collector.texts) t.notOk(text.includes('Wintermute') || text.includes('alice'))
})

t.test('a run that one worker forwards to the other is one trace of both', async (t) => {
  const collector = await startCollector(t)
  const { url, child } = await startWorkers(t, collector.env)
  // Connections take turns between the workers: of both, some sessions are at the other one.
  for (let at = 0; at < 16; at++) t.equal((await call(`${url}/v1/run`, { session_id: `s${at % 8}`, message: SECRET })).status, 200)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  t.strictSame(await exited, [0, null])

  const all = collector.spans()
  const forwards = all.filter(({ name }) => name === 'forward')
  t.not(forwards.length, 0)
  for (const { traceId } of forwards) {
    const spans = all.filter((span) => span.traceId === traceId)
    const [server, forward, command] = [one(spans, 'POST /v1/run'), one(spans, 'forward'), one(spans, 'session.run')]
    t.equal(forward.parentSpanId, server.spanId)
    t.equal(command.parentSpanId, forward.spanId)
    t.equal(forward.resource['service.instance.id'], server.resource['service.instance.id'])
    t.equal(command.resource['service.instance.id'], forward.attributes['engram.node.id'])
    t.not(command.resource['service.instance.id'], server.resource['service.instance.id'])
  }
})

t.test('what a session tells its cluster, by way of its outbox, is part of the trace of its own command', async (t) => {
  const collector = await startCollector(t)
  const { as, close } = await startService(t, { nodes: 1, env: { ...collector.env } })
  const alice = await as('alice')
  t.equal((await alice.post('/v1/run', { session_id: 'private', message: 'Where is the key?' })).status, 200)
  t.equal((await alice.post('/v1/cluster/', { cluster_id: 'team' })).status, 201)
  t.equal((await alice.post('/v1/cluster/team/members', { session_id: 'private' })).status, 200)
  t.equal((await alice.post('/v1/store', { session_id: 'private', message: 'Where is the key?', response: SECRET })).status, 200)
  await close()
  const all = collector.spans()
  const told = one(all, 'exchange.collect')
  const spans = all.filter(({ traceId }) => traceId === told.traceId)
  const command = one(spans, 'session.store')
  t.equal(told.parentSpanId, command.spanId)
  t.equal(command.parentSpanId, one(spans, 'POST /v1/store').spanId)
  t.equal(one(spans, 'exchange.collect step').parentSpanId, told.spanId)
})

t.test('what the proxy asks of its model service is part of the trace there, and no token is', async (t) => {
  const collector = await startCollector(t)
  const { upstream, post, alice, close } = await startChat(t, ({ response }) => answer(response, completion('In May.')), {
    env: collector.env
  })
  const sent = { model: 'm', messages: [{ role: 'user', content: SECRET }] }
  t.equal((await post(sent, { headers: { traceparent: 'not one' } })).status, 200)
  t.equal((await post({ model: 'm' })).status, 422)
  await close()
  const spans = collector.spans()
  const client = one(spans, 'POST chat/completions')
  t.equal(upstream.calls[0]?.headers['traceparent'], `00-${client.traceId}-${client.spanId}-01`)
  t.match(client, { kind: CLIENT, attributes: { 'http.response.status_code': '200' } })
  const servers = spans.filter(({ kind }) => kind === SERVER)
  t.match(
    servers.find(({ traceId }) => traceId === client.traceId),
    { name: 'POST /compat/v1/chat/completions', spanId: client.parentSpanId }
  )
  t.match(
    servers.find(({ traceId }) => traceId !== client.traceId),
    { attributes: { 'http.response.status_code': '422', 'error.type': '422' } }
  )
  t.ok(
    spans.some(({ name, traceId }) => name === 'session.store' && traceId === client.traceId),
    'the answer that is stored is part of it'
  )
  for (const text of collector.texts) t.notOk(text.includes(alice.token) || text.includes('Wintermute') || text.includes('alice'))
})

t.test('a traced stream of the proxy adds no more listeners than Node.js takes for a leak', async (t) => {
  const collector = await startCollector(t)
  const script: Parameters<typeof startChat>[1] = ({ response }) => beginStream(response).end(streamed(['In ', 'May.']))
  const { post } = await startChat(t, script, { env: collector.env })
  const warned: string[] = []
  const warn = ({ name }: Error): void => void warned.push(name)
  process.on('warning', warn)
  t.teardown(() => process.off('warning', warn))
  const response = await post({ model: 'm', stream: true, messages: [{ role: 'user', content: SECRET }] })
  t.match(await response.text(), 'May.')
  t.strictSame(warned, [])
})

t.test('a collector that is away changes nothing for anybody', async (t) => {
  const url = `http://127.0.0.1:${await freePort()}`
  const { as, close } = await startService(t, { nodes: 1, env: { OTEL_EXPORTER_OTLP_ENDPOINT: url } })
  const alice = await as('alice')
  t.equal((await alice.post('/v1/run', { session_id: 's', message: 'hello' })).status, 200)
  await close()
})

t.test('nothing of it is loaded where no collector is configured, or it is turned off', async (t) => {
  const service = pathToFileURL(await compiledProgram('src/service.ts')).href
  const config = pathToFileURL(await compiledProgram('src/config.ts')).href
  const program = `
    const [{ createService }, { readConfig }] = [await import('${service}'), await import('${config}')]
    const base = { SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical', SERVICE_LOG_LEVEL: 'silent' }
    const service = await createService(readConfig({ ...base, ...JSON.parse(process.argv[1]) }))
    await service.start()
    await service.http.inject({ method: 'POST', url: '/v1/run', payload: { message: 'hello' } })
    await service.close()
    const { createRequire } = await import('node:module')
    const loaded = Object.keys(createRequire('${service}').cache).filter((path) => path.includes('@opentelemetry/sdk-trace'))
    process.stdout.write(String(loaded.length > 0))
    process.exit()
  `
  const isLoaded = async (env: Record<string, string>) => {
    const args = ['--input-type=module', '--eval', program, JSON.stringify(env)]
    return (await promisify(execFile)(process.execPath, args, { env: { PATH: process.env['PATH'] } })).stdout
  }
  const url = `http://127.0.0.1:${await freePort()}`
  const [none, off, on] = await Promise.all([
    isLoaded({}),
    isLoaded({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SDK_DISABLED: 'true' }),
    isLoaded({ OTEL_EXPORTER_OTLP_ENDPOINT: url })
  ])
  t.strictSame({ none, off, on }, { none: 'false', off: 'false', on: 'true' })
})
