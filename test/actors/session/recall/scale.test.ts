import t, { type Test } from 'tap'
import { stateVector } from '../../../../actors/session/semantic-state/folds.js'
import { scaleOf } from '../../../../src/domain/similarity/calibration.js'
import { similarity } from '../../../../src/domain/similarity/vector.js'
import { createSessionRig, embeddingOf, RIG_MODEL } from '../../../support/session-rig.js'

const ANCHOR = 'Oncology: cytotoxic drugs, chemotherapy and radiation in the treatment of cancer'
const FIRST = 'Which cytotoxic drugs are used in cancer treatment?'
const SECOND = 'Which cytotoxic drugs are harmful to the kidneys?'

const scale = scaleOf(RIG_MODEL)
const vectorOf = (text: string) => Float32Array.from(embeddingOf(text))
const cosineOf = (a: string, b: string) => similarity(vectorOf(a), vectorOf(b))

function near(t: Test, found: number | null, expected: number): void {
  t.ok(Math.abs((found ?? Number.NaN) - expected) < 1e-6, `${String(found)}, expected ${String(expected)}`)
}

t.test('whatever a session shows as a similarity is on the scale of its model, and an explained search has the cosine', async (t) => {
  const session = await createSessionRig().create('s')
  await session.ask({ type: 'anchor.set', text: ANCHOR })
  await session.run(FIRST)
  const dedup = await session.ask({ type: 'session.dedupCheck', text: SECOND })
  const second = await session.run(SECOND)
  near(t, second.topSimilarity, scale(cosineOf(SECOND, FIRST)))
  near(t, second.isolation.similarity, scale(cosineOf(SECOND, ANCHOR)))
  near(t, dedup.maxSim, Math.min(0.8, scale(cosineOf(SECOND, FIRST))))

  const state = stateVector(session.state) ?? new Float32Array()
  near(t, (await session.metrics()).anchorScore, scale(similarity(state, vectorOf(ANCHOR))))
  near(t, (await session.ask({ type: 'anchor.score' })).anchorScore, scale(similarity(state, vectorOf(ANCHOR))))
  const { items } = await session.ask({ type: 'session.context', topK: 5, fullFirst: false, maxTextChars: 1000 })
  t.equal(items.length, 2)
  for (const { text, relevance } of items) near(t, relevance, scale(similarity(state, vectorOf(text))))

  const found = await session.ask({ type: 'session.search', embedding: embeddingOf(FIRST), topK: 1, filter: {}, explain: true })
  near(t, found.results[0]?.components?.['dense'] ?? null, cosineOf(FIRST, FIRST))
})

t.test('isolation at its documented threshold lets pass what belongs to an anchor and holds what does not', async (t) => {
  const session = await createSessionRig().create('s')
  await session.ask({ type: 'anchor.set', text: ANCHOR })
  await session.ask({
    type: 'isolation.set',
    level: 'QUARANTINE',
    exclusionEmbeddings: [],
    allowlistEmbeddings: [],
    similarityThreshold: 0.7
  })
  for (const message of [FIRST, SECOND, 'How is breast cancer treated?'])
    t.equal((await session.run(message)).isolation.action, 'passed', message)
  for (const message of ['What is the best pizza in Naples?', 'Write me a poem about pirates.'])
    t.equal((await session.run(message)).isolation.action, 'quarantined', message)
})

t.test('a session at 0.5 or more to its anchors is not pulled back to them', async (t) => {
  const session = await createSessionRig().create('s')
  await session.ask({ type: 'anchor.set', text: ANCHOR })
  await session.run('How is breast cancer treated?')
  const { anchorScore, realignmentRemaining } = await session.ask({ type: 'anchor.score' })
  t.ok((anchorScore ?? 0) >= 0.5, String(anchorScore))
  t.equal(realignmentRemaining, 0)
  await session.run('Which horse should I bet on this weekend?')
  await session.run('Do horses run better on sand?')
  t.ok((await session.ask({ type: 'anchor.score' })).realignmentRemaining > 0)
})
