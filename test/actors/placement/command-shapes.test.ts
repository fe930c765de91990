/**
 * Which messages from another node are accepted as commands: each valid command unchanged, and none with a field that is missing, malformed
 * or unknown.
 */
import t from 'tap'
import type { SettleMessages } from '../../../actors/messaging/relay.js'
import { isCommandTo } from '../../../actors/placement/command-shapes.js'
import type { ActorKind } from '../../../src/domain/address.js'
import { type Command, isRead } from '../../../src/domain/commands/commands.js'
import { ERASED_KINDS } from '../../../src/domain/commands/erasure.js'
import * as limits from '../../../src/domain/limits.js'

type Crossing = Command | SettleMessages
type Sample<Type> = Omit<Required<Extract<Crossing, { readonly type: Type }>>, 'type'>

const VECTOR = [0.6, -0.8]
const TARGET = { vector: Float32Array.from(VECTOR), users: ['anna'] }
const FILTER = { role: 'user', userId: 'anna', tier: 'short_term', since: 0, until: 5 } as const
const SETTINGS = {
  dimension: 2,
  modelName: 'm',
  useCortex: false,
  enableTopicSwitch: true,
  templateEmbedding: VECTOR,
  policyVectors: [{ embedding: VECTOR, weight: 1, promote: true }]
}
const DRIFT = { eventId: 'e', driftScore: 0.7, driftPhase: 'drifted', timestamp: 1_700_000_000 } as const
const FINDINGS = [{ questionId: null, answerId: 'a' }]

/** A sample of each command, with all of its fields. */
const SAMPLES: { readonly [Type in Crossing['type']]: Sample<Type> } = {
  'session.create': { ...SETTINGS, backing: 'cluster' },
  'session.delete': { isByOwner: true, isLeft: true },
  'session.run': {
    message: 'Where?',
    response: 'There.',
    resetContext: false,
    userId: 'anna',
    shortCircuitThreshold: -1,
    backing: 'cluster'
  },
  'session.store': { response: 'There.', question: 'Where?', dedupThreshold: 1, userId: 'anna' },
  'session.dedupCheck': { text: 'Where?', dedupThreshold: 0.5 },
  'session.metrics': {},
  'session.days': {},
  'session.context': { topK: 5, fullFirst: false, maxTextChars: 500 },
  'session.memory': { hash: 'h' },
  'session.search': { query: 'Where?', embedding: VECTOR, topK: 10, filter: FILTER, explain: true },
  'session.export': {},
  'session.import': { stateDict: { format: 'x' } },
  'session.verify': { testEmbeddings: [VECTOR], referenceSessionId: 's', stateDict: null, tolerance: 0 },
  'session.probe': { testEmbeddings: [VECTOR] },
  'session.sweep': {},
  'session.embed': {},
  'trigger.set': { keyword: 'k', embedding: VECTOR, threshold: 0.5 },
  'trigger.clear': {},
  'anchor.set': { text: 'a', embedding: VECTOR },
  'anchor.score': {},
  'isolation.set': { level: 'OPEN', exclusionEmbeddings: [VECTOR], allowlistEmbeddings: [], similarityThreshold: 0.7 },
  'isolation.release': {},
  'isolation.screen': { texts: ['a'] },
  'memory.inject': { text: 'a', embedding: VECTOR, tier: 'long_term', importance: 1, accessCount: 0, expiresAt: 1e12 },
  'memory.ingest': { memories: [{ text: 'a', role: 'user', userId: 'anna', timestamp: 1, importance: 1, expiresAt: 2 }] },
  'memory.list': { limit: 1_000, after: 'm', filter: {} },
  'memory.delete': { hash: 'h' },
  'memory.edit': { hash: 'h', importance: 0, pinned: true },
  'entity.put': { key: 'k', kind: 'path', value: 'v', context: 'c', importance: 1 },
  'entity.list': { query: '', maxResults: 20 },
  'entity.remove': { key: 'k' },
  'user.erase': { userId: 'anna' },
  'state.read': {},
  'state.blend': { deliveryId: 'd', target: TARGET, modelName: 'm', coupling: 1 },
  'state.transfer': { sourceSessionId: 's', maxWeight: 0.5 },
  'membership.add': { clusterId: 'c', dimension: 2, modelName: 'm' },
  'membership.remove': { clusterId: 'c', isStale: true },
  'exchange.learn': { exchanges: [{ question: null, answer: 'a', userId: null, questionUserId: null, timestamp: 1 }], backing: 'cluster' },
  'exchange.collect': { fromSessionId: 's', findings: FINDINGS },
  'exchange.read': { findings: FINDINGS },
  'exchange.unlearn': { hashes: ['h'] },
  'exchange.match': { message: 'Where?', shortCircuitThreshold: 0.8, userId: 'u' },
  'cluster.create': { name: 'n', aggregationMode: 'attention', couplingFactor: 0.5, settings: SETTINGS },
  'cluster.read': {},
  'cluster.delete': { isBegun: true },
  'cluster.addMember': { sessionId: 's', weight: 0.1 },
  'cluster.removeMember': { sessionId: 's' },
  'cluster.dropMember': { sessionId: 's' },
  'cluster.checkMember': { sessionId: 's' },
  'cluster.feedback': {},
  'cluster.spread': { feedbackId: 'f' },
  'cluster.noteDrift': DRIFT,
  'cluster.joinRegion': { regionId: 'r' },
  'cluster.leaveRegion': { regionId: 'r' },
  'cluster.checkRegion': { regionId: 'r' },
  'cluster.pull': { deliveryId: 'd', target: { ...TARGET, users: null }, modelName: 'm' },
  'cluster.sample': { isBrief: true },
  'region.create': { name: 'n', consensusThreshold: 0.5, voteWindowS: 60, settings: SETTINGS },
  'region.read': {},
  'region.delete': { isBegun: true },
  'region.attach': { clusterId: 'c' },
  'region.detach': { clusterId: 'c' },
  'region.dropCluster': { clusterId: 'c' },
  'region.checkCluster': { clusterId: 'c' },
  'region.vote': { ...DRIFT, clusterId: 'c' },
  'region.realign': { realignmentId: 'r' },
  'region.events': { limit: 20 },
  'region.sample': {},
  'observer.create': { sampleIntervalS: 60, regionIds: ['r'] },
  'observer.summary': {},
  'observer.sample': {},
  'observer.anomalies': { limit: 20 },
  'observer.clear': {},
  'observer.register': { regionId: 'r' },
  'observer.unregister': { regionId: 'r' },
  'observer.delete': { isBegun: true },
  'network.switch': { userId: 'anna' },
  'network.active': {},
  'network.serialize': { userId: 'anna' },
  'network.consensus': { proposerSessionId: 's', targetEmbedding: VECTOR },
  'network.trust': {},
  'network.dropSession': { sessionId: 's' },
  'outbox.settle': { ids: ['l'] }
}

/** Fields that are accepted as they are, because their reader validates them in full. */
const OPEN: ReadonlySet<string> = new Set(['stateDict'])

/** Values that no field of a command may have. */
const ODD: readonly unknown[] = [
  Number.NaN,
  Infinity,
  5n,
  Symbol('odd'),
  () => 5,
  new Map(),
  new Set(['a']),
  new Date(0),
  /a/,
  new Error('odd'),
  new Float64Array(2),
  [[]],
  [{}],
  { toString: 'odd' },
  'x'.repeat(limits.ENTITY_BYTES_MAX + 1)
]

const KINDS: readonly ActorKind[] = ['session', 'cluster', 'region', 'observer', 'network']
const kindsOf = (type: string): readonly ActorKind[] =>
  KINDS.filter((kind) => isCommandTo(kind, { type, ...SAMPLES[type as Crossing['type']] }))

for (const [type, sample] of Object.entries(SAMPLES)) {
  t.test(`${type}: taken as it is, by the kinds of actors that know it, and with no field missing, odd or more`, async (t) => {
    const [family = ''] = type.split('.')
    const expected = family === 'outbox' ? KINDS : family === 'user' ? ERASED_KINDS : [KINDS.find((kind) => kind === family) ?? 'session']
    t.same(kindsOf(type), expected)
    const [kind = 'session'] = kindsOf(type)
    for (const [name, value] of Object.entries(sample)) {
      if (OPEN.has(name)) continue
      for (const odd of ODD) t.notOk(isCommandTo(kind, { type, ...sample, [name]: odd }), `${name}: ${typeof odd}`)
      if (typeof value !== 'object') t.notOk(isCommandTo(kind, { type, ...sample, [name]: { value } }), name)
    }
    t.notOk(isCommandTo(kind, { type, ...sample, constructor: 'odd' }))
    t.notOk(isCommandTo(kind, Object.assign(Object.create({ type, ...sample }) as object, {})), 'what it inherits is not its own')
    t.notOk(isCommandTo(kind, [{ type, ...sample }]))
  })
}

/** Commands that are retried even if nobody knows whether they were done: each may be carried out any number of times. */
t.test('which commands only read', async (t) => {
  t.same(
    Object.keys(SAMPLES).filter((type) => isRead({ type })),
    [
      ...['session.dedupCheck', 'session.metrics', 'session.days', 'session.context', 'session.memory', 'session.search', 'session.export'],
      ...['session.verify', 'session.probe', 'anchor.score', 'isolation.screen', 'memory.list', 'entity.list', 'state.read'],
      ...['exchange.read', 'exchange.match', 'cluster.read', 'cluster.checkMember', 'cluster.sample'],
      ...['region.read', 'region.checkCluster', 'region.events', 'region.sample', 'observer.summary', 'observer.anomalies'],
      ...['network.active', 'network.serialize', 'network.trust']
    ]
  )
  for (const type of ['session.wipe', 'toString', '__proto__', '']) t.notOk(isRead({ type }), type)
})

t.test('what a command needs: each field but those that may be missing', async (t) => {
  const needed = (type: Crossing['type']): string[] => {
    const { ...sample } = SAMPLES[type] as Record<string, unknown>
    return Object.keys(sample).filter((name) => {
      const { [name]: _, ...rest } = sample
      return !kindsOf(type).some((kind) => isCommandTo(kind, { type, ...rest }))
    })
  }
  t.same(needed('session.run'), ['message', 'resetContext'])
  t.same(needed('session.create'), ['dimension', 'useCortex', 'enableTopicSwitch', 'policyVectors'])
  t.same(needed('state.blend'), ['deliveryId', 'target', 'modelName', 'coupling'])
  t.same(needed('region.vote'), ['eventId', 'driftScore', 'driftPhase', 'timestamp', 'clusterId'])
})

t.test('bounds: what is longer, more or larger than any of ours is refused', async (t) => {
  const run = SAMPLES['session.run']
  const long = 'x'.repeat(2 * limits.TEXT_LENGTH_MAX)
  t.ok(isCommandTo('session', { type: 'session.run', ...run, message: long }))
  const blend = { type: 'state.blend', ...SAMPLES['state.blend'] }
  for (const wrong of [
    { type: 'session.run', ...run, message: `${long}x` },
    { type: 'session.run', ...run, shortCircuitThreshold: 1.01 },
    { type: 'session.search', ...SAMPLES['session.search'], topK: limits.SEARCH_TOP_K_MAX + 1 },
    { type: 'session.search', ...SAMPLES['session.search'], embedding: [] },
    { type: 'session.search', ...SAMPLES['session.search'], embedding: Array.from({ length: limits.DIMENSION_MAX + 1 }, () => 0) },
    { type: 'session.search', ...SAMPLES['session.search'], embedding: [1e39] },
    { type: 'session.search', ...SAMPLES['session.search'], filter: { ...FILTER, role: 'system' } },
    { type: 'memory.ingest', memories: Array.from({ length: limits.INGEST_MEMORIES_MAX + 1 }, () => ({ text: 'a', role: 'user' })) },
    { type: 'session.create', ...SETTINGS, policyVectors: [{ embedding: VECTOR, weight: -1, promote: true }] },
    { ...blend, target: { ...TARGET, vector: Float32Array.of(Number.NaN) } },
    { ...blend, target: { ...TARGET, vector: VECTOR } },
    { ...blend, target: { ...TARGET, users: [7] } }
  ])
    t.notOk(isCommandTo('session', wrong), JSON.stringify(wrong).slice(0, 80))
})
