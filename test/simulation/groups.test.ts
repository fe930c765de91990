/** A session, a cluster and a region that are made, joined and deleted at once, under faults: in the end their records agree. */
import t from 'tap'
import { isEnding } from '../../actors/coordination/ending.js'
import type { Address } from '../../src/domain/address.js'
import type { Command } from '../../src/domain/commands/commands.js'
import type { ErrorCode } from '../../src/domain/errors.js'
import { type Chance, createChance } from '../torture/chance.js'
import { addressOf, type Clients, createClients } from './clients.js'
import { strike } from './faults.js'
import { planOf } from './plan.js'
import { through } from './through.js'
import { createWorld, type World } from './world.js'

const SEEDS = 40
const ASKS = 30
/** Milliseconds in which all is asked, and all faults begin. */
const BURST_MS = 300
const FAULTS_MAX = 3
const FAULT_MS_MAX = 13_500
/** Milliseconds in which what was cut short goes on by itself: an outbox message is sent again after 30 s at most. */
const SETTLE_MS = 60_000
const LIMIT_MS = 200_000

const SETTINGS = { dimension: 32, useCortex: false, enableTopicSwitch: true, policyVectors: [] } as const
const SESSION = addressOf('session', 's')
const CLUSTER = addressOf('cluster', 'c')
const REGION = addressOf('region', 'r')
const ALL = [SESSION, CLUSTER, REGION, addressOf('session', 'c'), addressOf('session', 'meta-r')]

const MAKING = [
  { to: SESSION, command: { type: 'session.create', ...SETTINGS } },
  { to: CLUSTER, command: { type: 'cluster.create', aggregationMode: 'attention', couplingFactor: 0.5, settings: SETTINGS } },
  { to: REGION, command: { type: 'region.create', consensusThreshold: 0.5, voteWindowS: 60, settings: SETTINGS } }
] as const
const JOINING = [
  { to: CLUSTER, command: { type: 'cluster.addMember', sessionId: 's', weight: 1 } },
  { to: REGION, command: { type: 'region.attach', clusterId: 'c' } }
] as const
const LEAVING = [
  { to: CLUSTER, command: { type: 'cluster.removeMember', sessionId: 's' } },
  { to: REGION, command: { type: 'region.detach', clusterId: 'c' } },
  { to: SESSION, command: { type: 'session.delete' } },
  { to: CLUSTER, command: { type: 'cluster.delete' } },
  { to: REGION, command: { type: 'region.delete' } }
] as const
const USING = [
  { to: SESSION, command: { type: 'session.store', response: 'The plums are ripe.' } },
  { to: SESSION, command: { type: 'session.run', message: 'Are the plums ripe?', resetContext: false } },
  { to: CLUSTER, command: { type: 'cluster.feedback' } }
] as const
/** What is asked for, the likelier the more often it is listed. */
const ASKED: readonly { readonly to: Address; readonly command: Command }[] = [
  ...MAKING,
  ...JOINING,
  ...JOINING,
  ...JOINING,
  ...LEAVING,
  ...USING
]

const GONE: readonly ErrorCode[] = ['session_missing', 'cluster_missing', 'region_missing', 'already_exists', 'in_use']

/** Asks for all of it at once, while faults happen. Resolves once all is answered and all faults are over. */
async function trouble(world: World, clients: Clients, chance: Chance, seed: number): Promise<void> {
  const { scheduler } = world
  const sinceMs = scheduler.nowMs
  for (const fault of planOf(seed).faults.slice(0, FAULTS_MAX)) {
    scheduler.after(chance.integer(0, BURST_MS), () => {
      const heal = strike(world, fault)
      scheduler.after(fault.forMs, heal)
    })
  }
  const answers = Array.from({ length: ASKS }, async () => {
    const { to, command } = chance.pick(ASKED) ?? MAKING[0]
    const entry = chance.integer(0, 2)
    await new Promise<void>((resolve) => void scheduler.after(chance.integer(0, BURST_MS), resolve))
    await clients.ask(to, command, { entry })
  })
  await through(world, Promise.all(answers), LIMIT_MS)
  await scheduler.runUntil(sinceMs + FAULT_MS_MAX)
}

interface Known {
  readonly head: unknown
  readonly rows: readonly { readonly collection: string; readonly id: string }[]
}

/** What the records say, by kind and id. */
async function recordsOf(world: World): Promise<ReadonlyMap<string, Known>> {
  const process = world.processOf('n1')
  if (process === undefined) throw new Error('There is no node')
  const storage = world.storage.storageOf(process)
  const read = ALL.map(async (address) => [nameOf(address), await storage.activate(address)] as const)
  return new Map((await through(world, Promise.all(read), LIMIT_MS)).flatMap(([name, record]) => (record === null ? [] : [[name, record]])))
}

function nameOf({ kind, id }: Address): string {
  return `${kind} ${id}`
}

/** What does not agree. A creation that was cut short may leave the session behind a cluster or a region. */
function faultsIn(records: ReadonlyMap<string, Known>): string[] {
  const has = (name: string, collection: string) => records.get(name)?.rows.some((row) => row.collection === collection) === true
  const isMember = JSON.stringify(records.get('session s')?.head ?? null).includes('"clusterId":"c"')
  const pairs = [
    ['the cluster names the session', has('cluster c', 'member'), 'and the session the cluster', isMember],
    ['the region names the cluster', has('region r', 'cluster'), 'and the cluster the region', has('cluster c', 'region')]
  ] as const
  const halves = pairs.filter(([, one, , other]) => one !== other).map((pair) => pair.join(' '))
  const alone = [
    ['cluster c', 'session c'],
    ['region r', 'session meta-r']
  ] as const
  const lost = alone.filter(([owner, session]) => records.has(owner) && !records.has(session)).map(([owner]) => `${owner} without session`)
  const undelivered = [...records.keys()].filter((name) => has(name, 'outbox')).map((name) => `${name} has messages`)
  const ending = [...records].filter(([, { head }]) => isEnding(head)).map(([name]) => `${name} does not end`)
  return [...halves, ...lost, ...undelivered, ...ending]
}

async function disagreements(seed: number): Promise<string[]> {
  const world = createWorld({ ...planOf(seed), faults: [], operations: [] }, null)
  const { scheduler } = world
  const clients = createClients(world)
  for (const node of ['n1', 'n2', 'n3']) world.start(node)
  const insist = (address: Address, command: Command) =>
    through(world, clients.insist(address, command, { entry: 0, accepted: GONE }), LIMIT_MS)
  for (const { to, command } of MAKING) await insist(to, command)
  await trouble(world, clients, createChance(seed), seed)
  await scheduler.runUntil(scheduler.nowMs + SETTLE_MS)
  // A session whose adding was cut short leaves when it next shares an answer, or runs after the cluster has gone.
  for (const { to, command } of [...USING, ...USING]) await insist(to, command)
  await scheduler.runUntil(scheduler.nowMs + SETTLE_MS)
  const found = [...faultsIn(await recordsOf(world)), ...world.failures]
  for (const node of ['n1', 'n2', 'n3']) world.kill(node)
  return found
}

t.test('whatever is made, joined and deleted at once under faults agrees in the end', async (t) => {
  for (let seed = 1; seed <= SEEDS; seed++) t.strictSame(await disagreements(seed), [], `seed ${String(seed)}`)
})
