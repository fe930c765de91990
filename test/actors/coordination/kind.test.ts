/**
 * Full clusters, regions, observers and networks, and full nodes: commands that would make an actor larger are refused before it asks
 * anyone.
 */
import t from 'tap'
import type { Behaviour } from '../../../actors/behaviour/behaviour.js'
import type { ActorCommand } from '../../../actors/behaviour/delivery.js'
import { createClusterBehaviour } from '../../../actors/cluster/behaviour.js'
import { REQUEST } from '../../../actors/messaging/idempotency-ring.js'
import type { SettleMessages } from '../../../actors/messaging/relay.js'
import { createNetworkBehaviour } from '../../../actors/network/behaviour.js'
import { createObserverBehaviour } from '../../../actors/observer/behaviour.js'
import { createRegionBehaviour } from '../../../actors/region/behaviour.js'
import { createEntry } from '../../../actors/runtime/entry.js'
import { createNodeBudget } from '../../../actors/weight/node-budget.js'
import type { ActorKind, Address } from '../../../src/domain/address.js'
import type { Command, ReplyOf } from '../../../src/domain/commands/commands.js'
import { isDomainError } from '../../../src/domain/errors.js'
import { totalOf } from '../../../src/domain/fairness/weight.js'
import type { RecordChanges } from '../../../src/ports.js'
import { hosted, hostOf } from '../../support/hosted.js'
import { createManualClock } from '../../support/manual-clock.js'
import { createCountingIds } from '../../support/session-rig.js'

const DIMENSION = 64
const SETTINGS = { dimension: DIMENSION, useCortex: false, enableTopicSwitch: true, policyVectors: [] }
const STATE = { vector: new Float32Array(DIMENSION).fill(1 / 8), users: ['anna', 'bob'] }
const VIEW = {
  state: STATE,
  dimension: DIMENSION,
  modelName: 'm',
  phase: 'exploration',
  driftPhase: 'drifted',
  driftScore: 0.7,
  interactionCount: 3,
  totalMemories: 4
}

/** Bytes by which the expected growth may exceed the actual one: an outbox message that is not written here, and names of other lengths. */
const SLACK_BYTES = 1_200

/** Answers of other actors. */
function answer(command: Command): unknown {
  switch (command.type) {
    case 'state.read':
      return VIEW
    case 'region.sample':
      return { clusters: ['c1', 'c2', 'c3'], realignmentCount: 0 }
    case 'cluster.sample':
      return { ...VIEW, aggregate: STATE, couplingFactor: 0.5 }
    default:
      return { modelName: 'm' }
  }
}

const FIRST: Readonly<Record<Exclude<ActorKind, 'session'>, Command>> = {
  cluster: { type: 'cluster.create', aggregationMode: 'attention', couplingFactor: 0.5, settings: SETTINGS },
  region: { type: 'region.create', consensusThreshold: 0.1, voteWindowS: 60, settings: SETTINGS },
  observer: { type: 'observer.create', sampleIntervalS: 60, regionIds: [] },
  network: { type: 'network.active' }
}

type Kind = keyof typeof FIRST
type AnyBehaviour = Behaviour<unknown, ActorCommand, unknown, unknown>

const COUNTERS = { count: () => undefined }
const ALL = { heap: Infinity, total: Infinity }
const SOME = { heap: 1e9, total: 1e9 }

function budget(actors = ALL) {
  return createNodeBudget({ clock: { after: () => () => undefined }, counters: COUNTERS, isDurable: true, actors, work: ALL })
}

/** The budget of a node whose memory others have in use. */
function fullBudget() {
  const full = budget(SOME)
  full.set(createEntry({ kind: 'session', subject: 'another', id: 'large' }, 0), { heap: SOME.heap, buffers: 0 })
  return full
}

/** Starts one actor. `asked`: what it asked of others; `limited`: its host with other limits. */
async function start(kind: Kind) {
  const clock = createManualClock()
  const asked: string[] = []
  const silent = () => undefined
  const sessionIds = Array.from({ length: 40 }, (_, at) => `session-${at}`)
  const ports = {
    clock,
    ids: createCountingIds(),
    tracer: { isEnabled: false, emit: silent },
    counters: COUNTERS,
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    storage: {
      isDurable: true,
      list: async ({ kind: listed }: { readonly kind: ActorKind }) => (listed === 'session' ? sessionIds : []),
      heads: async () => new Map()
    },
    sessions: { activeIds: async () => [], passivate: async () => undefined },
    ask: async <C extends Command>(_: Address, command: C) => {
      asked.push(command.type)
      return answer(command) as ReplyOf<C>
    }
  }
  const plain = {
    cluster: createClusterBehaviour,
    region: createRegionBehaviour,
    observer: createObserverBehaviour,
    network: createNetworkBehaviour
  }[kind](ports) as object as AnyBehaviour
  const limited = (recordBytesMax: number, of = budget()) => hosted(hostOf(plain, { recordBytesMax, budget: of, counters: COUNTERS }))
  const free = limited(Infinity)
  const address: Address = { kind, subject: 'tester', id: 'one' }
  let requests = 0
  const meta = () => ({ address, now: clock.now(), requestId: `request-${requests}`, isFresh: false })
  const made = await free.initiate(FIRST[kind], meta())
  if (made === null) throw new Error('not made')
  const life = { ...made.life, token: { epoch: 1, version: 1 } }
  const weight = (): number => totalOf(free.weigh(life))
  const written: RecordChanges[] = []

  async function ask(command: Command | SettleMessages, behaviour = free): Promise<string> {
    requests += 1
    try {
      const { changes } = await behaviour.run(life, command, meta())
      if (changes !== null) written.push(changes)
      return 'accepted'
    } catch (error) {
      if (isDomainError(error)) return error.code
      throw error
    }
  }
  return { plain, address, ask, asked, written, weight, limited }
}

interface Growing {
  readonly kind: Kind
  readonly before?: readonly Command[]
  /** The command for each number, with names of its own. */
  readonly command: (n: number) => Command
  readonly isTold?: true
}

const DRIFT = { driftScore: 0.7, driftPhase: 'drifted', timestamp: 1_700_000_000 } as const
const ADD: Command = { type: 'cluster.addMember', sessionId: 'first', weight: 1 }
const vote = (n: number): Command => ({ type: 'region.vote', eventId: `event-${n}`, clusterId: 'c', ...DRIFT })

const GROWING: readonly Growing[] = [
  { kind: 'cluster', command: (n) => ({ type: 'cluster.addMember', sessionId: `session-${n}`, weight: 0.5 }) },
  { kind: 'cluster', command: (n) => ({ type: 'cluster.joinRegion', regionId: `region-${n}` }) },
  { kind: 'cluster', before: [ADD], command: () => ({ type: 'cluster.feedback' }) },
  {
    kind: 'cluster',
    before: [{ type: 'cluster.joinRegion', regionId: 'r' }],
    command: (n) => ({ type: 'cluster.noteDrift', eventId: `event-${n}`, ...DRIFT }),
    isTold: true
  },
  { kind: 'region', command: (n) => ({ type: 'region.attach', clusterId: `cluster-${n}` }) },
  { kind: 'region', before: [{ type: 'region.attach', clusterId: 'c' }], command: vote, isTold: true },
  { kind: 'observer', command: (n) => ({ type: 'observer.create', sampleIntervalS: 60, regionIds: [`region-${n}`, `region-${n}-too`] }) },
  { kind: 'observer', command: (n) => ({ type: 'observer.register', regionId: `region-${n}` }) },
  { kind: 'network', command: (n) => ({ type: 'network.switch', userId: `user-${n}` }) }
]

for (const { kind, before = [], command, isTold = false } of GROWING) {
  const { type } = command(0)
  t.test(`${type}: refused where the node is full${isTold ? '' : ', or the record'}, before anything is asked or changed`, async (t) => {
    const { ask, asked, written, weight, limited } = await start(kind)
    for (const first of before) t.equal(await ask(first), 'accepted')
    const empty = weight()
    t.equal(await ask(command(0)), 'accepted')
    const grown = weight() - empty
    t.ok(grown > 0, 'it does grow')
    asked.length = 0
    written.length = 0
    const held = weight()
    // Nearly enough room for another one.
    const full = limited(held + 0.8 * grown)
    t.equal(await ask(command(1), limited(Infinity, fullBudget())), 'memory_exhausted')
    if (!isTold) {
      t.equal(await ask(command(1), full), 'record_full')
      const small = { heap: held, total: held }
      t.equal(await ask(command(1), limited(Infinity, budget(small))), 'record_full', 'also where the node is too small for it')
    }
    t.equal(weight(), held, 'it is as it was')
    t.same({ asked, written }, { asked: [], written: [] })
    t.equal(await ask(command(0), full), type === 'cluster.feedback' ? 'record_full' : 'accepted', 'what it has already is no growth')
    t.equal(await ask(command(1), isTold ? full : limited(held + grown + SLACK_BYTES)), 'accepted', 'and afterwards it is taken in')
  })
}

t.test('region.realign and observer.sample: refused only where the node is full, once it is known what they bring', async (t) => {
  const region = await start('region')
  await region.ask({ type: 'region.attach', clusterId: 'c' })
  await region.ask(vote(1))
  const { head } = region.written.at(-1) as { readonly head: { readonly realignmentId: string } }
  const realign: Command = { type: 'region.realign', realignmentId: head.realignmentId }
  const observer = await start('observer')
  await observer.ask({ type: 'observer.register', regionId: 'r' })
  const sample: Command = { type: 'observer.sample' }
  for (const [actor, command] of [
    [region, realign],
    [observer, sample]
  ] as const) {
    const held = actor.weight()
    t.equal(await actor.ask(command, actor.limited(Infinity, fullBudget())), 'memory_exhausted', command.type)
    t.equal(actor.weight(), held)
    t.equal(await actor.ask(command, actor.limited(held)), 'accepted')
    t.ok(actor.weight() > held)
  }
})

t.test('network.consensus: refused when there is no room for the trust in those who voted', async (t) => {
  const { ask, weight, limited, written } = await start('network')
  const propose: Command = { type: 'network.consensus', proposerSessionId: 'session-0', targetEmbedding: [...STATE.vector] }
  const held = weight()
  t.equal(await ask(propose, limited(held + 1_000)), 'record_full')
  t.equal(await ask(propose, limited(Infinity, fullBudget())), 'memory_exhausted')
  t.same({ held: weight(), written }, { held, written: [] })
  t.equal(await ask(propose), 'accepted')
  t.equal(await ask(propose, limited(weight())), 'accepted', 'it knows all of them by now')
})

t.test('a full cluster can be read, and made smaller', async (t) => {
  const { ask, weight, limited } = await start('cluster')
  await ask(ADD)
  const full = limited(weight())
  t.equal(await ask({ type: 'cluster.read' }, full), 'accepted')
  t.equal(await ask({ type: 'cluster.removeMember', sessionId: 'first' }, full), 'accepted')
  t.equal(await ask({ type: 'outbox.settle', ids: ['request-3:leave'] }, full), 'accepted', 'once the session was told')
  t.equal(await ask(ADD, full), 'accepted')
})

t.test('an erasure in a cluster or region takes along what it answered before, which may tell of a user', async (t) => {
  for (const kind of ['cluster', 'region'] as const) {
    const { plain, address } = await start(kind)
    const actor = hosted(hostOf(plain, { isShared: true }))
    const request = { requestId: 'made', now: 0 }
    const made = await actor.initiate(FIRST[kind], { address, ...request })
    if (made === null) return t.fail('not made')
    const life = { ...made.life, token: { epoch: 1, version: 1 } }
    const rowOf = (changes: RecordChanges | null) => changes?.put.find(({ collection, id }) => collection === REQUEST && id === '0')?.body
    const answered = await actor.run(life, FIRST[kind], request, true)
    t.strictSame(rowOf(answered.changes), {
      requestId: 'made',
      type: FIRST[kind].type,
      number: 0,
      at: 0,
      answer: { reply: answered.reply }
    })
    const erased = await actor.run(life, { type: 'user.erase', userId: 'anna' } as ActorCommand, { requestId: 'erased', now: 1 })
    t.strictSame(rowOf(erased.changes), { requestId: 'made', type: FIRST[kind].type, number: 0, at: 0, answer: null })
  }
})
