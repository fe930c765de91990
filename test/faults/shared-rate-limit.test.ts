/**
 * Shared rate limit of two nodes while NATS is unavailable or one of them is cut off from it: each node counts by itself meanwhile, and
 * they share their counts again afterwards.
 */
import t, { type Test } from 'tap'
import { readConfig } from '../../src/config.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { createService, type Service } from '../../src/service.js'
import { type NatsServer, startNatsServer } from '../support/nats-server.js'
import { allNeed } from '../support/needs.js'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js'
import { until } from '../support/until.js'

const LIMIT = 30
/** Requests from one address that each node gets while it is alone: together above the limit, each by itself below it. */
const ALONE = 20
/** Milliseconds between requests: about the interval at which nodes share counts, so that few requests pass before both know. */
const PACE_MS = 250

const ENV = {
  SERVICE_ALLOW_ANONYMOUS: '1',
  SERVICE_EMBEDDER: 'lexical',
  SERVICE_RATE_LIMIT_PER_MINUTE: String(LIMIT),
  SERVICE_LOG_LEVEL: 'fatal',
  SERVICE_CLUSTER_MEMORY: '1'
}
const clock = createSystemClock()

interface Outage {
  begin(world: World): unknown
  end(world: World): unknown
  /** Fewest requests that the second node must let through. Default: ALONE. Fewer if it still hears the first one, which hears nothing. */
  readonly second?: number
}

interface World {
  readonly nats: NatsServer
  /** Proxy between the first node and NATS. */
  readonly line: TcpProxy
  readonly nodes: readonly [Service, Service]
}

const OUTAGES: Readonly<Record<string, Outage>> = {
  'the server of NATS is killed and started again': { begin: ({ nats }) => nats.kill(), end: ({ nats }) => nats.restart() },
  'a node is cut off from it': { begin: ({ line }) => line.stall(), end: ({ line }) => line.resume() },
  'a node hears nothing from it': { begin: ({ line }) => line.stall('to client'), end: ({ line }) => line.resume(), second: LIMIT - ALONE }
}

t.setTimeout(900_000)
allNeed(t, 'nats-server')

async function open(t: Test): Promise<World> {
  const nats = await startNatsServer()
  const line = await startTcpProxy(nats)
  const make = (nodeId: string, port: number) =>
    createService(readConfig({ ...ENV, NATS_URL: `nats://127.0.0.1:${String(port)}`, SERVICE_NODE_ID: nodeId }))
  const nodes = [await make('n1', line.port), await make('n2', nats.port)] as const
  t.teardown(async () => {
    line.resume()
    await Promise.all(nodes.map((node) => node.close()))
    await line.stop()
    await nats.stop()
  })
  for (const node of nodes) await node.start()
  return { nats, line, nodes }
}

const pause = () => new Promise<void>((resolve) => clock.after(PACE_MS, resolve))

/** Pauses first, because a cached answer would let no other work run between two calls. */
async function isReady({ http }: Service): Promise<boolean> {
  await pause()
  return (await http.inject({ url: '/v1/readyz' })).statusCode === 200
}

/** Whether the rate limit lets a request through, whatever the answer is then. */
const isLetIn = async ({ http }: Service, remoteAddress: string) =>
  (await http.inject({ url: '/v1/sessions', remoteAddress })).statusCode !== 429

/** Number of requests let through, of `count` concurrent ones. */
async function letIn(node: Service, address: string, count: number): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, () => isLetIn(node, address)))
  return answers.filter(Boolean).length
}

/** Sends requests until all of the nodes refuse. Resolves to the number let through. */
async function untilRefused(nodes: readonly Service[], address: string): Promise<number> {
  let passed = 0
  const refusing = new Set<Service>()
  await until(
    () => refusing.size === nodes.length,
    async () => {
      for (const node of nodes.filter((one) => !refusing.has(one))) {
        if (await isLetIn(node, address)) passed += 1
        else refusing.add(node)
      }
      await pause()
    }
  )
  return passed
}

for (const [name, { begin, end, second = ALONE }] of Object.entries(OUTAGES)) {
  t.test(`when ${name}, each node counts by itself meanwhile, without waiting, and for both again`, async (t) => {
    const world = await open(t)
    const [n1, n2] = world.nodes
    t.equal(await letIn(n1, '192.0.2.1', ALONE), ALONE)
    t.ok((await untilRefused(world.nodes, '192.0.2.1')) < LIMIT, 'one limit for both')

    await begin(world)
    let isCutOff = false
    await until(
      () => isCutOff,
      async () => {
        isCutOff = !(await isReady(n1))
      }
    )
    t.equal(await isLetIn(n1, '192.0.2.1'), false, 'what is known stays known')
    t.equal(await letIn(n1, '192.0.2.2', ALONE), ALONE)
    t.ok((await letIn(n2, '192.0.2.2', ALONE)) >= second, 'each knows its own alone')
    t.equal(await letIn(n1, '192.0.2.2', LIMIT), LIMIT - ALONE, 'and lets no more than the limit through')

    await end(world)
    let areReady = false
    await until(
      () => areReady,
      async () => {
        areReady = (await isReady(n1)) && (await isReady(n2))
      }
    )
    t.ok((await untilRefused([n2], '192.0.2.2')) < LIMIT - ALONE, 'the second one heard of the first before it had used up its own')
  })
}
