import fc from 'fast-check'
import t from 'tap'
import { FITTED, scaleOf } from '../../../src/domain/similarity/calibration.js'
import { judgeDomain } from '../../../src/domain/similarity/isolation.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { lexicalVector } from '../../../src/domain/words/lexical-features.js'
import { firedTriggers } from '../../../src/domain/words/triggers.js'
import { LEXICAL_MODEL_NAME } from '../../../src/domain/similarity/models.js'

const cosine = fc.double({ min: -1, max: 1, noNaN: true })

t.test('the knots of every fitted model go up from 0 to 1 and leave 0.8 and 0.85 where they are', async (t) => {
  t.ok(FITTED.has(LEXICAL_MODEL_NAME))
  for (const [modelName, knots] of FITTED) {
    t.same(
      [knots[0], knots.at(-1)],
      [
        [0, 0],
        [1, 1]
      ],
      modelName
    )
    for (const [at, [from, to]] of knots.slice(1).entries()) t.ok(from > (knots[at] ?? [1])[0] && to > (knots[at] ?? [1, 1])[1], modelName)
    for (const [from, to] of knots) t.equal(scaleOf(modelName)(from), to)
    for (const value of [0.8, 0.85]) t.equal(scaleOf(modelName)(value), value)
  }
})

t.test('a greater cosine is a greater similarity', async () => {
  for (const modelName of FITTED.keys()) {
    const scale = scaleOf(modelName)
    fc.assert(
      fc.property(cosine, cosine, (a, b) => {
        const isOrdered = a - b < 1e-9 || scale(a) > scale(b)
        return isOrdered && scale(a) >= -1 && scale(a) <= 1
      })
    )
  }
})

t.test('what is not above 0, and any model that was not fitted, stay as they are', async () => {
  fc.assert(fc.property(cosine, (value) => scaleOf('text-embedding-3-small')(value) === value))
  fc.assert(fc.property(cosine, (value) => value > 0 || scaleOf(LEXICAL_MODEL_NAME)(value) === value))
})

t.test('the lexical embedder at the documented 0.7 lets pass what belongs and holds what does not', async (t) => {
  const vectorOf = (text: string) => lexicalVector(text, 384)
  const anchors = ['Oncology: cytotoxic drugs, chemotherapy and radiation in the treatment of cancer'].map(vectorOf)
  const isHeld = (text: string) =>
    judgeDomain({
      vector: vectorOf(text),
      scale: scaleOf(LEXICAL_MODEL_NAME),
      level: 'QUARANTINE',
      threshold: 0.7,
      anchors,
      allowlist: [],
      exclusions: []
    }).isOffDomain
  for (const text of [
    'Which cytotoxic drugs are used in cancer treatment?',
    'How is breast cancer treated?',
    'Does radiation follow the chemotherapy?'
  ])
    t.notOk(isHeld(text), text)
  for (const text of ['What is the best pizza in Naples?', 'Write me a poem about pirates.', 'Which horse should I bet on this weekend?'])
    t.ok(isHeld(text), text)
})

t.test('an exclusion and a trigger are near by the scale of their model', async (t) => {
  // A cosine of 0.6 is calibrated to 0.765 with the lexical embedder.
  const [vector, other] = [Float32Array.of(1, 0), Float32Array.of(0.6, 0.8)]
  const embedded = { id: 'a', keyword: null, embedding: other, threshold: 0.75, firedCount: 0, firedTurn: 0 }
  for (const [modelName, isNear] of [
    [LEXICAL_MODEL_NAME, true],
    ['text-embedding-3-small', false]
  ] as const) {
    const scale = scaleOf(modelName)
    t.equal(
      judgeDomain({ vector, scale, level: 'FILTER', threshold: 0.7, anchors: [], allowlist: [], exclusions: [other] }).isExcluded,
      isNear
    )
    t.equal(inOneGo(firedTriggers({ text: 'x', vector, scale }, [embedded])).length === 1, isNear)
  }
})
