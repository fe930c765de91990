/**
 * Two nodes of the service under `nats.conf`, and an attacker with the credentials of a third: neither node crashes, is cut off or misled.
 */
import { randomUUID } from 'node:crypto'
import { connect, headers, type NatsConnection } from 'nats'
import t, { type Test } from 'tap'
import { decodeMessage, encodeMessage } from '../../src/bus/message-codec.js'
import { readConfig } from '../../src/config.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { createService, type Service } from '../../src/service.js'
import { createLocalProcesses } from '../../src/tools/local-processes.js'
import { startNats } from '../../src/tools/local-servers.js'
import { allNeed } from '../support/needs.js'
import { until } from '../support/until.js'

const NODES = ['n1', 'n2', 'n3']
const ENV = {
  SERVICE_ALLOW_ANONYMOUS: '1',
  SERVICE_EMBEDDER: 'lexical',
  SERVICE_RATE_LIMIT_PER_MINUTE: '0',
  SERVICE_LOG_LEVEL: 'fatal',
  SERVICE_CLUSTER_MEMORY: '1'
}

const processes = createLocalProcesses(() => undefined)
const passwords = Object.fromEntries(NODES.map((nodeId) => [nodeId, `p${randomUUID()}`]))
let failures = 0
const start = async (nodeId: string, natsUrl: string) => {
  const service = await createService(readConfig({ ...ENV, NATS_URL: natsUrl, SERVICE_NODE_ID: nodeId }), { failed: () => (failures += 1) })
  await service.start()
  return service
}
let n1: Service
let n2: NatsConnection
let n3: Service

/** The last heartbeat of each node. */
const heard = new Map<string, { readonly incarnation: string; readonly state: string; readonly body: Uint8Array }>()

allNeed(t, 'nats-server')
t.before(async () => {
  const urlOf = await startNats({ processes, folder: t.testdir(), env: process.env }, passwords)
  n1 = await start('n1', urlOf('n1'))
  n3 = await start('n3', urlOf('n3'))
  n2 = await connect({
    servers: new URL(urlOf('n2')).host,
    user: 'n2',
    pass: passwords['n2'] ?? '',
    inboxPrefix: '_INBOX.n2',
    reconnect: false
  })
  for (const nodeId of ['n1', 'n3']) {
    n2.subscribe(`engram.members.${nodeId}`, {
      callback: (_, { data }) => void heard.set(nodeId, { ...(decodeMessage(data) as { incarnation: string; state: string }), body: data })
    })
  }
  await until(() => heard.has('n1') && heard.has('n3'))
})
t.teardown(async () => {
  await n2.close()
  await Promise.all([n1.close(), n3.close()])
  await processes.stopAll()
})

const incarnations = () => ['n1', 'n3'].map((nodeId) => heard.get(nodeId)?.incarnation ?? '')
const asked = headers()
asked.set('Engram-Left-Ms', '2000')

let session = 0
/** Checks that a write through each node can be read through the other. */
async function checkWorking(t: Test): Promise<void> {
  for (const [one, other] of [
    [n1, n3],
    [n3, n1]
  ] as const) {
    const id = `s${++session}`
    const written = await one.http.inject({
      method: 'POST',
      url: '/v1/run',
      payload: { session_id: id, message: 'The goats graze by the river' }
    })
    const read = await other.http.inject({ method: 'GET', url: `/v1/state/context?session_id=${id}` })
    t.equal(written.statusCode, 200, written.body)
    t.equal(read.statusCode, 200, read.body)
    t.match(read.body, 'goats')
  }
}

const pause = (delayMs: number) => new Promise<void>((resolve) => createSystemClock().after(delayMs, resolve))

t.test('heartbeats and departures of others are believed of nobody, also such as were heard before', async (t) => {
  const before = incarnations()
  for (const nodeId of ['n1', 'n3']) {
    for (const state of ['joining', 'up', 'left', 'isolated', 'draining', 'superseded']) {
      for (const incarnation of [randomUUID(), heard.get(nodeId)?.incarnation]) {
        const body = encodeMessage({ nodeId, incarnation, state, activeSessions: 0, beatMs: 0, view: '' })
        n2.publish('engram.members.n2', body)
        n2.publish(`engram.members.${nodeId}`, body)
      }
    }
    n2.publish('engram.members.n2', heard.get(nodeId)?.body)
  }
  await n2.flush()
  await pause(1_000)
  t.strictSame(incarnations(), before)
  t.equal(failures, 0)
  await checkWorking(t)
})

t.test('what no node says harms neither at any place where a node listens', async (t) => {
  const deep = Buffer.concat([Buffer.alloc(100_000, 0x91), Buffer.from([0xc0])])
  const claims = Buffer.concat(Array.from({ length: 2_000 }, () => Buffer.from([0xdd, 0x01, 0xff, 0xff, 0xff])))
  const tricks = [
    Buffer.alloc(0),
    Buffer.from([0xc1]),
    Buffer.from('{"type":"node.ping"}'),
    deep,
    claims,
    Buffer.from([0xdf, 0xff, 0xff, 0xff, 0xff]),
    Buffer.alloc(900_000, 0xff),
    // __proto__ as a key; an error, a regular expression and a pointer of msgpackr's; a record that was never defined.
    Buffer.from([0x81, 0xa9, ...Buffer.from('__proto__'), 0x81, 0xa4, ...Buffer.from('type'), 0xa1, 0x78]),
    Buffer.from([0xd4, 0x65, 0x00, 0x92, 0xa4, ...Buffer.from('eval'), 0xa1, 0x31]),
    Buffer.from([0xd4, 0x78, 0x00, 0x92, 0xa1, 0x28, 0xa0]),
    Buffer.from([0xd6, 0x70, 0, 0, 0, 9]),
    Buffer.from([0x45]),
    ...[
      null,
      7,
      'text',
      [],
      {},
      { envelope: null },
      { type: 'record.take' },
      { type: '__proto__' },
      { id: '../x', process: 'a.b', bytes: 1e9, partBytes: 1 }
    ].map((body) => encodeMessage(body))
  ]
  const before = incarnations()
  for (const [at, nodeId] of ['n1', 'n3'].entries()) {
    for (const data of tricks) {
      for (const door of ['asks', 'queries', 'parts', 'counts']) {
        for (const form of ['', 'ticket', 'refusal']) {
          const fields = headers()
          fields.set('Engram-Left-Ms', '1e308')
          if (form !== '') fields.set('Engram-Form', form)
          n2.publish(`engram.nodes.${nodeId}.${before[at] ?? ''}.${door}.n2`, data, { headers: fields, reply: `_INBOX.n2.${nodeId}.token` })
        }
      }
      n2.publish('engram.members.n2', data)
      n2.publish(`engram.outbox.${nodeId}.n2`, data)
      n2.publish(`_INBOX.${nodeId}.n2.token`, data)
    }
    await n2.flush()
  }
  await pause(1_000)
  t.strictSame(incarnations(), before)
  t.equal(failures, 0)
  await checkWorking(t)
})

t.test('commands that make actors fail end those actors only, however many come', async (t) => {
  const before = incarnations()
  const commands = [
    { type: 'session.run' },
    { type: 'session.create', dimension: {} },
    { type: 'no.such' },
    { type: '__proto__' },
    { type: 'session.import', document: 7 },
    { type: 'network.transfer' }
  ]
  for (const [at, nodeId] of ['n1', 'n3'].entries()) {
    for (let number = 0; number < 200; number++) {
      const kind = ['session', 'cluster', 'region', 'observer', 'network'][number % 5]
      const envelope = {
        address: { kind, subject: 'anonymous', id: `h${number}` },
        command: commands[number % commands.length],
        requestId: randomUUID(),
        deadlineMs: 2_000,
        isInner: true
      }
      n2.publish(
        `engram.nodes.${nodeId}.${before[at] ?? ''}.asks.n2`,
        encodeMessage({ envelope, to: before[at] ?? '', beatMs: 0, hop: 1 }),
        { headers: asked, reply: `_INBOX.n2.${nodeId}.token` }
      )
    }
  }
  await n2.flush()
  await pause(2_000)
  t.strictSame(incarnations(), before)
  t.equal(failures, 0)
  await checkWorking(t)
})

t.test('a record is handed to the node that owns it, and not to another that asks for it', async (t) => {
  const answers: string[] = []
  n2.subscribe('_INBOX.n2.*.*', {
    callback: (_, { headers: fields, data }) =>
      void answers.push(fields?.get('Engram-Form') === 'refusal' ? (decodeMessage(data) as { code: string }).code : 'given')
  })
  const before = incarnations()
  for (let number = 1; number <= session; number++) {
    for (const [at, nodeId] of ['n1', 'n3'].entries()) {
      const body = encodeMessage({ type: 'record.take', address: { kind: 'session', subject: 'anonymous', id: `s${number}` } })
      n2.publish(`engram.nodes.${nodeId}.${before[at] ?? ''}.queries.n2`, body, { headers: asked, reply: `_INBOX.n2.${nodeId}.token` })
    }
  }
  await until(() => answers.length === 2 * session)
  t.strictSame([...new Set(answers)], ['not_owner'])
  for (let number = 1; number <= session; number++) {
    t.equal((await n1.http.inject({ method: 'GET', url: `/v1/state/context?session_id=s${number}` })).statusCode, 200)
  }
})
