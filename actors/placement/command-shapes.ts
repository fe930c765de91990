/**
 * Shapes of all commands, for those that other nodes send. As strict as the command types, against which the compiler checks them: unlisted
 * commands and fields are rejected. Bounds are those of the routes, or above what any node sends, as a command that an actor refuses with a
 * reason of its own has to reach the actor.
 */
import type { ActorKind } from '../../src/domain/address.js'
import { AGGREGATION_MODES } from '../../src/domain/commands/cluster-commands.js'
import type { Command } from '../../src/domain/commands/commands.js'
import type { IngestedMemory } from '../../src/domain/commands/control-commands.js'
import type { Exchange, Finding, SharedVector } from '../../src/domain/commands/coordination-commands.js'
import type { MemoryFilter } from '../../src/domain/commands/memory-view.js'
import type { CreateSession } from '../../src/domain/commands/session-commands.js'
import * as limits from '../../src/domain/limits.js'
import { DRIFT_PHASES, ENTITY_KINDS, ISOLATION_LEVELS, ROLES, TIERS } from '../../src/domain/session.js'
import type { SettleMessages } from '../messaging/relay.js'
import {
  anything,
  fields,
  type FieldsOf,
  flag,
  integer,
  list,
  LIST_MAX,
  name,
  names,
  nullable,
  number,
  numbers,
  one,
  optional,
  positive,
  type Shape,
  text,
  vector,
  yes
} from './shapes.js'

type Crossing = Command | SettleMessages
type CommandNamed<Type> = Extract<Crossing, { readonly type: Type }>

/** Upper bound on the UTF-16 units of a text: the interface counts code points, of up to two units. */
const TEXT_UNITS_MAX = 2 * limits.TEXT_LENGTH_MAX

const body = text(TEXT_UNITS_MAX)
const cosine = number(-1, 1)
const share = number(0, 1)
const time = number(-limits.TIME_MAX_S, limits.TIME_MAX_S)
const anyTime = number()
const importance = number(0)
const role = one(...ROLES)
const tier = one(...TIERS)
const level = one(...ISOLATION_LEVELS)
const driftPhase = one(...DRIFT_PHASES)
const entityKind = one(...ENTITY_KINDS)
const ofCluster = one('cluster')
const listed = integer(1, limits.LOG_ENTRIES_MAX)
const shared: Shape<SharedVector> = fields<SharedVector>({ vector, users: nullable(names) })
const isolating = list(numbers, limits.ISOLATION_VECTORS_MAX)
const testing = list(numbers, limits.TEST_EMBEDDINGS_MAX)
const findings = list(fields<Finding>({ questionId: nullable(name), answerId: name }), LIST_MAX)
const filter: Shape<MemoryFilter> = fields<MemoryFilter>({
  role: optional(role),
  userId: optional(name),
  tier: optional(tier),
  since: optional(anyTime),
  until: optional(anyTime)
})
const exchange: Shape<Exchange> = fields<Exchange>({
  question: nullable(body),
  answer: body,
  userId: nullable(name),
  questionUserId: optional(nullable(name)),
  timestamp: optional(anyTime)
})
const ingested: Shape<IngestedMemory> = fields<IngestedMemory>({
  text: body,
  role,
  userId: optional(name),
  timestamp: optional(anyTime),
  importance: optional(importance),
  expiresAt: optional(anyTime)
})

const settingsFields: FieldsOf<Omit<CreateSession, 'type' | 'backing'>> = {
  dimension: integer(1, limits.DIMENSION_MAX),
  modelName: optional(name),
  useCortex: flag,
  enableTopicSwitch: flag,
  templateEmbedding: optional(numbers),
  policyVectors: list(fields({ embedding: numbers, weight: number(0, limits.FLOAT32_MAX), promote: flag }), limits.POLICY_VECTORS_MAX)
}
const settings = fields<Omit<CreateSession, 'type' | 'backing'>>(settingsFields)
const drift = { eventId: name, driftScore: share, driftPhase, timestamp: time }

const FIELDS: { readonly [Type in Crossing['type']]: FieldsOf<Omit<CommandNamed<Type>, 'type'>> } = {
  'session.create': { ...settingsFields, backing: optional(one('cluster', 'region', 'observer')) },
  'session.delete': { isByOwner: optional(yes), isLeft: optional(yes) },
  'session.run': {
    message: body,
    response: optional(body),
    resetContext: flag,
    userId: optional(name),
    shortCircuitThreshold: optional(cosine),
    backing: optional(ofCluster)
  },
  'session.store': { response: body, question: optional(body), dedupThreshold: optional(cosine), userId: optional(name) },
  'session.dedupCheck': { text: body, dedupThreshold: optional(cosine) },
  'session.metrics': {},
  'session.days': {},
  'session.context': {
    topK: integer(1, limits.CONTEXT_TOP_K_MAX),
    fullFirst: flag,
    maxTextChars: integer(1, limits.CONTEXT_TEXT_CHARS_MAX)
  },
  'session.memory': { hash: name },
  'session.search': {
    query: optional(body),
    embedding: optional(numbers),
    topK: integer(1, limits.SEARCH_TOP_K_MAX),
    filter,
    explain: flag
  },
  'session.export': {},
  'session.import': { stateDict: anything },
  'session.verify': { testEmbeddings: testing, referenceSessionId: optional(name), stateDict: optional(anything), tolerance: number(0) },
  'session.probe': { testEmbeddings: testing },
  'session.sweep': {},
  'session.embed': {},
  'trigger.set': { keyword: optional(name), embedding: optional(numbers), threshold: cosine },
  'trigger.clear': {},
  'anchor.set': { text: optional(body), embedding: optional(numbers) },
  'anchor.score': {},
  'isolation.set': { level, exclusionEmbeddings: isolating, allowlistEmbeddings: isolating, similarityThreshold: cosine },
  'isolation.release': {},
  'isolation.screen': { texts: list(body, limits.SCREENED_TEXTS_MAX) },
  'memory.inject': {
    text: body,
    embedding: optional(numbers),
    tier,
    importance,
    accessCount: integer(0, limits.COUNT_MAX),
    expiresAt: optional(anyTime)
  },
  'memory.ingest': { memories: list(ingested, limits.INGEST_MEMORIES_MAX) },
  'memory.list': { limit: integer(1, limits.PAGE_MAX), after: optional(name), filter },
  'memory.delete': { hash: name },
  'memory.edit': { hash: name, importance: optional(importance), pinned: optional(flag) },
  'entity.put': { key: name, kind: entityKind, value: text(limits.ENTITY_BYTES_MAX), context: optional(body), importance },
  'entity.list': { query: body, maxResults: integer(1, limits.ENTITY_RESULTS_MAX) },
  'entity.remove': { key: name },
  'user.erase': { userId: name },
  'state.read': {},
  'state.blend': { deliveryId: name, target: shared, modelName: name, coupling: share },
  'state.transfer': { sourceSessionId: name, maxWeight: share },
  'membership.add': { clusterId: name, dimension: integer(1, limits.DIMENSION_MAX), modelName: name },
  'membership.remove': { clusterId: name, isStale: optional(yes) },
  'exchange.learn': { exchanges: list(exchange, limits.INGEST_MEMORIES_MAX), backing: optional(ofCluster) },
  'exchange.collect': { fromSessionId: name, findings },
  'exchange.read': { findings },
  'exchange.unlearn': { hashes: names },
  'exchange.match': { message: body, shortCircuitThreshold: cosine, userId: optional(name) },
  'cluster.create': { name: optional(name), aggregationMode: one(...AGGREGATION_MODES), couplingFactor: share, settings },
  'cluster.read': {},
  'cluster.delete': { isBegun: optional(yes) },
  'cluster.addMember': { sessionId: name, weight: positive(limits.FLOAT32_MAX) },
  'cluster.removeMember': { sessionId: name },
  'cluster.dropMember': { sessionId: name },
  'cluster.checkMember': { sessionId: name },
  'cluster.feedback': {},
  'cluster.spread': { feedbackId: name },
  'cluster.noteDrift': drift,
  'cluster.joinRegion': { regionId: name },
  'cluster.leaveRegion': { regionId: name },
  'cluster.checkRegion': { regionId: name },
  'cluster.pull': { deliveryId: name, target: shared, modelName: name },
  'cluster.sample': { isBrief: optional(yes) },
  'region.create': { name: optional(name), consensusThreshold: positive(1), voteWindowS: positive(), settings },
  'region.read': {},
  'region.delete': { isBegun: optional(yes) },
  'region.attach': { clusterId: name },
  'region.detach': { clusterId: name },
  'region.dropCluster': { clusterId: name },
  'region.checkCluster': { clusterId: name },
  'region.vote': { ...drift, clusterId: name },
  'region.realign': { realignmentId: name },
  'region.events': { limit: listed },
  'region.sample': {},
  'observer.create': { sampleIntervalS: positive(), regionIds: names },
  'observer.summary': {},
  'observer.sample': {},
  'observer.anomalies': { limit: listed },
  'observer.clear': {},
  'observer.register': { regionId: name },
  'observer.unregister': { regionId: name },
  'observer.delete': { isBegun: optional(yes) },
  'network.switch': { userId: name },
  'network.active': {},
  'network.serialize': { userId: name },
  'network.consensus': { proposerSessionId: name, targetEmbedding: numbers },
  'network.trust': {},
  'network.dropSession': { sessionId: name },
  'outbox.settle': { ids: names }
}

const SHAPES = new Map(Object.entries<object>(FIELDS).map(([type, shapes]) => [type, fields({ type: one(type), ...shapes })]))

/** Prefixes of the command types that each kind of actor takes. */
const FAMILIES: Readonly<Record<ActorKind, ReadonlySet<string>>> = {
  session: new Set(['session', 'trigger', 'anchor', 'isolation', 'memory', 'entity', 'user', 'state', 'membership', 'exchange', 'outbox']),
  cluster: new Set(['cluster', 'user', 'outbox']),
  region: new Set(['region', 'user', 'outbox']),
  observer: new Set(['observer', 'outbox']),
  network: new Set(['network', 'user', 'outbox'])
}

/** Whether the value is a known command to an actor of this kind, with exactly its fields. */
export function isCommandTo(kind: ActorKind, value: unknown): value is Crossing {
  if (typeof value !== 'object' || value === null) return false
  const { type } = value as { readonly type?: unknown }
  if (typeof type !== 'string' || SHAPES.get(type)?.(value) !== true) return false
  return FAMILIES[kind].has(type.slice(0, type.indexOf('.')))
}
