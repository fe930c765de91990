/** The shipped `nats.conf` on a real server: what a node may do under its name, and everything that it is refused. */
import { headers, type Msg, type NatsConnection } from 'nats'
import t, { type Test } from 'tap'
import { canPublish, canSubscribe, isAllowed, type NatsRules, operate, startNatsRules, STREAM } from '../support/nats-rules.js'
import { allNeed } from '../support/needs.js'
import { until } from '../support/until.js'

const OWN_STREAM = 'ENGRAM_OUTBOX_n2'
/** Connections of the nodes; the hostile one has the credentials of `n2`. */
let n1: NatsConnection
let n2: NatsConnection
let init: NatsConnection
let openBus: NatsRules['openBus']

allNeed(t, 'nats-server')
t.before(async () => {
  ;({ n1, n2, init, openBus } = await startNatsRules(t))
})

const messagesKept = async () => (await operate(init, `STREAM.INFO.${STREAM}`)).state?.messages

/** Receives and acknowledges everything sent to `node` so far. */
async function deliverAll(t: Test, node: string, count: number): Promise<unknown[]> {
  const bus = await openBus(t, node)
  const bodies: unknown[] = []
  bus.outbox.take(async (body) => bodies.push(body) > 0)
  await until(() => bodies.length >= count)
  await bus.check()
  await bus.close()
  return bodies
}

t.test('a node says that it is there, under its own name only', async (t) => {
  t.ok(await canPublish(n2, 'engram.members.n2'))
  for (const name of ['n1', 'n3', 'n4', '*', '>']) t.notOk(await canPublish(n2, `engram.members.${name}`), name)
  t.ok(await canSubscribe(n2, 'engram.members.*'))
})

t.test('a node knocks at any door as itself, and at none as another', async (t) => {
  for (const door of ['asks', 'queries', 'parts']) {
    t.ok(await canPublish(n2, `engram.nodes.n1.first.${door}.n2`), door)
    t.notOk(await canPublish(n2, `engram.nodes.n1.first.${door}.n3`), door)
    t.notOk(await canPublish(n2, `engram.nodes.n1.first.${door}`), door)
  }
})

t.test('a node hears what comes to its own doors, and nothing that is sent to another', async (t) => {
  t.ok(await canSubscribe(n2, 'engram.nodes.n2.first.asks.*'))
  t.ok(await canSubscribe(n2, 'engram.nodes.n2.outbox'))
  const others = [
    'engram.nodes.n1.first.asks.*',
    'engram.nodes.*.first.asks.*',
    'engram.nodes.n1.outbox',
    'engram.nodes.*.outbox',
    'engram.>',
    '>',
    '*.>'
  ]
  for (const topic of others) t.notOk(await canSubscribe(n2, topic), topic)
  t.notOk(await isAllowed(n2, () => n2.subscribe('engram.nodes.n1.first.asks.*', { queue: 'n1', callback: () => undefined })), 'in a queue')
})

t.test('a node reads answers to itself, and writes answers of its own', async (t) => {
  t.ok(await canSubscribe(n2, '_INBOX.n2.*.*'))
  for (const topic of ['_INBOX.n1.*.*', '_INBOX.n1.n2.*', '_INBOX.*.n2.*', '_INBOX.>']) t.notOk(await canSubscribe(n2, topic), topic)
  t.ok(await canPublish(n2, '_INBOX.n1.n2.token'))
  t.notOk(await canPublish(n2, '_INBOX.n1.n3.token'), 'in the place of another')
  t.notOk(await canPublish(n2, '_INBOX.n1.$JS.token'), 'in the place of the server')
  t.notOk(await canPublish(n2, '_INBOX.n2.n1.token'), 'in the place of another, to itself')
})

t.test('a node that is asked cannot answer another ask, nor for another node, nor a second time', async (t) => {
  const bus = await openBus(t, 'n1')
  const replies: Msg[] = []
  n2.subscribe('engram.nodes.n2.first.asks.*', { callback: (_, message) => replies.push(message) })
  const n3 = await openBus(t, 'n3')
  let answer: (value: string) => void = () => undefined
  n3.serve('engram.nodes.n3.first.asks', () => new Promise((resolve) => (answer = resolve)))
  await Promise.all([n2.flush(), n3.check()])
  const asked = [1, 2].map((body) => bus.request('engram.nodes.n2.first.asks', body, { deadlineMs: 1_000 }))
  const other = bus.request('engram.nodes.n3.first.asks', 3, { deadlineMs: 5_000 })
  await until(() => replies.length === 2)
  const tokens = replies.map(({ reply = '' }) => reply.split('.')[3] ?? '')
  t.not(tokens[0], tokens[1])
  for (const token of tokens) t.equal(Buffer.from(token, 'base64url').length, 16, '128 bits')
  const door = headers()
  door.set('Engram-Door', 'engram.nodes.n3.first.asks')
  for (const token of tokens) {
    t.notOk(await isAllowed(n2, () => n2.publish(`_INBOX.n1.n3.${token}`, 'forged', { headers: door })))
    // Under its own name, for a door that is not the one that was asked.
    n2.publish(`_INBOX.n1.n2.${token}`, Buffer.from([0xa6, ...Buffer.from('forged')]), { headers: door })
  }
  await n2.flush()
  answer('n3 itself')
  t.equal(await other, 'n3 itself')
  const outcomes = await Promise.allSettled(asked)
  t.match(outcomes, [{ reason: { code: 'deadline_passed' } }, { reason: { code: 'deadline_passed' } }])
})

t.test('a node that names the inbox of another in its ask is not answered at all', async (t) => {
  const bus = await openBus(t, 'n3')
  let handed = 0
  bus.serve('engram.nodes.n3.second.asks', async () => (handed += 1))
  const heard: string[] = []
  n1.subscribe('_INBOX.n1.>', { callback: (_, { subject }) => heard.push(subject) })
  await Promise.all([bus.check(), n1.flush()])
  const fields = headers()
  fields.set('Engram-Left-Ms', '1000')
  for (const reply of ['_INBOX.n1.n3.token', '_INBOX.n2.n1.token', 'engram.members.n3', '$JS.API.INFO', '_INBOX.n2.n3.a.b']) {
    n2.publish('engram.nodes.n3.second.asks.n2', Buffer.from([1]), { headers: fields, reply })
  }
  await n2.flush()
  await bus.check()
  t.equal(handed, 0)
  t.strictSame(heard, [])
})

t.test('two nodes on their buses ask each other what does not fit into a message', async (t) => {
  const [one, two] = await Promise.all([openBus(t, 'n1'), openBus(t, 'n2')])
  const large = 'x'.repeat(3_000_000)
  two.serve('engram.nodes.n2.third.asks', async (body) => ({ again: body }))
  await two.check()
  t.strictSame(await one.request('engram.nodes.n2.third.asks', large, { deadlineMs: 20_000 }), { again: large })
  await t.rejects(
    one.request('engram.nodes.n3.nobody.asks', 1, { deadlineMs: 20_000 }),
    { code: 'unreachable' },
    'nobody there: said at once'
  )
})

t.test('an outbox message comes to the node that it is for, from the one that wrote it', async (t) => {
  const one = await openBus(t, 'n1')
  await one.outbox.append('n3', 'an outbox message', { number: 1 })
  t.equal(await messagesKept(), 1)
  t.strictSame(await deliverAll(t, 'n3', 1), [{ number: 1 }])
  t.equal(await messagesKept(), 0)
  t.ok(await canPublish(n2, 'engram.outbox.n1.n2'))
  t.notOk(await canPublish(n2, 'engram.outbox.n1.n3'), 'in the name of another')
  t.notOk(await canSubscribe(n2, 'engram.outbox.*.*'))
  t.notOk(await canSubscribe(n2, 'engram.outbox.n1.n3'))
})

t.test('a node manages neither the stream nor a consumer, and looks into neither', async (t) => {
  const calls = [
    ...['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'MSG.GET', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE', 'PEER.REMOVE', 'LEADER.STEPDOWN'].flatMap(
      (call) => [`STREAM.${call}.${STREAM}`, `STREAM.${call}.${OWN_STREAM}`]
    ),
    ...[
      'STREAM.CREATE.OTHER',
      'STREAM.CREATE.KV_OTHER',
      'STREAM.CREATE.OBJ_OTHER',
      'STREAM.NAMES',
      'STREAM.LIST',
      'STREAM.TEMPLATE.CREATE.OTHER',
      'INFO',
      'ACCOUNT.PURGE.ENGRAM',
      'SERVER.REMOVE'
    ],
    ...['DURABLE.CREATE', 'CREATE', 'DELETE', 'INFO', 'MSG.NEXT', 'LEADER.STEPDOWN'].flatMap((call) => [
      `CONSUMER.${call}.${STREAM}.node`,
      `CONSUMER.${call}.${OWN_STREAM}.node`,
      `CONSUMER.${call}.${OWN_STREAM}.other`
    ]),
    ...[
      `CONSUMER.CREATE.${STREAM}`,
      `STREAM.INFO.${STREAM}`,
      `CONSUMER.CREATE.${STREAM}.n2.engram.outbox.>`,
      `CONSUMER.NAMES.${STREAM}`,
      `CONSUMER.LIST.${STREAM}`,
      `DIRECT.GET.${STREAM}`
    ]
  ]
  for (const call of calls) t.notOk(await canPublish(n2, `$JS.API.${call}`), call)
  t.match(JSON.parse((await n2.request(`$JS.API.STREAM.INFO.${OWN_STREAM}`)).string()), {
    error: { description: 'JetStream not enabled for account' }
  })
})

t.test('a node settles its own outbox messages only, also by guessing what others were handed', async (t) => {
  const one = await openBus(t, 'n1')
  await one.outbox.append('n3', 'guarded', 'guarded')
  const n3 = await openBus(t, 'n3')
  let finish: (isDone: boolean) => void = () => undefined
  let isSettled = false
  const handed = new Promise<void>((resolve) => {
    n3.outbox.take(() => {
      resolve()
      return new Promise((done) => (finish = done))
    })
  })
  await handed
  t.ok(await canPublish(n2, `$JS.ACK.${OWN_STREAM}.node.1.1.1.1.0`))
  for (let sequence = 1; sequence <= 20; sequence++) {
    t.notOk(await canPublish(n2, `$JS.ACK.${STREAM}.node.1.${sequence}.${sequence}.1.0`))
    n2.publish(`$JS.ACK.${OWN_STREAM}.node.1.${sequence}.${sequence}.1.0`, '+ACK')
  }
  await n2.flush()
  t.equal(await messagesKept(), 1)
  finish(true)
  await until(
    () => isSettled,
    async () => (isSettled = (await messagesKept()) === 0)
  )
})

t.test('a node that lets the server answer to a name of its choice reaches neither the stream nor anybody’s answers by it', async (t) => {
  const [one, bystander] = await Promise.all([openBus(t, 'n1'), openBus(t, 'n3')])
  for (let number = 0; number < 5; number++) await one.outbox.append('n3', `kept ${number}`, number)
  const before = await messagesKept()
  const config = await operate(init, `STREAM.INFO.${STREAM}`)
  const heard: unknown[] = []
  bystander.subscribe('engram.members.*', (body) => heard.push(body))
  await bystander.check()
  const targets = [
    `$JS.API.STREAM.PURGE.${STREAM}`,
    `$JS.API.STREAM.DELETE.${STREAM}`,
    `$JS.API.STREAM.UPDATE.${STREAM}`,
    `$JS.API.CONSUMER.DELETE.${STREAM}.node`,
    'engram.members.n1',
    '_INBOX.n1.n3.token'
  ]
  for (const reply of targets) {
    for (const body of ['', '{}', JSON.stringify({ name: STREAM, subjects: ['>'] })]) {
      n2.publish('engram.outbox.n2.n2', body, { reply })
      n2.publish('engram.outbox.n3.n2', body, { reply })
      n2.publish(`$JS.API.STREAM.INFO.${OWN_STREAM}`, body, { reply })
      n2.publish(`$JS.ACK.${OWN_STREAM}.node.1.1.1.1.0`, `+NXT ${body}`, { reply })
    }
  }
  await n2.flush()
  t.notOk(
    await isAllowed(n2, () => n2.publish('engram.outbox.n2.n2', '', { reply: `$JS.ACK.${STREAM}.node.1.1.1.1.0` })),
    'nor settles another’s outbox message'
  )
  await bystander.check()
  t.strictSame(heard, [])
  t.ok(Number(await messagesKept()) >= Number(before))
  t.strictSame((await operate(init, `STREAM.INFO.${STREAM}`)).config, config.config)
  const bodies = await deliverAll(t, 'n3', 5)
  t.strictSame(bodies.filter((body) => typeof body === 'number').sort(), [0, 1, 2, 3, 4])
})
