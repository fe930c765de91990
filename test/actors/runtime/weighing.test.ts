/** Weights of records: updated step by step as if weighed anew, stored in their heads, and never above the budget of a record. */
import fc from 'fast-check'
import t from 'tap'
import { exactGrowth } from '../../../actors/session/growth.js'
import { documentJson, documentOf } from '../../../actors/session/record/document.js'
import type { SessionState } from '../../../actors/session/record/state.js'
import type { Address } from '../../../src/domain/address.js'
import type { SessionCommand } from '../../../src/domain/commands/session-commands.js'
import { isDomainError } from '../../../src/domain/errors.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { totalOf, type Weight } from '../../../src/domain/fairness/weight.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { storedWeight } from '../../../actors/runtime/host.js'
import { hosted, hostOf } from '../../support/hosted.js'
import { createSessionRig, embeddingOf, RIG_DIMENSION, RIG_MODEL } from '../../support/session-rig.js'
import { action } from '../session/random-commands.js'

const ADDRESS: Address = { kind: 'session', subject: 'tester', id: 's' }

/** Bytes that a step adds apart from its command's content: folds, fired triggers, links, access counts, deliveries. */
const STEP_BYTES = 3_000

/** The session's own state. */
function innerOf({ state }: { readonly state: unknown }): SessionState {
  return state as SessionState
}

/** Creates a session that is weighed, with a storage of its own. */
async function weighed(recordBytesMax: number, first: Partial<Extract<SessionCommand, { type: 'session.create' }>> = {}) {
  const rig = createSessionRig()
  await (await rig.create('source')).run('the ferry to Lisbon')
  const counted: string[] = []
  const counters = { count: (occurrence: { name: string }) => void counted.push(occurrence.name) }
  const host = hostOf(rig.behaviour, { recordBytesMax, counters })
  const behaviour = hosted(host)
  const storage = createMemoryStorage({ retains: true })
  const request = () => ({ now: rig.now, requestId: 'r' })
  const create: SessionCommand = {
    type: 'session.create',
    dimension: RIG_DIMENSION,
    useCortex: false,
    enableTopicSwitch: true,
    policyVectors: [],
    ...first
  }
  const made = await behaviour.initiate(create, { address: ADDRESS, ...request() })
  if (made === null) throw new Error('not made')
  let token = await storage.create(ADDRESS, structuredClone(made.changes))
  if (token === null) throw new Error('it was there')
  const life = { ...made.life, token }
  const weight = (): Weight => behaviour.weigh(life)
  async function ask(command: SessionCommand): Promise<string> {
    try {
      const { changes } = await behaviour.run(life, command, request())
      if (changes !== null && token !== null) token = await storage.commit(ADDRESS, token, structuredClone(changes))
      return 'accepted'
    } catch (error) {
      if (isDomainError(error)) return error.code
      throw error
    }
  }
  const stored = async () => structuredClone(await storage.activate(ADDRESS).then((record) => ((token = record?.token ?? null), record)))
  return { rig, host, behaviour, life, ask, weight, stored, counted }
}

t.test('the weight of a session is what weighing it anew gives, and what its head tells, after any commands', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 30 }), async (actions) => {
      const session = await weighed(Infinity)
      for (const step of actions) {
        if ('waitS' in step) session.rig.advance(step.waitS)
        else await session.ask(step.command)
      }
      const record = await session.stored()
      if (record === null) throw new Error('gone')
      const anew = session.behaviour.weigh(session.behaviour.restore(ADDRESS, record))
      const told = storedWeight(session.host, record.head)
      const kept = session.weight()
      // The weight stored in a head takes some bytes itself.
      const isSame =
        Math.abs(anew.heap - kept.heap) < 200 &&
        anew.buffers === kept.buffers &&
        Math.abs(told.heap - kept.heap) < 200 &&
        told.buffers === kept.buffers
      if (!isSame) throw new Error(JSON.stringify({ kept, anew, told }))
    }),
    { numRuns: 15 }
  )
})

t.test('what a command is expected to add is at least what it adds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 20 }), async (actions) => {
      const session = await weighed(Infinity)
      for (const step of actions) {
        if ('waitS' in step) continue
        const { command } = step
        const before = session.weight()
        const texts = new Map(
          [...JSON.stringify(command).matchAll(/"(?:message|response|text|question|answer)":"([^"]*)"/g)].map(([, text]) => [
            text ?? '',
            { partEnds: [1] }
          ])
        )
        const bound = inOneGo(exactGrowth({ state: innerOf(session.life), texts }, command))
        await session.ask(command)
        const grown = totalOf(session.weight()) - totalOf(before)
        if (grown > totalOf(bound) + STEP_BYTES)
          throw new Error(`${command.type} was expected to add ${totalOf(bound)}, and added ${grown}`)
      }
    }),
    { numRuns: 10 }
  )
})

/** Every command that makes a session larger, each by some bytes. */
const GROWING: readonly ((n: number) => SessionCommand)[] = [
  (n) => ({ type: 'session.run', message: `a question, number ${n}, of this and that`, resetContext: false }),
  (n) => ({ type: 'session.store', response: `an answer, number ${n}, to this and that` }),
  (n) => ({
    type: 'memory.inject',
    text: `injected ${n}`,
    embedding: embeddingOf(`x${n}`),
    tier: 'short_term',
    importance: 1,
    accessCount: 0
  }),
  (n) => ({
    type: 'memory.ingest',
    memories: [
      { text: `ingested ${n}`, role: 'user' },
      { text: `ingested too ${n}`, role: 'user' }
    ]
  }),
  (n) => ({
    type: 'exchange.learn',
    exchanges: [{ question: `why ${n}?`, answer: `because of ${n}`, userId: null, questionUserId: null }]
  }),
  (n) => ({ type: 'anchor.set', embedding: embeddingOf(`anchor ${n}`) }),
  (n) => ({ type: 'trigger.set', embedding: embeddingOf(`trigger ${n}`), threshold: 0.5 }),
  (n) => ({ type: 'trigger.set', keyword: `keyword${n}`, threshold: 0.5 }),
  (n) => ({ type: 'entity.put', key: `k${n}`, kind: 'path', value: 'v'.repeat(1_000), importance: 1 }),
  (n) => ({
    type: 'isolation.set',
    level: 'OPEN',
    exclusionEmbeddings: Array.from({ length: n + 1 }, () => embeddingOf('no')),
    allowlistEmbeddings: [],
    similarityThreshold: 0.7
  }),
  (n) => ({
    type: 'state.blend',
    deliveryId: `d${n}`,
    target: { vector: Float32Array.from(embeddingOf(`blend ${n}`)), users: [] },
    modelName: RIG_MODEL,
    coupling: 0.5
  })
]

for (const growing of GROWING) {
  const { type, ...fields } = growing(0)
  t.test(`${type} (${Object.keys(fields).join(', ')}): a session that is full refuses it, and is as it was`, async (t) => {
    const free = await weighed(Infinity)
    const recordBytesMax = totalOf(free.weight()) + 30_000
    const session = await weighed(recordBytesMax)
    let refused = 'accepted'
    for (let n = 0; refused === 'accepted' && n < 300; n++) {
      // Moves the turn on, because deltas of the same turn are summed into one.
      if (type === 'state.blend') innerOf(session.life).head = { ...innerOf(session.life).head, interactionCount: Math.floor(n / 4) }
      const before = structuredClone(await session.stored())
      refused = await session.ask(growing(n))
      if (refused !== 'accepted') t.same((await session.stored())?.rows, before?.rows, 'nothing was written')
      t.ok(totalOf(session.weight()) <= recordBytesMax + STEP_BYTES, `${totalOf(session.weight())} of ${recordBytesMax}`)
    }
    t.match(refused, /^(record_full|limit_reached)$/)
    if (type !== 'trigger.set' && type !== 'anchor.set') t.equal(refused, 'record_full')
    if (refused === 'record_full') t.ok(session.counted.includes('memory_refusal'))
    t.equal(await session.ask({ type: 'session.metrics' }), 'accepted', 'it can be read')
    if (/^(session|memory|exchange)/.test(type))
      t.equal(await session.ask({ type: 'session.run', message: 'begin anew', resetContext: true }), 'accepted', 'a reset makes room')
  })
}

t.test('a session that would be too large from the start is not made', async (t) => {
  const policyVectors = Array.from({ length: 64 }, () => ({ embedding: embeddingOf('policy'), weight: 1, promote: true }))
  await t.rejects(weighed(60_000, { policyVectors: [...policyVectors, ...policyVectors] }), {
    code: 'record_full',
    message: /SERVICE_MAX_SESSION_BYTES/
  })
})

t.test('a document that would not fit replaces nothing', async (t) => {
  const large = await weighed(Infinity)
  for (let n = 0; n < 30; n++) await large.ask({ type: 'session.store', response: `fact number ${n} is ${'very '.repeat(n)} long` })
  const small = await weighed(totalOf(large.weight()) - 20_000)
  await small.ask({ type: 'session.store', response: 'this stays' })
  const before = await small.stored()
  const stateDict: unknown = JSON.parse([...documentJson(documentOf(innerOf(large.life)))].join(''))
  t.equal(await small.ask({ type: 'session.import', stateDict }), 'record_full')
  t.same((await small.stored())?.rows, before?.rows)
  t.equal(await large.ask({ type: 'session.import', stateDict }), 'accepted')
})

t.test('a head of before records were weighed is guessed from what it tells', async (t) => {
  const { host } = await weighed(Infinity)
  const settings = { dimension: 16_384 }
  const guess = storedWeight(host, { session: { settings }, memoryCount: 1_000, expiresNext: null })
  t.ok(guess.buffers >= 2 * 1_000 * 65_536)
})
