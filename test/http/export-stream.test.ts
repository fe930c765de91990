// How an export is sent: in pieces, with other work in between, no faster than it is read, and no further once nobody reads.
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { processorOf } from '../../actors/scheduling/processor.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { createRig } from '../support/http-rig.js'
import { startService } from '../support/real-service.js'

const MEMORIES = 400
const TEXT_CHARS = 100_000

/** Iterations of the event loop without any progress after which a writer counts as waiting. */
const QUIET_TURNS = 200

const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

/** HTTP over a session of 40 MB, with the number of its memories written so far. */
async function start(t: Test) {
  let written = 0
  const text = 'x'.repeat(TEXT_CHARS)
  const memories = Array.from({ length: MEMORIES }, () => ({
    get memory() {
      written += 1
      return { text }
    },
    stats: {}
  }))
  const document = { head: { settings: { dimension: 3, modelName: 'm' } }, memories }
  // Writing a memory takes a millisecond of this clock.
  const { takePieces } = processorOf({ ...createSystemClock(), monotonicMs: () => written })
  const rig = await createRig({ takePieces, intercept: (command) => (command.type === 'session.export' ? { document } : undefined) })
  await rig.app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => rig.app.close())
  const { port } = rig.app.server.address() as AddressInfo
  const authorization = `Bearer ${await rig.token('alice')}`
  const open = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: '/v1/session/s/export', headers: { authorization }, agent: false }, resolve).on('error', reject)
    })
  /** Resolves once nothing more is written, with the number of memories written. */
  const untilQuiet = async () => {
    for (let quiet = 0, last = -1; quiet < QUIET_TURNS; quiet++) {
      if (written !== last) quiet = 0
      last = written
      await yieldToEventLoop()
    }
    return written
  }
  return { rig, open, untilQuiet, written: () => written }
}

t.test('export: the event loop turns between its pieces', async (t) => {
  const { rig, written } = await start(t)
  const seen = new Set<number>()
  // Injected, so that no socket takes iterations of the event loop.
  const answer = rig.get('/v1/session/s/export')
  while (!seen.has(MEMORIES)) {
    seen.add(written())
    await yieldToEventLoop()
  }
  t.equal(
    (JSON.parse((await answer).text) as { state_dict: { session: { memories: object[] } } }).state_dict.session.memories.length,
    MEMORIES
  )
  t.ok(seen.size > MEMORIES / 4, `${seen.size} different points at which others had their turn`)
})

t.test('export: a client that does not read, no more is written than fits on the way', async (t) => {
  const { open, untilQuiet } = await start(t)
  const response = await open()
  const held = await untilQuiet()
  t.ok(held < MEMORIES / 2, `${held} of ${MEMORIES}`)
  let bytes = 0
  for await (const chunk of response) bytes += (chunk as Buffer).length
  t.ok(bytes > MEMORIES * TEXT_CHARS)
  t.equal(await untilQuiet(), MEMORIES)
})

t.test('export: a client that goes away, nothing more is written and nothing of it is logged', async (t) => {
  const { rig, open, untilQuiet } = await start(t)
  const response = await open()
  const held = await untilQuiet()
  response.destroy()
  const after = await untilQuiet()
  t.ok(after < held + MEMORIES / 4, `${held} before, ${after} after`)
  t.notMatch(rig.logs.join(''), /xxxx/)
  t.notMatch(rig.logs.join(''), /"level":(50|60)/)
  t.equal((await rig.get('/v1/health')).status, 200)
})

t.test('export: nothing is written for HEAD, whose answer states no length', async (t) => {
  const { rig, untilQuiet } = await start(t)
  const { status, headers } = await rig.call({ method: 'HEAD', url: '/v1/session/s/export' })
  t.match({ status, headers }, { status: 200, headers: { 'content-type': /^application\/json/, 'content-length': undefined } })
  t.equal(await untilQuiet(), 0)
  t.notMatch(rig.logs.join(''), /"level":50/)
})

t.test('export of thousands of memories: other requests, to this session too, are answered before it ends', async (t) => {
  const { service, as } = await startService(t)
  const alice = await as('alice')
  await alice.post('/v1/session/create', { session_id: 's' })
  for (let batch = 0; batch < 4; batch++) {
    const memories = Array.from({ length: 1000 }, (_, n) => ({ text: `Parcel ${batch * 1000 + n} went to depot ${n % 97}.` }))
    t.match(await alice.post('/v1/session/s/memories', { memories }), { status: 200, body: { stored: 1000 } })
  }
  await service.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.http.server.address() as AddressInfo
  const order: string[] = []
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${alice.token}` }
    get({ host: '127.0.0.1', port, path: '/v1/session/s/export', headers, agent: false }, resolve).on('error', reject)
  })
  const whole = (async () => {
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) {
      if (text === '') order.push('begins')
      text += chunk as string
    }
    order.push('ends')
    return text
  })()
  const others = (async () => {
    for (let n = 0; n < 3; n++) {
      t.equal((await alice.post('/v1/run', { session_id: 's', message: `Where is parcel ${n}?` })).status, 200)
      t.equal((await alice.get('/v1/health')).status, 200)
      order.push('answered')
    }
  })()
  const [text] = await Promise.all([whole, others])
  t.strictSame(order.slice(-1), ['ends'])
  const exported = JSON.parse(text) as { state_dict: object; checksum: string }
  t.match(
    exported,
    { checksum: /^[0-9a-f]{64}$/, state_dict: { memory_count: 4000, checksum: exported.checksum } },
    'as it was when it was asked for'
  )
})
