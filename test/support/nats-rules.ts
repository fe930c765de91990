/** The real `nats.conf` on a real server, with its users: three nodes and the operator. The node `n2` is hostile. */
import { randomUUID } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { connect, ErrorCode, Events, type NatsConnection, type Status } from 'nats'
import type { Test } from 'tap'
import { createNatsBus } from '../../src/bus/nats/bus.js'
import { createSystemClock } from '../../src/platform/clock.js'
import type { Logger, NodeBus } from '../../src/ports.js'
import { createLocalProcesses } from '../../src/tools/local-processes.js'
import { startNats } from '../../src/tools/local-servers.js'

export const NODES = ['n1', 'n2', 'n3']
/** Stream of the attacked node. */
export const STREAM = 'ENGRAM_OUTBOX_n3'
export const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Starts a server, and opens connections to it until the test ends. */
export async function startNatsRules(t: Test) {
  const processes = createLocalProcesses(() => undefined)
  t.teardown(() => processes.stopAll())
  const passwords = Object.fromEntries(NODES.map((nodeId) => [nodeId, `p${randomUUID()}`]))
  const initPassword = `p${randomUUID()}`
  const urlOf = await startNats({ processes, folder: t.testdir(), env: process.env }, passwords, initPassword)
  const { port, hostname } = new URL(urlOf('n1'))

  async function open(user: string, pass = user === 'init' ? initPassword : (passwords[user] ?? '')): Promise<NatsConnection> {
    const link = await connect({ servers: `${hostname}:${port}`, user, pass, inboxPrefix: `_INBOX.${user}`, reconnect: false })
    t.teardown(() => link.close())
    return link
  }

  async function openBus(t: Test, name: string): Promise<NodeBus> {
    const bus = await createNatsBus({ url: urlOf(name), name, clock: createSystemClock(), logger: SILENT })
    t.teardown(() => bus.close())
    return bus
  }

  const [n1, n2, init] = await Promise.all([open('n1'), open('n2'), open('init')])
  return { n1, n2, init, open, openBus, hostname, port, operatorUrl: `nats://init:${initPassword}@${hostname}:${port}` }
}

export type NatsRules = Awaited<ReturnType<typeof startNatsRules>>

/** Whether the server allows the action; it reports only refusals. */
export async function isAllowed(link: NatsConnection, action: () => void): Promise<boolean> {
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
  // The client reports what it has read in the next iteration of the event loop.
  await yieldToEventLoop()
  return !isRefused
}

export const canPublish = (link: NatsConnection, topic: string) => isAllowed(link, () => link.publish(topic))
export const canSubscribe = (link: NatsConnection, topic: string) =>
  isAllowed(link, () => link.subscribe(topic, { callback: () => undefined }))

export interface Answer {
  readonly error?: object
  readonly state?: { readonly messages: number }
  readonly config?: object
}

/** Calls JetStream in the account of the outbox messages, as the operator. */
export async function operate(init: NatsConnection, topic: string, body: object | '' = ''): Promise<Answer> {
  return JSON.parse((await init.request(`$JS.API.${topic}`, body === '' ? '' : JSON.stringify(body))).string()) as Answer
}
