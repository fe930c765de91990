/** The semantic state as other actors read and move it. */
import fc from 'fast-check'
import t from 'tap'
import type { SessionState } from '../../../../actors/session/record/state.js'
import { stateVector } from '../../../../actors/session/semantic-state/folds.js'
import type { BlendState } from '../../../../src/domain/commands/coordination-commands.js'
import { STATE_FOLDS } from '../../../../src/domain/similarity/semantic-state.js'
import { norm, normalised, similarity } from '../../../../src/domain/similarity/vector.js'
import { lexicalVector } from '../../../../src/domain/words/lexical-features.js'
import { createSessionRig, differenceOf, embeddingOf, RIG_DIMENSION, RIG_START, type RigSession } from '../../../support/session-rig.js'
import { TEXTS } from '../random-commands.js'

const ROSES = normalised(lexicalVector('roses and tulips in the garden', RIG_DIMENSION))
const SERVER = normalised(lexicalVector('the server runs out of memory', RIG_DIMENSION))

let deliveries = 0
const blend = (modelName: string, vector: Float32Array, coupling: number, own: Partial<BlendState> = {}): BlendState => ({
  type: 'state.blend',
  deliveryId: `d${(deliveries += 1)}`,
  target: { vector, users: [] },
  modelName,
  coupling,
  ...own
})

function vectorOf(state: SessionState): Float32Array {
  const vector = stateVector(state)
  if (vector === null) throw new Error('the session has no direction')
  return vector
}

const mixed = (own: number, other: number, share: number) => (1 - share) * own + share * other

const apart = (a: Float32Array, b: Float32Array) => Math.max(...a.map((value, at) => Math.abs(value - (b[at] ?? 0))))

async function talked(
  rig: ReturnType<typeof createSessionRig>,
  id = 's',
  texts: readonly string[] = ['prune the roses in March', 'which soil suits the roses?']
): Promise<RigSession> {
  const session = await rig.create(id)
  for (const text of texts) await session.run(text)
  return session
}

t.test('coupling 1 gives exactly the target, whatever the session is', async () => {
  const text = fc.constantFrom(...TEXTS)
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 8 }),
      text,
      fc.array(fc.tuple(text, fc.double({ min: 0.05, max: 1, noNaN: true })), { maxLength: 8 }),
      fc.boolean(),
      async (texts, target, before, isAnchored) => {
        const rig = createSessionRig()
        const session = await talked(rig, 's', texts)
        if (isAnchored) {
          await session.ask({ type: 'anchor.set', text: 'my flight to Lisbon leaves at noon' })
          await session.run('something else entirely')
        }
        for (const [other, coupling] of before)
          await session.ask(blend(rig.embedder.modelName, normalised(lexicalVector(other, RIG_DIMENSION)), coupling))
        const vector = normalised(lexicalVector(target, RIG_DIMENSION))
        if (norm(vector) === 0) return
        const own = stateVector(session.state)
        const { isApplied } = await session.ask(blend(rig.embedder.modelName, vector, 1))
        if (!isApplied || apart(vectorOf(session.state), vector) > 1e-6)
          throw new Error(`off by ${apart(vectorOf(session.state), vector)} from ${String(own === null)}`)
        if (apart(vectorOf(await session.restored()), vector) > 1e-6) throw new Error('storage gives back another state')
      }
    ),
    { numRuns: 60 }
  )
})

t.test('coupling 0 changes nothing and writes nothing', async (t) => {
  const rig = createSessionRig()
  const session = await talked(rig)
  const before = session.exported()
  t.equal(await session.changes(blend(rig.embedder.modelName, SERVER, 0)), null)
  t.same(await session.ask(blend(rig.embedder.modelName, SERVER, 0)), { isApplied: false })
  t.equal(session.exported(), before)
})

t.test('a coupling between moves the state to the weighted mean of both', async (t) => {
  const rig = createSessionRig()
  for (const coupling of [0.1, 0.5, 0.9]) {
    const session = await talked(rig, `s${coupling}`)
    const own = vectorOf(session.state)
    await session.ask(blend(rig.embedder.modelName, SERVER, coupling))
    const wanted = normalised(own.map((value, at) => (1 - coupling) * value + coupling * (SERVER[at] ?? 0)))
    t.ok(apart(vectorOf(session.state), wanted) < 1e-6, `coupling ${coupling}`)
  }
})

t.test('a session without a state takes on the target with the weight of the coupling', async (t) => {
  const rig = createSessionRig()
  const heavy = await rig.create('heavy')
  const light = await rig.create('light')
  await heavy.ask(blend(rig.embedder.modelName, SERVER, 1))
  await light.ask(blend(rig.embedder.modelName, SERVER, 0.2))
  for (const { state } of [heavy, light]) t.ok(apart(vectorOf(state), SERVER) < 1e-6)
  for (const session of [heavy, light]) await session.run('prune the roses in March')
  t.ok(similarity(vectorOf(light.state), SERVER) < similarity(vectorOf(heavy.state), SERVER))
})

t.test('an opposite target half-way is not applied: there is no direction between', async (t) => {
  const rig = createSessionRig()
  const session = await talked(rig)
  const opposite = vectorOf(session.state).map((value) => -value)
  t.same(await session.ask(blend(rig.embedder.modelName, opposite, 0.5)), { isApplied: false })
})

t.test('a blend fades as the session goes on, and leaves no row when it has', async (t) => {
  const rig = createSessionRig()
  const session = await talked(rig)
  await session.ask(blend(rig.embedder.modelName, SERVER, 1))
  let last = 1
  for (let turn = 0; turn < STATE_FOLDS; turn++) {
    await session.run(`prune the roses in March ${turn}`)
    if (turn % 16 !== 0) continue
    const now = similarity(vectorOf(session.state), SERVER)
    t.ok(now < last, `turn ${turn}`)
    last = now
  }
  const spared = await talked(rig, 'spared')
  for (let turn = 0; turn < STATE_FOLDS; turn++) await spared.run(`prune the roses in March ${turn}`)
  t.equal(differenceOf(vectorOf(session.state), vectorOf(spared.state), 1e-6), null)
  await session.ask(blend(rig.embedder.modelName, SERVER, 0.5))
  t.equal(session.state.deltas.size, 1)
  t.equal((await session.record()).rows.filter(({ collection }) => collection === 'delta').length, 1)
})

t.test('the same delivery again changes nothing, also after a restart and after a reset', async (t) => {
  const rig = createSessionRig()
  const session = await talked(rig)
  const command = blend(rig.embedder.modelName, SERVER, 0.4)
  await session.ask(command)
  const before = session.exported()
  t.same(await session.ask(command), { isApplied: true })
  t.equal(session.exported(), before)
  const restored = await session.restored()
  t.same(await session.askOther(restored, command), { isApplied: true })
  t.equal(restored.deltas.size, 1)
  await session.run('hello again', { resetContext: true })
  await session.ask(command)
  t.equal(session.state.deltas.size, 0)
})

t.test('a target of another dimension or model is not applied', async (t) => {
  const rig = createSessionRig()
  const session = await talked(rig)
  const before = session.exported()
  t.same(await session.ask(blend(rig.embedder.modelName, SERVER.slice(1), 1)), { isApplied: false })
  t.same(await session.ask(blend('another-model', SERVER, 1)), { isApplied: false })
  t.equal(session.exported(), before)
})

t.test('many blends between two turns stay few rows and add up as if they were kept apart', async (t) => {
  const rig = createSessionRig()
  const session = await talked(rig)
  let wanted = vectorOf(session.state)
  for (let n = 0; n < 40; n++) {
    const target = n % 2 === 0 ? SERVER : ROSES
    await session.ask(blend(rig.embedder.modelName, target, 0.3, { target: { vector: target, users: [`u${n}`] } }))
    const own = wanted
    wanted = normalised(own.map((value, at) => 0.7 * value + 0.3 * (target[at] ?? 0)))
  }
  t.equal(session.state.deltas.size, 4)
  t.ok(apart(vectorOf(session.state), wanted) < 1e-5)
  t.equal(new Set([...session.state.deltas.values()].flatMap(({ users }) => users ?? [])).size, 40)
})

t.test('a blend ends a realignment under way', async (t) => {
  const rig = createSessionRig()
  const session = await talked(rig)
  await session.ask({ type: 'anchor.set', text: 'my flight to Lisbon leaves at noon' })
  await session.run('the server runs out of memory')
  t.ok(session.state.head.realignmentRemaining > 0)
  await session.ask(blend(rig.embedder.modelName, SERVER, 0.5))
  t.equal(session.state.head.realignmentRemaining, 0)
})

t.test('a delta names everybody whose memories it is made of, those of its own session included', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  await session.run('prune the roses in March', { userId: 'ann' })
  await session.run('which soil suits the roses?')
  await session.ask(blend(rig.embedder.modelName, SERVER, 0.5, { target: { vector: SERVER, users: ['bob'] } }))
  t.same(
    [...session.state.deltas.values()].map(({ users }) => [...(users ?? [])].sort()),
    [['ann', 'bob']]
  )
  t.same([...((await session.ask({ type: 'state.read' })).state?.users ?? [])].sort(), ['ann', 'bob'])
  await session.ask(blend(rig.embedder.modelName, SERVER, 0.5, { target: { vector: SERVER, users: null } }))
  t.equal((await session.ask({ type: 'state.read' })).state?.users, null)
})

t.test('an erased data subject takes along every delta that may hold something of it', async (t) => {
  const rig = createSessionRig()
  const [session, spared] = [await rig.create('s'), await rig.create('spared')]
  await session.run('deploy the server on Friday', { userId: 'ann' })
  for (const one of [session, spared]) await one.run('which soil suits the roses?', { userId: 'bob' })
  await session.ask(blend(rig.embedder.modelName, ROSES, 0.5, { target: { vector: ROSES, users: ['bob'] } }))
  await session.ask({ type: 'user.erase', userId: 'ann' })
  t.equal(session.state.deltas.size, 0, 'it was made against a state that held something of ann')
  t.equal(differenceOf(vectorOf(session.state), vectorOf(spared.state), 1e-5), null)
})

t.test('a transfer adds the scaled difference of the two states', async (t) => {
  for (const maxWeight of [0, 0.15, 1]) {
    const rig = createSessionRig()
    const target = await talked(rig, 'target')
    const source = await talked(rig, 'source', ['the server runs out of memory', 'deploy the server on Friday'])
    const [own, other] = [vectorOf(target.state), vectorOf(source.state)]
    const delta = other.map((value, at) => maxWeight * (value - (own[at] ?? 0)))
    const reply = await target.ask({ type: 'state.transfer', sourceSessionId: 'source', maxWeight })
    t.equal(reply.appliedWeight, maxWeight)
    t.same(rig.counted, ['transfer'])
    t.ok(Math.abs(reply.deltaNorm - norm(delta)) < 1e-6)
    const wanted = normalised(own.map((value, at) => value + (delta[at] ?? 0)))
    t.ok(apart(vectorOf(target.state), wanted) < 1e-6, `weight ${maxWeight}`)
    t.ok(apart(vectorOf(await target.restored()), wanted) < 1e-6)
    t.ok(apart(vectorOf(source.state), other) === 0, 'the source stays as it was')
  }
})

t.test('a transfer after others moves the state as far as the first one would', async (t) => {
  const rig = createSessionRig()
  const target = await rig.create('target')
  const texts = ['the server runs out of memory', 'my flight to Lisbon leaves at noon', 'prune the roses in March']
  const sources = await Promise.all(texts.map((text, at) => talked(rig, `source-${at}`, [text])))
  for (const maxWeight of [0.5, 0.3, 1, 0.7, 0.9, 1]) {
    for (const [at, source] of sources.entries()) {
      const own = stateVector(target.state)
      const wanted = normalised(vectorOf(source.state).map((value, i) => (own === null ? value : mixed(own[i] ?? 0, value, maxWeight))))
      await target.ask({ type: 'state.transfer', sourceSessionId: `source-${at}`, maxWeight })
      t.ok(apart(vectorOf(target.state), wanted) < 1e-5, `source ${at}, weight ${maxWeight}`)
    }
  }
})

t.test('a transfer between sessions of which one has no state is that of the other or nothing', async (t) => {
  const rig = createSessionRig()
  const empty = await rig.create('empty')
  const source = await talked(rig, 'source')
  t.same(await source.ask({ type: 'state.transfer', sourceSessionId: 'empty', maxWeight: 0.5 }), { deltaNorm: 0, appliedWeight: 0.5 })
  const { deltaNorm } = await empty.ask({ type: 'state.transfer', sourceSessionId: 'source', maxWeight: 0.5 })
  t.ok(Math.abs(deltaNorm - 0.5) < 1e-6)
  t.ok(apart(vectorOf(empty.state), vectorOf(source.state)) < 1e-6)
})

t.test('a transfer from a session that is missing or of another width is refused and says so', async (t) => {
  const rig = createSessionRig()
  const target = await talked(rig, 'target')
  await rig.create('narrow', { dimension: 64 })
  const from = (sourceSessionId: string) => target.ask({ type: 'state.transfer', sourceSessionId, maxWeight: 0.5 })
  await t.rejects(from('nobody'), { code: 'session_missing', message: 'Source session not found' })
  await t.rejects(from('narrow'), { code: 'invalid_input', loc: ['source_session_id'] })
  t.equal(target.state.deltas.size, 0)
})

t.test('what is removed while a transfer is prepared refuses it: what was read may hold it', async (t) => {
  const rig = createSessionRig()
  const target = await talked(rig, 'target')
  await talked(rig, 'source')
  const transferring = target.ask({ type: 'state.transfer', sourceSessionId: 'source', maxWeight: 0.5 })
  target.state.removals += 1
  await t.rejects(transferring, { code: 'busy' })
  t.equal(target.state.deltas.size, 0)
})

t.test('what others read of a session is its state and its standing', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  t.equal((await session.ask({ type: 'state.read' })).state, null)
  await session.ask({
    type: 'memory.inject',
    text: 'The garden is 400 m²',
    tier: 'long_term',
    importance: 1,
    accessCount: 0,
    embedding: embeddingOf('garden')
  })
  await session.run('prune the roses in March')
  t.equal(await session.changes({ type: 'state.read' }), null)
  const { state, ...view } = await session.ask({ type: 'state.read' })
  t.same(view, {
    dimension: RIG_DIMENSION,
    modelName: rig.embedder.modelName,
    madeAt: RIG_START,
    phase: 'initialization',
    driftPhase: 'stable',
    driftScore: 0,
    interactionCount: 1,
    totalMemories: 2
  })
  t.ok(state !== null && apart(state.vector, vectorOf(session.state)) === 0)
})
