import t from 'tap'
import { mostSimilar } from '../../../../actors/session/recall/similar.js'
import { FACT_COMPARISONS_MAX, NEIGHBOURS_MAX } from '../../../../src/domain/limits.js'
import { inOneGo } from '../../../../src/domain/pieces.js'
import { createSessionRig, embeddingOf, RIG_START } from '../../../support/session-rig.js'

t.test('of a session of many memories so many neighbours are given and no more, each once', async (t) => {
  const session = await createSessionRig().create('s')
  for (const from of [0, 1_000]) {
    const memories = Array.from({ length: 1_000 }, (_, at) => ({ text: `cat number ${from + at}`, role: 'user' as const }))
    await session.ask({ type: 'memory.ingest', memories })
  }
  const [first] = [...session.state.corpus.ordered()]
  const vector = first?.memory.vectors ?? new Float32Array(0)
  const near = [...inOneGo(mostSimilar(session.state, vector, { now: RIG_START }))].filter((hit) => hit !== null)
  t.equal(near.length, NEIGHBOURS_MAX)
  t.equal(new Set(near.map(({ entry }) => entry.memory.id)).size, NEIGHBOURS_MAX)
  t.same(
    near.map(({ similarity }) => similarity),
    near.map(({ similarity }) => similarity).sort((a, b) => b - a)
  )
})

t.test('in a large session all that a reader may come to is worked out in pieces before', async (t) => {
  const dimension = 16_384
  const session = await createSessionRig().create('s', { dimension })
  // Beside the greatest number of each vector the others round to zero, so no rounded product rules any vector out.
  const embedding = (seed: number) => Array.from({ length: dimension }, (_, at) => (at === 0 ? 1 : Math.sin(at * seed) / 280))
  for (let at = 1; at <= 520; at++) {
    const text = `note ${String(at)}`
    await session.ask({ type: 'memory.inject', text, embedding: embedding(at), tier: 'short_term', importance: 1, accessCount: 0 })
  }
  const query = Float32Array.from(embedding(0.5))
  const pieces = [...mostSimilar(session.state, query, { now: RIG_START })].length
  t.ok(pieces > (520 * dimension) / 2 ** 20)
  const near = [...inOneGo(mostSimilar(session.state, query, { now: RIG_START }))].filter((hit) => hit !== null)
  t.equal(near.length, 520)
})

t.test('a reader that goes on among many memories alike lets others in between', async (t) => {
  const session = await createSessionRig().create('s')
  for (let from = 0; from < 3_000; from += 1_000) {
    const texts = Array.from({ length: 1_000 }, (_, at) => `The gate opens at seven, says guard ${String(from + at)}`)
    await session.ask({
      type: 'memory.ingest',
      memories: texts.map((text, at) => ({ text, role: 'user' as const, userId: at % 2 === 0 ? 'u' : 'v' }))
    })
  }
  const vector = Float32Array.from(embeddingOf('The gate opens at seven'))
  const near = [...inOneGo(mostSimilar(session.state, vector, { now: RIG_START, userId: 'u' }))]
  t.equal(near.filter((hit) => hit !== null).length, NEIGHBOURS_MAX)
  t.ok(near.includes(null))
})

t.test('whether a message is an update does not hang on how readily its turn is short-circuited', async (t) => {
  const run = async (shortCircuitThreshold: number) => {
    const session = await createSessionRig().create('s')
    for (let at = 0; at < FACT_COMPARISONS_MAX + 20; at++) {
      await session.run(`dogs${at} bark in the park`)
      await session.store(`Yes, number ${at} does`)
    }
    await session.run('How do I reset my password?')
    return session.run('How can I reset my password?', { shortCircuitThreshold })
  }
  const [usual, eager] = [await run(0.85), await run(-1)]
  t.same([usual.shortCircuit, eager.shortCircuit], [false, true])
  t.same({ ...eager, shortCircuit: false }, usual)
})

t.test('a data subject is compared with their own memories alone, however many nearer ones others have', async (t) => {
  const session = await createSessionRig().create('s')
  const others = Array.from({ length: NEIGHBOURS_MAX }, (_, at) => ({
    text: `The gate opens at seven, says guard ${String(at)}`,
    role: 'assistant' as const,
    userId: 'others'
  }))
  await session.ask({ type: 'memory.ingest', memories: [{ text: 'The gate opens at seven in May', role: 'assistant', userId: 'own' }] })
  for (const from of [0, 512]) await session.ask({ type: 'memory.ingest', memories: others.slice(from, from + 512) })
  const store = async (userId: string) =>
    (await session.store('The gate opens at seven, in May', { userId, dedupThreshold: 0.8 })).dedupSignal
  t.match(await store('new'), { isUpdate: false, maxSim: 0, matchedId: null })
  t.match(await store('own'), { isUpdate: true })
})
