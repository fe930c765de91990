/** How a bus handles requests and answers that no bus of the service would send. */
import { connect, headers, type Msg } from 'nats'
import t, { type Test } from 'tap'
import { divide, packDivided } from '../../../src/bus/divided-message.js'
import { encodeMessage } from '../../../src/bus/message-codec.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { createSystemClock } from '../../../src/platform/clock.js'
import { createManualClock } from '../../support/manual-clock.js'
import { startNatsNodes } from '../../support/nats-nodes.js'
import { allNeed } from '../../support/needs.js'
import { codeOf } from '../../support/runtime.js'
import { until } from '../../support/until.js'

const DOOR = 'engram.nodes.a.first.asks'

allNeed(t, 'nats-server')

async function start(t: Test) {
  const nodes = await startNatsNodes(t)
  const foreign = await connect({ servers: `127.0.0.1:${nodes.server.port}` })
  t.teardown(() => foreign.close())
  return { nodes, foreign }
}

function fieldsOf(entries: Readonly<Record<string, string>>) {
  const fields = headers()
  for (const [name, value] of Object.entries(entries)) fields.set(name, value)
  return fields
}

t.test('a request that nobody waits for is not handed over, whatever else it says', async (t) => {
  const { nodes, foreign } = await start(t)
  const bus = await nodes.open('a')
  const handed: unknown[] = []
  bus.serve(DOOR, async (body) => handed.push(body))
  await bus.check()
  const reply = '_INBOX.b.a.token'
  foreign.publish(`${DOOR}.b`, encodeMessage('no reply'), { headers: fieldsOf({ 'Engram-Left-Ms': '5000' }) })
  for (const left of ['0', '-1', '', 'soon'])
    foreign.publish(`${DOOR}.b`, encodeMessage(left), { reply, headers: fieldsOf({ 'Engram-Left-Ms': left }) })
  foreign.publish(`${DOOR}.b`, encodeMessage('no time'), { reply })
  foreign.publish(`${DOOR}.b`, encodeMessage('sound'), { reply, headers: fieldsOf({ 'Engram-Left-Ms': '5000' }) })
  await until(() => handed.length > 0)
  t.same(handed, ['sound'])
  t.same(nodes.lines, [])
})

t.test('a request is answered for a minute at most, however long its sender says that it waits', async (t) => {
  const { nodes, foreign } = await start(t)
  const clock = createManualClock()
  const bus = await nodes.open('a', { clock })
  const answers: ((value: string) => void)[] = []
  bus.serve(DOOR, () => new Promise((resolve) => answers.push(resolve)))
  await bus.check()
  const came: string[] = []
  foreign.subscribe('_INBOX.b.a.*', { callback: (_, { subject }) => void came.push(subject) })
  const ask = async (token: string) => {
    foreign.publish(`${DOOR}.b`, encodeMessage(1), { reply: `_INBOX.b.a.${token}`, headers: fieldsOf({ 'Engram-Left-Ms': '9e9' }) })
    const before = answers.length
    await until(() => answers.length > before)
  }
  await ask('late')
  await clock.advance(1)
  await ask('in-time')
  await clock.advance(59_999)
  for (const answer of answers) answer('answered')
  await until(() => came.length > 0)
  await foreign.flush()
  t.same(came, ['_INBOX.b.a.in-time'])
})

t.test('a request whose time passes while it is read is not handed over', async (t) => {
  const { nodes, foreign } = await start(t)
  const system = createSystemClock()
  let looks = 0
  // Each look at it takes a while, so that long lists are read with pauses.
  const bus = await nodes.open('a', { clock: { ...system, monotonicMs: () => system.monotonicMs() + 5 * looks++ } })
  const handed: unknown[] = []
  bus.serve(DOOR, async (body) => handed.push((body as readonly { name: string }[])[0]?.name))
  await bus.check()
  const ask = (name: string, leftMs: string) => {
    const divided = divide(Array.from({ length: 3_200 }, () => ({ name })))
    if (divided === null) throw new Error('It is not long')
    const fields = fieldsOf({ 'Engram-Left-Ms': leftMs, 'Engram-Divided': '1' })
    foreign.publish(`${DOOR}.b`, inOneGo(packDivided(divided)), { reply: '_INBOX.b.a.token', headers: fields })
  }
  ask('in a hurry', '500')
  ask('patient', '50000')
  await until(() => handed.length > 0)
  t.same(handed, ['patient'])
})

t.test('a topic whose handler is gone can be served again, and who stops serving twice leaves the next handler alone', async (t) => {
  const { nodes } = await start(t)
  const [a, b] = [await nodes.open('a'), await nodes.open('b')]
  const stop = a.serve(DOOR, async () => 1)
  t.throws(() => a.serve(DOOR, async () => 2), { message: 'This topic is served already' })
  stop()
  a.serve(DOOR, async () => 3)
  stop()
  t.throws(() => a.serve(DOOR, async () => 4), { message: 'This topic is served already' })
  await a.check()
  t.equal(await b.request(DOOR, null, { deadlineMs: 5_000 }), 3)
})

t.test('an answer that cannot be read is an internal error, and a ticket that leads nowhere says nothing of the request', async (t) => {
  const { nodes, foreign } = await start(t)
  const bus = await nodes.open('b')
  const garbage = Buffer.from([0xd9, 0xff])
  const refusal = encodeMessage({ code: 'unreachable', message: 'Nobody answers here at the moment' })
  const ticket = encodeMessage({ id: 'x', process: 'gone', bytes: 8_192, partBytes: 4_096 })
  const answers: readonly (readonly [string, Uint8Array, Readonly<Record<string, string>>, string])[] = [
    ['garbage', garbage, {}, 'internal'],
    ['a divided message that is none', encodeMessage(1), { 'Engram-Divided': '1' }, 'internal'],
    ['a refusal that is none', encodeMessage('no'), { 'Engram-Form': 'refusal' }, 'internal'],
    ['a ticket that is none', encodeMessage(1), { 'Engram-Form': 'ticket' }, 'internal'],
    ['a refusal', refusal, { 'Engram-Form': 'refusal' }, 'unreachable'],
    ['a ticket for nothing', ticket, { 'Engram-Form': 'ticket' }, 'deadline_passed']
  ]
  let at = 0
  const asked: Msg[] = []
  foreign.subscribe(`${DOOR}.b`, {
    callback: (_, message) => {
      asked.push(message)
      const [, data, form] = answers[at++] ?? []
      message.respond(data, { headers: fieldsOf({ 'Engram-Door': DOOR, ...form }) })
    }
  })
  await foreign.flush()
  for (const [name, , , code] of answers) t.equal(await codeOf(bus.request(DOOR, 1, { deadlineMs: 1_000 })), code, name)
  const lefts = asked.map(({ headers: own }) => Number(own?.get('Engram-Left-Ms')))
  t.ok(
    lefts.every((left) => Number.isSafeInteger(left) && left > 0 && left <= 1_000),
    String(lefts)
  )
})
