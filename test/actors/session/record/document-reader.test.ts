import fc from 'fast-check'
import t from 'tap'
import { hashText } from '../../../../actors/session/record/hash.js'
import { checksumOf } from '../../../../actors/session/record/document.js'
import type { SessionCommand } from '../../../../src/domain/commands/session-commands.js'
import * as limits from '../../../../src/domain/limits.js'
import { inOneGo } from '../../../../src/domain/pieces.js'
import { createSessionRig, embeddingOf, RIG_DIMENSION, RIG_START } from '../../../support/session-rig.js'

type Row = Record<string, unknown>
type Lists = Record<'memories' | 'anchors' | 'triggers' | 'deltas' | 'held' | 'entities', Row[]>
type StateDict = Row & { readonly session: Lists & { readonly head: Row } }

/** Two UTF-16 units that are one character. */
const PAIR = '\u{1f600}'

const base64 = (vectors: Float32Array): string => Buffer.from(vectors.buffer).toString('base64')
const VECTOR = base64(Float32Array.from(embeddingOf('a')))

/** The export as changed by someone who knows how its checksum is made. */
function changed(exported: string, change: (session: StateDict['session']) => void): SessionCommand {
  const { checksum: _, ...stateDict } = JSON.parse(exported) as StateDict
  change(stateDict.session)
  const counted = { ...stateDict, memory_count: stateDict.session.memories.length }
  return { type: 'session.import', stateDict: { ...counted, checksum: inOneGo(checksumOf(counted)) } }
}

t.test('what is no export of a session is refused as such, and one of a later version by its version', async (t) => {
  const session = await createSessionRig().create()
  const own = JSON.parse(session.exported()) as Record<string, unknown>
  for (const stateDict of [{}, { ...own, format: 'other', version: 99 }])
    await t.rejects(session.ask({ type: 'session.import', stateDict }), { message: /state_dict is not an export of a session/ })
  await t.rejects(session.ask({ type: 'session.import', stateDict: { ...own, version: 99 } }), { message: /state_dict is of version 99/ })
})

/** Creates a session with one of everything, and its export. */
async function full() {
  const rig = createSessionRig()
  const session = await rig.create()
  await session.run('the roses need water', { userId: 'ann' })
  await session.ask({ type: 'trigger.set', keyword: 'water', threshold: 0.5 })
  await session.ask({ type: 'anchor.set', text: 'roses' })
  await session.ask({ type: 'entity.put', key: 'k', kind: 'path', value: 'v', context: 'c', importance: 1 })
  const deliveryId = 'd'
  const target = { vector: Float32Array.from(embeddingOf('tulips')), users: ['bob'] }
  await session.ask({ type: 'state.blend', deliveryId, target, modelName: session.state.head.settings.modelName, coupling: 0.5 })
  await session.ask({
    type: 'isolation.set',
    level: 'LOCKDOWN',
    exclusionEmbeddings: [],
    allowlistEmbeddings: [embeddingOf('a')],
    similarityThreshold: 0.9
  })
  return { rig, session, exported: session.exported() }
}

const HELD: Row = { id: 'h', seq: 1, text: 'a', user_id: null, timestamp: 0, part_ends: [1], vectors: VECTOR }

function memoryOf(session: Lists): Row {
  return session.memories[0]?.['memory'] as Row
}

/** Gives a memory or a held input another text, of one part. */
function retell(row: Row, text: string): void {
  Object.assign(row, { text, part_ends: [text.length] }, 'hash' in row ? { hash: hashText(text) } : {})
}

/** For each field that the routes bound: a change that sets it to a text, and its most characters. */
const BOUNDS: Readonly<Record<string, readonly [(session: Lists, text: string) => void, number]>> = {
  'text of a memory': [(session, text) => retell(memoryOf(session), text), limits.TEXT_LENGTH_MAX],
  'data subject of a memory': [(session, text) => (memoryOf(session)['user_id'] = text), limits.USER_ID_LENGTH_MAX],
  'text of a held input': [(session, text) => retell(session.held[0]!, text), limits.TEXT_LENGTH_MAX],
  'data subject of a held input': [(session, text) => (session.held[0]!['user_id'] = text), limits.USER_ID_LENGTH_MAX],
  'text of an anchor': [(session, text) => (session.anchors[0]!['text'] = text), limits.TEXT_LENGTH_MAX],
  keyword: [(session, text) => (session.triggers[0]!['keyword'] = text), limits.KEYWORD_LENGTH_MAX],
  'key of an entity': [(session, text) => (session.entities[0]!['key'] = text), limits.ENTITY_KEY_LENGTH_MAX],
  'context of an entity': [(session, text) => (session.entities[0]!['context'] = text), limits.TEXT_LENGTH_MAX],
  'value of an entity': [(session, text) => (session.entities[0]!['value'] = text), limits.ENTITY_VALUE_BYTES_MAX / 4],
  'data subject of a delta': [(session, text) => (session.deltas[0]!['users'] = [text]), limits.USER_ID_LENGTH_MAX]
}

t.test('texts are bounded as the routes bound them, in characters', async (t) => {
  const { session, exported } = await full()
  for (const [name, [change, max]] of Object.entries(BOUNDS)) {
    const asked = (text: string) =>
      session.refusal(
        changed(exported, (own) => {
          own.held.push({ ...HELD })
          change(own, text)
        })
      )
    t.equal(await asked(PAIR.repeat(max)), 'accepted', `${name} of ${max} characters`)
    t.equal(await asked(`${PAIR.repeat(max)}x`), 'malformed_payload', `${name} of one more`)
  }
})

/** Changes that no route could have made. */
const FOREIGN: Readonly<Record<string, (session: StateDict['session']) => void>> = {
  'more parts than the model makes of a text': (session) => {
    const memory = memoryOf(session)
    retell(memory, 'ab'.repeat(8))
    memory['part_ends'] = Array.from({ length: 16 }, (_, at) => at + 1)
    memory['vectors'] = base64(new Float32Array(16 * RIG_DIMENSION))
  },
  'more parts than the model makes of a held input': (session) => {
    const held = { ...HELD, text: 'ab'.repeat(2), part_ends: [1, 2, 3, 4], vectors: base64(new Float32Array(4 * RIG_DIMENSION)) }
    session.held.push(held)
  },
  'a topic segment beyond those that a session keeps apart': (session) => ((session.memories[0]?.['stats'] as Row)['segment'] = 64),
  'a question named twice': (session) => (memoryOf(session)['reply_to'] = [memoryOf(session)['id'], memoryOf(session)['id']]),
  'a data subject named twice': (session) => (session.deltas[0]!['users'] = ['ann', 'ann']),
  'a delta of a turn to come': (session) => (session.deltas[0]!['turn'] = 2),
  'more deltas than a session has': (session) => {
    session.deltas = Array.from({ length: 257 }, (_, at) => ({ id: `d${at}`, vector: VECTOR, turn: 1, users: [] }))
  },
  'entities of more bytes than a session has': (session) => {
    const value = 'v'.repeat(limits.ENTITY_VALUE_BYTES_MAX)
    session.entities = Array.from({ length: 33 }, (_, at) => ({ ...session.entities[0], key: `k${at}`, value }))
  },
  'a vector of more numbers than there may be': (session) => (session.anchors[0]!['embedding'] = 'AAAA'.repeat(22_000)),
  'a memory before the first one': (session) => (memoryOf(session)['seq'] = 0),
  'an input that is held before the first one': (session) => void session.held.push({ ...HELD, seq: 0 }),
  'a policy vector of no weight': ({ head }) => ((head['settings'] as Row)['policy_vectors'] = [{ embedding: VECTOR, promote: true }]),
  'a field of a memory that none has': (session) => (memoryOf(session)['extra'] = 1),
  'a field of settings that none have': ({ head }) => ((head['settings'] as Row)['extra'] = 1),
  'a model of an endless name': ({ head }) => ((head['settings'] as Row)['model_name'] = 'm'.repeat(513))
}

t.test('an export of every phase of drift is taken in', async (t) => {
  const { session, exported } = await full()
  for (const phase of ['stable', 'shifting', 'drifted']) {
    const asked = changed(exported, ({ head }) => Object.assign(head, { drift_phase: phase }))
    t.equal(await session.refusal(asked), 'accepted', phase)
    t.equal((JSON.parse(session.exported()) as StateDict).session.head['drift_phase'], phase)
  }
})

for (const [name, change] of Object.entries(FOREIGN)) {
  t.test(`an export with ${name} is malformed`, async (t) => {
    const { session, exported } = await full()
    t.equal(await session.refusal(changed(exported, () => undefined)), 'accepted')
    t.equal(await session.refusal(changed(exported, change)), 'malformed_payload')
    t.equal(session.exported(), exported)
  })
}

/** Texts of up to `max` characters, often exactly that many, some of them of two UTF-16 units. */
function texts(max: number): fc.Arbitrary<string> {
  const length = fc.oneof(fc.integer({ min: 1, max: Math.min(40, max) }), fc.constant(max))
  const unit = fc.constantFrom('a', ' b', '. ', '\u00e9', PAIR, 'wortlos ')
  return fc.tuple(length, fc.array(unit, { minLength: 1, maxLength: 5 })).map(([count, units]) => {
    const all = [...units.join('').repeat(count)].slice(0, count).join('')
    return all.trim() === '' ? `x${all.slice(1)}` : all
  })
}

const longText = fc.oneof({ weight: 5, arbitrary: texts(2_000) }, { weight: 1, arbitrary: texts(limits.TEXT_LENGTH_MAX) })
const userId = texts(limits.USER_ID_LENGTH_MAX)
const accepted: fc.Arbitrary<SessionCommand> = fc.oneof(
  fc.record({ message: longText, userId }).map((own): SessionCommand => ({ type: 'session.run', resetContext: false, ...own })),
  fc.record({ response: longText, userId }).map((own): SessionCommand => ({ type: 'session.store', ...own })),
  fc
    .record({ text: longText, userId, importance: fc.double({ min: 0, max: limits.FLOAT32_MAX, noNaN: true }) })
    .map((own): SessionCommand => ({ type: 'memory.ingest', memories: [{ role: 'user', ...own }] })),
  fc.record({ key: texts(limits.ENTITY_KEY_LENGTH_MAX), value: longText, context: longText }).map((own): SessionCommand => ({
    type: 'entity.put',
    kind: 'class',
    importance: Number.MAX_VALUE,
    ...own
  })),
  texts(limits.KEYWORD_LENGTH_MAX).map((keyword): SessionCommand => ({ type: 'trigger.set', keyword, threshold: -1 })),
  longText.map((text): SessionCommand => ({ type: 'anchor.set', text })),
  fc.constant<SessionCommand>({
    type: 'isolation.set',
    level: 'QUARANTINE',
    exclusionEmbeddings: [],
    allowlistEmbeddings: [embeddingOf('zebra')],
    similarityThreshold: 1
  })
)

t.test('whatever the routes accept can be exported and imported', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(accepted, { minLength: 1, maxLength: 8 }), async (commands) => {
      const rig = createSessionRig()
      const session = await rig.create()
      for (const command of commands) await session.refusal(command)
      const exported = session.exported()
      const copy = await rig.open('copy', { type: 'session.import', stateDict: JSON.parse(exported) as unknown })
      return copy.exported() === exported && rig.now === RIG_START
    }),
    { numRuns: 40 }
  )
})
