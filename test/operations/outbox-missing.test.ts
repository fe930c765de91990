/** A node under `nats.conf` without `npm run nats:init`: it reports what is missing, and works. */
import { randomUUID } from 'node:crypto'
import { connect } from 'nats'
import t from 'tap'
import { createNatsBus } from '../../src/bus/nats/bus.js'
import { setUpOutbox } from '../../src/bus/nats/outbox-setup.js'
import { createSystemClock } from '../../src/platform/clock.js'
import type { Logger } from '../../src/ports.js'
import { createLocalProcesses } from '../../src/tools/local-processes.js'
import { startNats } from '../../src/tools/local-servers.js'
import { allNeed } from '../support/needs.js'
import { until } from '../support/until.js'

const NODES = ['n1', 'n2', 'n3']
const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }
const processes = createLocalProcesses(() => undefined)
t.teardown(() => processes.stopAll())

allNeed(t, 'nats-server')
t.test('a node whose stream nobody has made says so when it starts, works, and is content once it is made', async (t) => {
  const passwords = Object.fromEntries(NODES.map((nodeId) => [nodeId, `p${randomUUID()}`]))
  const initPassword = `p${randomUUID()}`
  const urlOf = await startNats({ processes, folder: t.testdir(), env: process.env }, passwords, initPassword)
  const { host } = new URL(urlOf('n3'))
  const init = await connect({ servers: host, user: 'init', pass: initPassword, inboxPrefix: '_INBOX.init' })
  await init.request('$JS.API.STREAM.DELETE.ENGRAM_OUTBOX_n3')
  await init.close()

  const errors: { readonly fields: object; readonly message: string }[] = []
  const logger: Logger = { ...SILENT, error: (fields, message) => void errors.push({ fields, message }) }
  const bus = await createNatsBus({ url: urlOf('n3'), name: 'n3', clock: createSystemClock(), logger })
  t.teardown(() => bus.close())
  const bodies: unknown[] = []
  bus.outbox.take(async (body) => bodies.push(body) > 0)
  await until(() => errors.length > 0)
  t.match(errors, [
    { message: 'Outbox messages for this node cannot be kept', fields: { problem: /stream ENGRAM_OUTBOX_n3 .*npm run nats:init -- n3/ } }
  ])

  await setUpOutbox({ url: `nats://init:${initPassword}@${host}`, nodes: NODES, clock: createSystemClock(), logger: SILENT })
  const other = await createNatsBus({ url: urlOf('n1'), name: 'n1', clock: createSystemClock(), logger })
  t.teardown(() => other.close())
  await other.outbox.append('n3', 'after the stream was made', 'an outbox message')
  await until(() => bodies.length > 0)
  t.strictSame(bodies, ['an outbox message'], 'and nothing that was asked is kept')
  t.equal(errors.length, 1)
})
