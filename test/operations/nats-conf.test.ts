/** `nats.conf` as it is, on a real server: what a node may do under its name, and what it is refused. */
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { connect, ErrorCode, Events, type NatsConnection, type Status } from 'nats'
import t from 'tap'
import { createNatsBus } from '../../src/bus/nats/bus.js'
import { createLocalProcesses } from '../../src/local-processes.js'
import { startNats } from '../../src/local-servers.js'
import { createSystemClock } from '../../src/platform/clock.js'
import type { Logger, NodeBus } from '../../src/ports.js'

const NODES = ['n1', 'n2', 'n3']
const STREAM = { name: 'ENGRAM_LETTERS', subjects: ['engram.letters'] }
const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

const processes = createLocalProcesses(() => undefined)
t.teardown(() => processes.stopAll())
const passwords = Object.fromEntries(NODES.map((nodeId) => [nodeId, `p${randomUUID()}`]))
const urlOf = await startNats({ processes, folder: t.testdir(), env: process.env }, passwords)
const { port, hostname } = new URL(urlOf('n1'))

async function open(nodeId: string, pass = passwords[nodeId] ?? ''): Promise<NatsConnection> {
  const link = await connect({ servers: `${hostname}:${port}`, user: nodeId, pass, inboxPrefix: `_INBOX_${nodeId}`, reconnect: false })
  t.teardown(() => link.close())
  return link
}

async function openBus(nodeId: string): Promise<NodeBus> {
  const bus = await createNatsBus({ url: urlOf(nodeId), name: nodeId, inboxPrefix: `_INBOX_${nodeId}`, clock: createSystemClock(), logger: SILENT })
  t.teardown(() => bus.close())
  return bus
}

const [n1, n2] = await Promise.all([open('n1'), open('n2')])

/** Whether the server let the action pass; it says so only when it did not. */
async function isAllowed(link: NatsConnection, action: () => void): Promise<boolean> {
  let isRefused = false
  const statuses = link.status()[Symbol.asyncIterator]()
  const watch = async (): Promise<void> => {
    const { value } = (await statuses.next()) as IteratorYieldResult<Status>
    isRefused ||= value.type === Events.Error && value.data === ErrorCode.PermissionsViolation
    return watch()
  }
  void watch()
  action()
  await link.flush()
  // The client tells of what it has read in its next turn.
  await nextTurn()
  return !isRefused
}

const canPublish = (link: NatsConnection, topic: string) => isAllowed(link, () => link.publish(topic))
const canSubscribe = (link: NatsConnection, topic: string) => isAllowed(link, () => link.subscribe(topic, { callback: () => undefined }))

async function askJetStream(link: NatsConnection, topic: string): Promise<unknown> {
  return JSON.parse((await link.request(`$JS.API.${topic}`)).string())
}

t.test('a node, says that it is there, under its own name only', async (t) => {
  t.ok(await canPublish(n1, 'engram.members.n1'))
  t.notOk(await canPublish(n1, 'engram.members.n2'))
  t.ok(await canSubscribe(n1, 'engram.members.*'))
})

t.test('a node, asks any other, and hears only what is sent to itself', async (t) => {
  n2.subscribe('engram.nodes.n2.first.asks', { callback: (_, message) => void message.respond('answered') })
  await n2.flush()
  t.equal((await n1.request('engram.nodes.n2.first.asks', 'asked')).string(), 'answered')
  t.ok(await canPublish(n1, 'engram.nodes.n2.first.queries'))
  t.ok(await canSubscribe(n1, 'engram.nodes.n1.first.asks'))
  t.notOk(await canSubscribe(n1, 'engram.nodes.n2.first.asks'))
  t.notOk(await canSubscribe(n1, 'engram.nodes.*.first.asks'))
  t.notOk(await canSubscribe(n1, 'engram.>'))
})

t.test('a node, reads answers in its own inbox, in no other and in none that all share', async (t) => {
  t.ok(await canSubscribe(n1, '_INBOX_n1.one'))
  t.ok(await canPublish(n1, '_INBOX_n2.one'), 'where it answers')
  t.notOk(await canSubscribe(n1, '_INBOX_n2.>'))
  t.notOk(await canSubscribe(n1, '_INBOX.>'))
  t.notOk(await canSubscribe(n1, '>'))
})

t.test('two nodes on their buses, ask each other what does not fit into a message, and hand letters on', async (t) => {
  const [one, two] = await Promise.all([openBus('n1'), openBus('n2')])
  const large = 'x'.repeat(3_000_000)
  two.serve('engram.nodes.n2.second.asks', async (body) => ({ again: body }))
  await two.check()
  t.strictSame(await one.request('engram.nodes.n2.second.asks', large, { deadlineMs: 20_000 }), { again: large })
  await Promise.all([one, two].map((bus, index) => bus.letters.append(`letter ${index}`, { index })))
  const delivered = new Set<unknown>()
  await new Promise<void>((resolve) => {
    two.letters.take(async (letter) => {
      if (delivered.add((letter as { index: number }).index).size === 2) resolve()
      return true
    })
  })
  t.strictSame([...delivered].sort(), [0, 1])
})

t.test('every node, finds the stream of letters and its one consumer', async (t) => {
  for (const link of [n1, n2]) {
    t.match(await askJetStream(link, 'INFO'), { streams: 1, consumers: 1 })
    t.match(await askJetStream(link, 'STREAM.INFO.ENGRAM_LETTERS'), { config: STREAM })
    t.match(await askJetStream(link, 'CONSUMER.INFO.ENGRAM_LETTERS.relay'), { name: 'relay' })
  }
})

t.test('no node, deletes or empties the stream, looks into it, or makes another one', async (t) => {
  const refused = ['STREAM.DELETE.ENGRAM_LETTERS', 'STREAM.PURGE.ENGRAM_LETTERS', 'STREAM.MSG.GET.ENGRAM_LETTERS', 'STREAM.CREATE.OTHER', 'STREAM.NAMES']
  for (const topic of refused) t.notOk(await canPublish(n1, `$JS.API.${topic}`), topic)
  t.notOk(await canPublish(n1, '$JS.API.CONSUMER.DELETE.ENGRAM_LETTERS.relay'))
  t.notOk(await canPublish(n1, '$JS.API.CONSUMER.DURABLE.CREATE.ENGRAM_LETTERS.other'))
  t.notOk(await canSubscribe(n1, 'engram.letters'))
})

t.test('a stranger, without a password or with a wrong one, is not let in; nobody sees the events of the server', async (t) => {
  await t.rejects(open('n1', 'wrong'), { code: ErrorCode.AuthorizationViolation })
  await t.rejects(connect({ servers: `${hostname}:${port}`, reconnect: false }), { code: ErrorCode.AuthorizationViolation })
  t.notOk(await canSubscribe(n1, '$SYS.>'))
})
