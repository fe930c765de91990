/** The shipped `nats.conf` on a real server: strangers, oversized messages, events of the server, and the operator's user. */
import { connect, ErrorCode, type NatsConnection } from 'nats'
import t from 'tap'
import { setUpOutbox } from '../../src/bus/nats/outbox-setup.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { canPublish, canSubscribe, type NatsRules, NODES, operate, SILENT, startNatsRules, STREAM } from '../support/nats-rules.js'
import { allNeed } from '../support/needs.js'

let rules: NatsRules
let n1: NatsConnection
let n2: NatsConnection
let init: NatsConnection

allNeed(t, 'nats-server')
t.before(async () => {
  rules = await startNatsRules(t)
  ;({ n1, n2, init } = rules)
})

t.test('nobody sees the events of the server or of JetStream, and a node answers for no service of it', async (t) => {
  for (const link of [n2, init]) {
    for (const topic of [
      '$SYS.>',
      '$SYS.REQ.SERVER.PING',
      '$JS.EVENT.>',
      '$JS.EVENT.ADVISORY.>',
      '$JS.API.>',
      '$JS.>',
      '_R_.>',
      '_GR_.>',
      '$KV.>',
      '$O.>',
      '$SRV.>'
    ]) {
      t.notOk(await canSubscribe(link, topic), topic)
    }
    for (const topic of [
      '$SYS.REQ.SERVER.PING',
      '$SYS.REQ.ACCOUNT.PING',
      '$SYS.REQ.ACCOUNT.ENGRAM.CLAIMS.UPDATE',
      '$SYS.REQ.USER.INFO',
      '$KV.bucket.key',
      '$O.bucket.C.x',
      '_R_.any'
    ]) {
      t.notOk(await canPublish(link, topic), topic)
    }
  }
})

t.test('a stranger without a password or with a wrong one is not let in', async (t) => {
  await t.rejects(rules.open('n1', 'wrong'), { code: ErrorCode.AuthorizationViolation })
  await t.rejects(rules.open('init', 'wrong'), { code: ErrorCode.AuthorizationViolation })
  await t.rejects(connect({ servers: `${rules.hostname}:${rules.port}`, reconnect: false }), { code: ErrorCode.AuthorizationViolation })
})

t.test('a message larger than the server takes ends the connection of its sender alone', async (t) => {
  const hostile = await rules.open('n2')
  // The client would refuse it itself.
  Object.assign((hostile.info ?? {}) as object, { max_payload: 2 ** 30 })
  hostile.publish('engram.members.n2', new Uint8Array(2_000_000))
  await hostile.closed()
  await n1.flush()
  t.notOk(n1.isClosed())
})

t.test('the operator’s user makes the streams anew, and neither speaks to nodes nor takes outbox messages from them', async (t) => {
  await setUpOutbox({ url: rules.operatorUrl, nodes: NODES, clock: createSystemClock(), logger: SILENT })
  t.match(await operate(init, `STREAM.INFO.${STREAM}`), {
    config: { name: STREAM, subjects: ['engram.outbox.n3.*'] },
    state: { consumer_count: 1 }
  })
  for (const topic of [
    'engram.members.n1',
    'engram.outbox.n1.n2',
    'engram.nodes.n1.first.asks.init',
    `$JS.API.STREAM.PURGE.${STREAM}`,
    `$JS.API.STREAM.MSG.GET.${STREAM}`,
    `$JS.API.CONSUMER.MSG.NEXT.${STREAM}.node`,
    `$JS.ACK.${STREAM}.node.1.1.1.1.0`
  ]) {
    t.notOk(await canPublish(init, topic), topic)
  }
  t.notOk(await canSubscribe(init, 'engram.>'))
})
