/** The debugger over real sockets, with a clock that the test owns. */
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { machineCharts } from '../../../machines/charts.js'
import { createRecorder, type Recorder } from '../../../src/debug/recorder.js'
import { createTickets } from '../../../src/debug/tickets.js'
import { createSystemSecrets } from '../../../src/platform/random-sources.js'
import { createRig } from '../../support/http-rig.js'
import { createManualClock } from '../../support/manual-clock.js'
import { until } from '../../support/until.js'

async function start(t: Test, { ringMax = 100 } = {}) {
  const clock = createManualClock()
  const recording = createRecorder({ clock, ringMax, isTracing: true })
  let followed = 0
  const recorder: Recorder = {
    ...recording,
    follow(subject, options) {
      followed += 1
      const follower = recording.follow(subject, options)
      return {
        ...follower,
        close() {
          followed -= 1
          follower.close()
        }
      }
    }
  }
  const tickets = createTickets({ clock, secrets: createSystemSecrets() })
  const charts = machineCharts().map((chart) => ({ ...chart }))
  const topology = async () => ({ nodes: [], edges: [], more: 0 })
  const { app, token, call, get, logs } = await createRig({
    debug: { recorder, tickets, redeem: async (ticket) => tickets.redeem(ticket), clock, charts, topology, actor: async () => undefined }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const readers: IncomingMessage[] = []
  t.teardown(async () => {
    for (const reader of readers) reader.destroy()
    await app.close()
  })
  const { port } = app.server.address() as AddressInfo

  async function ticket(subject: string): Promise<string> {
    const answer = await call({ method: 'POST', url: '/v1/debug/ticket', headers: { authorization: `Bearer ${await token(subject)}` } })
    t.equal(answer.body['expires_in'], 60)
    return String(answer.body['ticket'])
  }
  /** Opens a connection. Its answer is not read yet. */
  function open(query: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path: `/v1/debug/stream${query}`, headers })
      sent.on('error', reject).on('response', (response) => {
        readers.push(response)
        resolve(response)
      })
      sent.end()
    })
  }
  const follow = async (subject: string, query = '', headers: Record<string, string> = {}) =>
    createReader(await open(`?ticket=${await ticket(subject)}${query}`, headers))
  const tell = (subject: string | null, data: Record<string, unknown> = {}) => recorder.tracer.emit({ kind: 'turn.started', subject, data })
  return { app, clock, get, logs, open, follow, ticket, tell, token, followed: () => followed }
}

interface Frame {
  readonly id?: string
  readonly event?: string
  readonly data?: Record<string, unknown>
  readonly retry?: string
}

/** Reads frames one by one; comments count as empty frames. */
function createReader(response: IncomingMessage) {
  response.setEncoding('utf8')
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<string>
  let text = ''
  async function next(): Promise<Frame | undefined> {
    for (let end = text.indexOf('\n\n'); end < 0; end = text.indexOf('\n\n')) {
      const read = await chunks.next()
      if (read.done === true) return undefined
      text += read.value
    }
    const lines = text.slice(0, text.indexOf('\n\n')).split('\n')
    text = text.slice(text.indexOf('\n\n') + 2)
    const named = lines
      .filter((line) => !line.startsWith(':'))
      .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(': ') + 2)])
    const { data, ...fields } = Object.fromEntries(named)
    return { ...fields, ...(data !== undefined && { data: JSON.parse(data) as Record<string, unknown> }) }
  }
  return { response, next }
}

t.test('a stream opened with a ticket shows its subject the events of its own and of nobody', async (t) => {
  const { follow, tell, logs } = await start(t)
  const [alice, bob] = [await follow('alice'), await follow('bob')]
  t.equal(alice.response.headers['content-type'], 'text/event-stream; charset=utf-8')
  t.equal(alice.response.headers['cache-control'], 'no-store')
  t.strictSame(await alice.next(), { retry: '2000' })
  t.strictSame(await bob.next(), { retry: '2000' })
  tell('alice', { turn: 1, topHits: [{ memoryHash: 'ab' }] })
  tell('bob')
  tell(null, { durationMs: 3 })
  const shown = { timestamp: 1_700_000_000, kind: 'turn.started' }
  t.strictSame(await alice.next(), {
    id: '1',
    event: 'turn.started',
    data: { seq: 1, ...shown, turn: 1, top_hits: [{ memory_hash: 'ab' }] }
  })
  t.strictSame((await alice.next())?.data, { seq: 2, ...shown, duration_ms: 3 })
  t.strictSame([(await bob.next())?.data?.['seq'], (await bob.next())?.data?.['seq']], [1, 2])
  t.notMatch(logs.join(''), /ticket=/)
})

t.test('a ticket that is missing, wrong, repeated, used or expired gives 401 in the shape of a bad token', async (t) => {
  const { open, ticket, token, clock } = await start(t)
  const authorization = `Bearer ${await token('alice')}`
  const used = await ticket('alice')
  t.equal((await open(`?ticket=${used}`)).statusCode, 200)
  const [twice, expired] = [await ticket('alice'), await ticket('alice')]
  await clock.advance(60_000)
  const queries = [
    '',
    '?ticket=',
    '?ticket=x',
    `?ticket=${used}`,
    `?ticket=${expired}`,
    `?ticket=${twice}&ticket=${twice}`,
    `?ticket=${authorization.slice(7)}`
  ]
  for (const query of queries) {
    const response = await open(query, { authorization })
    t.equal(response.statusCode, 401)
    const body = JSON.parse((await response.setEncoding('utf8').toArray()).join('')) as Record<string, unknown>
    t.strictSame(Object.keys(body), ['detail'])
    t.match(body['detail'], /^Invalid license/)
  }
})

t.test('a ticket used by many at once opens one stream', async (t) => {
  const { open, ticket } = await start(t)
  const one = await ticket('alice')
  const statuses = (await Promise.all(Array.from({ length: 12 }, () => open(`?ticket=${one}`)))).map(({ statusCode }) => statusCode)
  t.strictSame(statuses.sort(), [200, ...Array.from({ length: 11 }, () => 401)])
})

t.test('a look at the headers uses no ticket up', async (t) => {
  const { app, follow, ticket } = await start(t)
  t.equal((await app.inject({ method: 'HEAD', url: `/v1/debug/stream?ticket=${await ticket('alice')}` })).statusCode, 405)
  t.equal((await follow('alice')).response.statusCode, 200)
})

t.test('a stream that goes on from a number has what came after it, the header before the query', async (t) => {
  const { follow, tell } = await start(t, { ringMax: 4 })
  for (let turn = 1; turn <= 6; turn++) tell('alice', { turn })
  const [byQuery, byHeader, fromStart] = [
    await follow('alice', '&since=4'),
    await follow('alice', '&since=0', { 'last-event-id': '5' }),
    await follow('alice', '&since=0')
  ]
  for (const reader of [byQuery, byHeader, fromStart]) await reader.next()
  t.strictSame([(await byQuery.next())?.id, (await byQuery.next())?.id], ['5', '6'])
  t.equal((await byHeader.next())?.id, '6')
  t.strictSame(await fromStart.next(), { id: '2', event: 'gap', data: { missed: 2, from_seq: 1, to_seq: 2 } })
  t.equal((await fromStart.next())?.id, '3')
})

t.test('a reader that stops reading delays nobody, loses events and is told how many', async (t) => {
  const { follow, tell } = await start(t, { ringMax: 8 })
  const [slow, quick] = [await follow('alice'), await follow('alice')]
  await slow.next()
  await quick.next()
  slow.response.pause()
  // More than the buffers of two sockets hold: some megabytes each.
  const text = 'x'.repeat(262_144)
  const count = 120
  for (let turn = 1; turn <= count; turn++) {
    tell('alice', { turn, text })
    t.equal((await quick.next())?.id, String(turn))
  }
  slow.response.resume()
  let [last, seen, missed] = [0, 0, 0]
  while (last < count) {
    const frame = await slow.next()
    if (frame?.event === 'gap') {
      t.equal(frame.data?.['from_seq'], last + 1)
      missed += Number(frame.data?.['missed'])
    } else seen++
    last = Number(frame?.id)
  }
  t.ok(missed > 0)
  t.equal(seen + missed, count)
})

t.test('a stream on which nothing happens shows signs of life', async (t) => {
  const { follow, clock } = await start(t)
  const alice = await follow('alice')
  await alice.next()
  await clock.advance(15_000)
  t.strictSame(await alice.next(), {})
  await clock.advance(15_000)
  t.strictSame(await alice.next(), {})
})

t.test('streams of one subject above the limit end the oldest of those that are open', async (t) => {
  const { follow, followed } = await start(t)
  for (let at = 0; at < 8; at++) (await follow('alice')).response.destroy()
  await until(() => followed() === 0)
  const readers = []
  for (let at = 0; at < 9; at++) readers.push(await follow('alice'))
  const oldest = readers[0]
  t.strictSame(await oldest?.next(), { retry: '2000' })
  t.equal(await oldest?.next(), undefined)
})

t.test('a server that closes ends its streams and does not wait for their readers', async (t) => {
  const { app, follow, clock } = await start(t)
  const alice = await follow('alice')
  await alice.next()
  let isClosed = false
  void app.close().then(() => (isClosed = true))
  t.equal(await alice.next(), undefined)
  const linger = (): Promise<void> => clock.advance(100)
  await until(() => isClosed, linger)
  t.equal(clock.pending, 0, 'no heartbeat is left')
})

t.test('a reader that goes away is followed by nothing of its stream', async (t) => {
  const { follow, followed, clock } = await start(t)
  const [gone, staying] = [await follow('alice'), await follow('alice')]
  t.equal(followed(), 2)
  gone.response.destroy()
  await until(() => followed() === 1)
  t.equal(clock.pending, 2, 'the timers of the one that stays')
  t.equal(staying.response.destroyed, false)
})

t.test('the replay gives a subject its events after a number, in the shape of the stream', async (t) => {
  const { get, tell } = await start(t)
  tell('alice', { turn: 1 })
  tell('bob')
  tell('alice', { turn: 2 })
  const shown = { timestamp: 1_700_000_000, kind: 'turn.started' }
  t.strictSame((await get('/v1/debug/recent')).body, {
    events: [
      { seq: 1, ...shown, turn: 1 },
      { seq: 2, ...shown, turn: 2 }
    ],
    last_seq: 2
  })
  t.strictSame((await get('/v1/debug/recent?since=1&limit=1')).body, { events: [{ seq: 2, ...shown, turn: 2 }], last_seq: 2 })
  t.strictSame((await get('/v1/debug/recent?since=3')).body, { events: [], last_seq: 2 }, 'beyond the last one')
  t.equal((await get('/v1/debug/recent?since=-1')).status, 422)
  t.equal((await get('/v1/debug/recent?limit=0')).status, 422)
})

t.test('the other routes want a licence', async (t) => {
  const { app } = await start(t)
  for (const [method, url] of [
    ['POST', '/v1/debug/ticket'],
    ['GET', '/v1/debug/recent'],
    ['GET', '/v1/debug/topology'],
    ['GET', '/v1/debug/machines'],
    ['GET', '/v1/debug/actors/session/s/chart']
  ] as const) {
    t.equal((await app.inject({ method, url })).statusCode, 401)
  }
})

t.test('the charts name the states of every machine and the ways between them', async (t) => {
  const { get } = await start(t)
  const { machines } = (await get('/v1/debug/machines')).body as {
    machines: { key: string; initial: string; states: { key: string; transitions: object[] }[] }[]
  }
  t.strictSame(
    machines.map(({ key }) => key),
    [
      'session',
      'cluster',
      'region',
      'observer',
      'network',
      'supervisor',
      'node',
      'membership',
      'mind',
      'sharing',
      'realignment',
      'watching'
    ]
  )
  const session = machines.find(({ key }) => key === 'session')
  t.equal(session?.initial, 'absent')
  t.match(session?.states.find(({ key }) => key === 'absent')?.transitions, [
    { event: 'actor.activate', target: 'activating', guard: null }
  ])
})
