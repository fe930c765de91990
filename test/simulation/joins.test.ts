// Whatever joins while one of the two is deleted: afterwards nothing names an actor that is gone.
import t from 'tap'
import type { Address } from '../../src/domain/address.js'
import type { Command } from '../../src/domain/commands/commands.js'
import { createChance } from '../torture/chance.js'
import { addressOf, createClients } from './clients.js'
import { planOf } from './plan.js'
import { through } from './through.js'
import { createWorld, type World } from './world.js'

const SEEDS = 20
const SETTINGS = { dimension: 64, useCortex: false, enableTopicSwitch: true, policyVectors: [] } as const
/** Other than that of a region's meta-session, which is then made anew for its first cluster. */
const CLUSTER_SETTINGS = { ...SETTINGS, dimension: 32 }

const SESSION = addressOf('session', 's')
const CLUSTER = addressOf('cluster', 'c')
const REGION = addressOf('region', 'r')
const ALL = [SESSION, CLUSTER, REGION, addressOf('session', 'c'), addressOf('session', 'meta-r')]

const JOINS = [
  { to: REGION, command: { type: 'region.attach', clusterId: 'c' } },
  { to: CLUSTER, command: { type: 'cluster.addMember', sessionId: 's', weight: 1 } }
] as const
const DELETIONS = [
  { of: REGION, command: { type: 'region.delete' } },
  { of: CLUSTER, command: { type: 'cluster.delete' } },
  { of: SESSION, command: { type: 'session.delete' } }
] as const

/** What a deletion is refused with that an earlier try has done. */
const GONE = ['session_missing', 'cluster_missing', 'region_missing'] as const

/** Milliseconds after a join began until which a deletion begins. */
const LATER_MS_MAX = 120
const LIMIT_MS = 60_000

/** The records that are left, as text, by kind and id. */
async function recordsOf(world: World): Promise<Map<string, string>> {
  const process = world.processOf('n1')
  if (process === undefined) throw new Error('There is no node')
  const storage = world.storage.storageOf(process)
  const read = ALL.map(async (address) => [nameOf(address), await storage.activate(address)] as const)
  const found = await through(world, Promise.all(read), LIMIT_MS)
  return new Map(found.flatMap(([name, record]) => (record === null ? [] : [[name, JSON.stringify([record.head, record.rows])] as const])))
}

function nameOf({ kind, id }: Address): string {
  return `${kind} ${id}`
}

interface Race {
  readonly join: (typeof JOINS)[number]
  readonly deletion: (typeof DELETIONS)[number]
  /** How often it is joined at once. */
  readonly joins?: number
  /** Whether a node is killed meanwhile. */
  readonly isKilled?: boolean
}

/** What is left that should be gone, of a race of joins and one deletion. */
async function leftOver(seed: number, { join, deletion, joins = 1, isKilled = false }: Race): Promise<string[]> {
  const world = createWorld({ ...planOf(seed), faults: [], operations: [] }, null)
  const { scheduler } = world
  const chance = createChance(seed)
  const clients = createClients(world)
  for (const node of ['n1', 'n2', 'n3']) world.start(node)
  const insist = (address: Address, command: Command) =>
    through(world, clients.insist(address, command, { entry: 0, accepted: ['already_exists'] }), LIMIT_MS)
  const cluster = { type: 'cluster.create', aggregationMode: 'attention', couplingFactor: 0.5, settings: CLUSTER_SETTINGS } as const
  await insist(SESSION, { type: 'session.create', ...CLUSTER_SETTINGS })
  await insist(CLUSTER, cluster)
  await insist(REGION, { type: 'region.create', consensusThreshold: 0.5, voteWindowS: 60, settings: SETTINGS })
  const later = () => new Promise<void>((resolve) => void scheduler.after(chance.integer(0, LATER_MS_MAX), resolve))
  // Who asks a node that is killed is never answered.
  const entry = () => (isKilled ? chance.integer(0, 1) * 2 : chance.integer(0, 2))
  const joined = Array.from({ length: joins }, async (_, n) => {
    if (n > 0) await later()
    return clients.ask(join.to, join.command, { entry: entry() })
  })
  const deleted = later().then(() => clients.insist(deletion.of, deletion.command, { entry: entry(), accepted: GONE }))
  const killed = isKilled ? later().then(() => world.kill('n2')) : null
  await through(world, Promise.all([...joined, deleted, killed]), LIMIT_MS)
  await scheduler.runUntil(scheduler.nowMs + LIMIT_MS)
  const left = await recordsOf(world)
  for (const node of ['n1', 'n2', 'n3']) world.kill(node)
  const wrong = [...left].filter(([, text]) => text.includes(`"id":"${deletion.of.id}"`) || text.includes(`Id":"${deletion.of.id}"`))
  const orphans = [...left.keys()].filter((name) => name === nameOf(deletion.of) || (deletion.of === REGION && name === 'session meta-r'))
  return [...wrong.map(([name]) => `${name} names what is gone`), ...orphans.map((name) => `${name} is left`), ...world.failures]
}

for (const join of JOINS) {
  for (const deletion of DELETIONS) {
    if (join.to === CLUSTER && deletion.of === REGION) continue
    if (join.to === REGION && deletion.of === SESSION) continue
    for (const joins of [1, 4]) {
      t.test(`${join.command.type}, ${String(joins)} at once, beside ${deletion.command.type}`, async (t) => {
        for (let seed = 1; seed <= SEEDS; seed++) t.strictSame(await leftOver(seed, { join, deletion, joins }), [], `seed ${String(seed)}`)
      })
    }
  }
}

t.test('a session is added while its deletion is done again, since a node was killed over it', async (t) => {
  const [, join] = JOINS
  const [, , deletion] = DELETIONS
  const race = { join, deletion, joins: 4, isKilled: true }
  for (let seed = 1; seed <= SEEDS; seed++) t.strictSame(await leftOver(seed, race), [], `seed ${String(seed)}`)
})
