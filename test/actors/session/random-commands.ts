/** Random commands of every kind over a small vocabulary, so that duplicates, updates, drift and refusals all occur. */
import fc from 'fast-check'
import { hashText } from '../../../actors/session/record/hash.js'
import type { SessionCommand } from '../../../src/domain/commands/session-commands.js'
import type { IsolationLevel } from '../../../src/domain/session.js'
import { embeddingOf, RIG_DIMENSION, RIG_MODEL, RIG_START } from '../../support/session-rig.js'

const TOPICS = [
  ['the garden needs water', 'roses and tulips in the garden', 'which soil suits the roses?', 'prune the roses in March'],
  ['deploy the server on Friday', 'the server runs out of memory', 'how do I restart the server?', 'the deployment failed at 17:30'],
  ['my flight to Lisbon leaves at noon', 'which hotel in Lisbon is quiet?', 'I booked the flight on 3 May', 'the hotel costs 90 euros']
].flat()

/** Every text a sequence may use. */
export const TEXTS: readonly string[] = [
  ...TOPICS,
  ...TOPICS.slice(0, 6).map((text) => `${text.toUpperCase()}!`),
  'ok',
  '???',
  '東京は晴れです',
  '🙂'
]

const text = fc.constantFrom(...TEXTS)
const userId = fc.constantFrom(undefined, 'ann', 'bob')
const level = fc.constantFrom<IsolationLevel>('OPEN', 'OPEN', 'FILTER', 'QUARANTINE', 'LOCKDOWN')
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
/** Whole seconds near the rig's time; some are in the past when they are used. */
const time = fc.integer({ min: -50, max: 300 }).map((offset) => RIG_START + offset)

/** Drops undefined fields, as a client omits them. */
function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

const run = fc
  .record({
    message: text,
    response: maybe(text),
    userId,
    resetContext: fc.integer({ min: 0, max: 40 }).map((n) => n === 0),
    shortCircuitThreshold: maybe(fc.constantFrom(0.3, 0.85, 1))
  })
  .map((fields): SessionCommand => given({ type: 'session.run' as const, ...fields }))
const store = fc
  .record({ response: text, userId, dedupThreshold: maybe(fc.constantFrom(0.5, 0.85, 1)) })
  .map((fields): SessionCommand => given({ type: 'session.store' as const, ...fields }))
const inject = fc
  .record({
    text,
    embedding: maybe(text.map((one) => embeddingOf(one))),
    tier: fc.constantFrom('short_term' as const, 'long_term' as const),
    importance: fc.constantFrom(0, 1, 3),
    accessCount: fc.nat(3),
    expiresAt: maybe(time)
  })
  .map((fields): SessionCommand => given({ type: 'memory.inject' as const, ...fields }))
const ingest = fc
  .array(
    fc
      .record({
        text,
        role: fc.constantFrom('user' as const, 'assistant' as const, 'synthetic' as const),
        userId,
        timestamp: maybe(time),
        expiresAt: maybe(time)
      })
      .map((fields) => given(fields)),
    { minLength: 1, maxLength: 4 }
  )
  .map((memories): SessionCommand => ({ type: 'memory.ingest', memories }))
const isolation = fc
  .record({
    level,
    excluded: fc.array(text, { maxLength: 1 }),
    allowed: fc.array(text, { maxLength: 2 }),
    similarityThreshold: fc.constantFrom(0.1, 0.3, 0.7)
  })
  .map(({ level: asked, excluded, allowed, similarityThreshold }): SessionCommand => ({
    type: 'isolation.set',
    level: asked,
    exclusionEmbeddings: excluded.map((one) => embeddingOf(one)),
    allowlistEmbeddings: allowed.map((one) => embeddingOf(one)),
    similarityThreshold
  }))

const exchange = fc.record({ question: fc.option(text), answer: text, userId: fc.constantFrom(null, 'ann', 'bob'), timestamp: time })
const deliveryId = fc.integer({ min: 1, max: 6 }).map((n) => `d${n}`)
const users = fc.constantFrom(null, [], ['ann'], ['bob', 'cid'])
/** Commands of other actors. A plain session refuses those that are only for a cluster's session. */
const coordination = fc.oneof(
  fc
    .record({
      deliveryId,
      target: fc.record({ vector: text.map((one) => Float32Array.from(embeddingOf(one))), users }),
      coupling: fc.constantFrom(0, 0.3, 1)
    })
    .map((fields): SessionCommand => ({ type: 'state.blend', modelName: RIG_MODEL, ...fields })),
  fc.constantFrom(0.15, 1).map((maxWeight): SessionCommand => ({ type: 'state.transfer', sourceSessionId: 'source', maxWeight })),
  fc
    .constantFrom('source', 's')
    .map((clusterId): SessionCommand => ({ type: 'membership.add', clusterId, dimension: RIG_DIMENSION, modelName: RIG_MODEL })),
  fc.constant<SessionCommand>({ type: 'membership.remove', clusterId: 'source' }),
  fc.array(exchange, { minLength: 1, maxLength: 3 }).map((exchanges): SessionCommand => ({ type: 'exchange.learn', exchanges })),
  fc
    .array(text, { minLength: 1, maxLength: 3 })
    .map((unlearned): SessionCommand => ({ type: 'exchange.unlearn', hashes: unlearned.map(hashText) })),
  text.map((message): SessionCommand => ({ type: 'exchange.match', message, shortCircuitThreshold: 0.85 })),
  fc.constantFrom('ann', 'bob').map((one): SessionCommand => ({ type: 'user.erase', userId: one }))
)

const edit = fc
  .record({ hash: text.map(hashText), importance: maybe(fc.constantFrom(0, 0.5, 3)), pinned: maybe(fc.boolean()) })
  .map((fields): SessionCommand => given({ type: 'memory.edit' as const, ...fields }))

const key = fc.constantFrom('a', 'b/c', 'src/rose.ts')
const plain = fc.oneof(
  text.map((one): SessionCommand => ({ type: 'memory.delete', hash: hashText(one) })),
  text.map((one): SessionCommand => ({ type: 'session.memory', hash: hashText(one) })),
  text.map((one): SessionCommand => ({ type: 'trigger.set', keyword: one.split(' ')[1] ?? one, threshold: 0.75 })),
  text.map((one): SessionCommand => ({ type: 'trigger.set', embedding: embeddingOf(one), threshold: 0.5 })),
  text.map((one): SessionCommand => ({ type: 'anchor.set', text: one })),
  text.map((one): SessionCommand => ({ type: 'session.dedupCheck', text: one })),
  fc.record({ key, value: text }).map((fields): SessionCommand => ({ type: 'entity.put', kind: 'path', importance: 1, ...fields })),
  key.map((one): SessionCommand => ({ type: 'entity.remove', key: one })),
  fc.constant<SessionCommand>({ type: 'trigger.clear' }),
  fc.constant<SessionCommand>({ type: 'isolation.release' }),
  fc.constant<SessionCommand>({ type: 'session.import', stateDict: { format: 'something else' } }),
  fc.constant<SessionCommand>({ type: 'anchor.set', embedding: [1] }),
  fc.constant<SessionCommand>({ type: 'session.create', dimension: 4, useCortex: false, enableTopicSwitch: true, policyVectors: [] })
)

/** A wait of some seconds, or a command. */
export type Action = { readonly waitS: number } | { readonly command: SessionCommand }

export const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 10, arbitrary: run.map((command) => ({ command })) },
  { weight: 4, arbitrary: store.map((command) => ({ command })) },
  { weight: 4, arbitrary: plain.map((command) => ({ command })) },
  { weight: 2, arbitrary: edit.map((command) => ({ command })) },
  { weight: 2, arbitrary: fc.oneof(inject, ingest).map((command) => ({ command })) },
  { weight: 1, arbitrary: isolation.map((command) => ({ command })) },
  { weight: 3, arbitrary: coordination.map((command) => ({ command })) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 60 }).map((waitS) => ({ waitS })) }
)

/** Commands that show the state of a session without changing it. */
export function looks(): SessionCommand[] {
  return [
    { type: 'session.metrics' },
    { type: 'session.days' },
    { type: 'state.read' },
    { type: 'session.context', topK: 50, fullFirst: false, maxTextChars: 500 },
    { type: 'session.search', query: 'which roses and hotel on the server', topK: 20, filter: {}, explain: false },
    { type: 'anchor.score' },
    { type: 'memory.list', limit: 1000, filter: {} },
    { type: 'entity.list', query: '', maxResults: 100 },
    { type: 'session.probe', testEmbeddings: [embeddingOf('roses'), embeddingOf('the hotel in Lisbon')] }
  ]
}
