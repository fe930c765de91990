/** An erased data subject leaves no trace, and the session continues as if it had never met them. */
import fc from 'fast-check'
import t from 'tap'
import { checksumOf } from '../../../../actors/session/record/document.js'
import { hashText } from '../../../../actors/session/record/hash.js'
import { DELTA } from '../../../../actors/session/record/head.js'
import { stateVector } from '../../../../actors/session/semantic-state/folds.js'
import type { Erased } from '../../../../src/domain/commands/erasure.js'
import { inOneGo } from '../../../../src/domain/pieces.js'
import type { Delta } from '../../../../src/domain/session.js'
import { createSessionRig, differenceOf, embeddingOf, RIG_DIMENSION, type RigSession } from '../../../support/session-rig.js'
import { TEXTS } from '../random-commands.js'

const SECRET = 'My bank password is Wintermute 42'

const erase = (session: RigSession, userId = 'ann'): Promise<Erased> => session.ask({ type: 'user.erase', userId })
const isolated = (level: 'OPEN' | 'QUARANTINE') =>
  ({
    type: 'isolation.set',
    level,
    exclusionEmbeddings: level === 'OPEN' ? [] : [embeddingOf(SECRET)],
    allowlistEmbeddings: [],
    similarityThreshold: 0.7
  }) as const

t.test('an erased user is found nowhere, whatever was written in what role', async (t) => {
  const session = await createSessionRig().create()
  await session.run('Hello there, shall we begin?', { userId: 'bob' })
  await session.run(SECRET, { userId: 'ann' })
  await session.store('Noted, the bank password is Wintermute 42.', { userId: 'ann' })
  await session.store('Anything else?')
  const long = `${'The vault opens at dawn. '.repeat(400)}Wintermute.`
  const memories = [
    { text: long, role: 'user', userId: 'ann' },
    { text: 'Wintermute expires', role: 'synthetic', userId: 'ann', expiresAt: 1 },
    { text: SECRET, role: 'user', userId: 'bob' }
  ] as const
  await session.ask({ type: 'memory.ingest', memories })
  await session.ask(isolated('QUARANTINE'))
  t.equal((await session.run(SECRET, { userId: 'ann' })).isolation.action, 'quarantined')
  t.equal((await session.run(SECRET, { userId: 'bob' })).isolation.action, 'quarantined')
  await session.ask(isolated('OPEN'))
  const own = [...session.state.corpus.ordered()].filter(({ memory }) => memory.userId === 'ann').map(({ memory }) => memory)
  const vectors = own.map(({ vectors: bytes }) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'))

  t.same(await erase(session), { erasedMemories: 3, isAffected: true })
  await session.ask({ type: 'memory.delete', hash: hashText(SECRET) })
  const record = JSON.stringify(await session.record())
  for (const trace of [SECRET, 'Wintermute', 'vault', '"ann"', ...own.map(({ id }) => id), ...vectors]) {
    t.notOk(session.exported().includes(trace), 'export')
    t.notOk(record.includes(trace), 'record')
  }
  t.same(
    (await session.list()).map(({ text }) => text),
    ['Hello there, shall we begin?', 'Anything else?']
  )
  t.equal((await session.metrics()).isolation.quarantinedCount, 0)
  t.same([...session.state.longTexts, ...session.state.expiring], [])
  t.equal((await session.run(SECRET, { userId: 'ann' })).shortCircuit, false)
})

t.test('as many memories as inputs that are held back are all erased', async (t) => {
  const session = await createSessionRig().create()
  await session.run('Hello there, shall we begin?', { userId: 'ann' })
  await session.ask(isolated('QUARANTINE'))
  t.equal((await session.run(SECRET, { userId: 'ann' })).isolation.action, 'quarantined')
  t.same(await erase(session), { erasedMemories: 1, isAffected: true })
  t.same([session.state.held.size, session.state.corpus.size], [0, 0])
})

t.test('an input of somebody else that is held back stays', async (t) => {
  const session = await createSessionRig().create()
  await session.ask(isolated('QUARANTINE'))
  for (const userId of ['ann', 'bob']) t.equal((await session.run(SECRET, { userId })).isolation.action, 'quarantined')
  t.same(await erase(session), { erasedMemories: 0, isAffected: true })
  t.same(
    [...session.state.held.values()].map(({ userId }) => userId),
    ['bob']
  )
  t.same((await session.restored()).held.size, 1)
})

t.test('a message of somebody else that waits for its answer is answered after an erasure', async (t) => {
  const session = await createSessionRig().create()
  await session.run('Which hotel in Lisbon is quiet?', { userId: 'ann' })
  await session.run('Which soil suits the roses?', { userId: 'bob' })
  await erase(session)
  await session.store('One with much loam.')
  t.equal((await session.run('Which soil suits the roses?', { userId: 'bob' })).shortCircuit, true)
})

t.test('an answer of somebody else to an erased question stays and answers nothing', async (t) => {
  const session = await createSessionRig().create()
  await session.run('How do I prune the roses?', { userId: 'ann' })
  await session.store('Cut them in March.', { userId: 'bob' })
  t.equal((await session.run('How do I prune the roses?', { userId: 'bob' })).shortCircuit, true)
  t.equal((await erase(session)).erasedMemories, 1)
  t.same(
    [...session.state.corpus.ordered()].map(({ memory }) => [memory.text, memory.replyTo]),
    [
      ['Cut them in March.', []],
      ['How do I prune the roses?', []]
    ]
  )
  t.equal((await session.run('How do I prune the roses?', { userId: 'bob' })).shortCircuit, false)
})

t.test('an erased message that waits for its answer is answered by nothing later', async (t) => {
  const session = await createSessionRig().create()
  await session.run('Which soil suits the roses?', { userId: 'bob' })
  await session.run('Which hotel in Lisbon is quiet?', { userId: 'ann' })
  await erase(session)
  await session.store('The one by the river.')
  t.equal((await session.run('Which soil suits the roses?', { userId: 'bob' })).shortCircuit, false)
})

t.test('erased again, or of nobody, nothing is written', async (t) => {
  const session = await createSessionRig({ audits: true }).create()
  await session.run(SECRET, { userId: 'ann' })
  await session.run('My own words')
  await erase(session)
  for (const userId of ['ann', 'nobody', 'Ann', '']) {
    t.equal(await session.changes({ type: 'user.erase', userId }), null)
    t.same(await erase(session, userId), { erasedMemories: 0, isAffected: false })
  }
  t.equal((await session.list()).length, 1)
})

t.test('deltas go that folded the user in, or may have; others stay, in the record and over an export', async (t) => {
  const session = await createSessionRig().create()
  await session.run('roses and tulips in the garden', { userId: 'bob' })
  const before = stateVector(session.state)
  const vector = Float32Array.from(embeddingOf('the hotel in Lisbon'))
  const deltas: Delta[] = [['ann', 'bob'], ['bob'], null, []].map((users, at) => ({ id: `d${String(at)}`, vector, turn: 1, users }))
  await restoreWith(session, deltas)
  t.same(
    [...session.state.deltas.values()].map(({ users }) => users),
    [['ann', 'bob'], ['bob'], null, []],
    'imported as they were exported'
  )
  t.same(await erase(session), { erasedMemories: 0, isAffected: true })
  t.same([...session.state.deltas.keys()], ['d1', 'd3'])
  t.same(
    (await session.record()).rows
      .filter(({ collection }) => collection === DELTA)
      .map(({ id }) => id)
      .sort(),
    ['d1', 'd3']
  )
  t.same(await erase(session, 'bob'), { erasedMemories: 1, isAffected: true })
  await session.run('roses and tulips in the garden', { userId: 'bob' })
  await restoreWith(session, [])
  t.equal(differenceOf(stateVector(session.state), before), null)
})

t.test('an export from before deltas knew their users is read as of anybody', async (t) => {
  const session = await createSessionRig().create()
  await restoreWith(session, [{ id: 'old', vector: new Float32Array(RIG_DIMENSION), turn: 0, users: ['bob'] }], (delta) => ({
    id: delta['id'],
    vector: delta['vector'],
    turn: delta['turn']
  }))
  t.same(
    [...session.state.deltas.values()].map(({ users }) => users),
    [null]
  )
})

/** Replaces the session's deltas by restoring a changed export. */
async function restoreWith(
  session: RigSession,
  deltas: readonly Delta[],
  written: (delta: Record<string, unknown>) => Record<string, unknown> = (delta) => delta
) {
  const { checksum: _, ...stateDict } = JSON.parse(session.exported()) as { checksum: string; session: Record<string, unknown> }
  const wire = deltas.map(({ vector, ...delta }) => written({ ...delta, vector: Buffer.from(vector.buffer).toString('base64') }))
  const changed = { ...stateDict, session: { ...stateDict.session, deltas: wire } }
  await session.ask({ type: 'session.import', stateDict: { ...changed, checksum: inOneGo(checksumOf(changed)) } })
}

/** Visible state of a session, without ids and counters. */
async function shown(session: RigSession) {
  const { state } = session
  const text = (id: string) => state.corpus.get(id)?.memory.text
  const segments = state.topics.list().map(({ id }) => state.topics.members(id).map(text).sort())
  const { items } = await session.ask({ type: 'session.context', topK: 50, fullFirst: false, maxTextChars: 500 })
  return {
    vector: stateVector(state),
    folds: state.head.folds.map(({ memoryId, turn: _, ...fold }) => ({ text: text(memoryId), ...fold })),
    segments: segments.sort(),
    context: items.map((item) => ({ text: item.text, relevance: item.relevance })),
    search: (await session.search('roses, the hotel and the server', 50)).map((hit) => ({ text: hit.text, score: hit.score })),
    again: (await session.ask({ type: 'session.dedupCheck', text: TEXTS[0] ?? '' })).maxSim
  }
}

const turn = fc.record({ topic: fc.nat(11), userId: fc.constantFrom('ann', 'bob', undefined), isAnswered: fc.boolean() })

/** Turns of one user that have dropped out of a full log but decided what its first fold says. */
const FORGOTTEN = [
  ...Array.from({ length: 2 }, (_, topic) => ({ topic, userId: 'ann' as const, isAnswered: true })),
  ...Array.from({ length: 56 }, (_, at) => ({ topic: at % 12, userId: 'bob' as const, isAnswered: true }))
]

for (const [length, runs] of [
  [24, 15],
  [90, 4]
] as const) {
  t.test(`of up to ${String(length)} turns, the erased ones of one user leave a session as one that never had them`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: length / 2, maxLength: length }), async (turns) => {
        const rig = createSessionRig({ updateThreshold: 1 })
        const [told, spared] = [await rig.create('told'), await rig.create('spared')]
        for (const [at, { topic, userId, isAnswered }] of turns.entries()) {
          rig.advance(30)
          for (const session of userId === 'ann' ? [told] : [told, spared]) {
            const by = userId === undefined ? {} : { userId }
            await session.run(`${TEXTS[topic] ?? ''} n${String(at)}`, by)
            if (isAnswered) await session.store(`Understood, ${TEXTS[(topic + at) % 12] ?? ''} r${String(at)}`, by)
          }
        }
        await erase(told)
        const difference = differenceOf(await shown(told), await shown(spared))
        if (difference !== null) throw new Error(difference)
        const restored = differenceOf(stateVector(await told.restored()), stateVector(spared.state))
        if (restored !== null) throw new Error(`restored: ${restored}`)
      }),
      { numRuns: runs, examples: length === 90 ? [[FORGOTTEN]] : [], endOnFailure: true }
    )
  })
}
