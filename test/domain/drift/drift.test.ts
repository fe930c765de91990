import fc from 'fast-check'
import t from 'tap'
import {
  DRIFT_HORIZON_FOLDS,
  type DriftFold,
  type DriftInput,
  driftPhase,
  driftSigns,
  measureDrift
} from '../../../src/domain/drift/drift.js'
import { readDriftWords } from '../../../src/domain/drift/drift-words.js'
import type { Role } from '../../../src/domain/session.js'
import { contentTerms } from '../../../src/domain/text/terms.js'
import { normalised } from '../../../src/domain/similarity/vector.js'
import { lexicalVector } from '../../../src/domain/words/lexical-features.js'
import { unitVector } from '../similarity/arbitrary-vectors.js'
import { ENGLISH_TALKS } from './topic-talks.js'

const DIMENSION = 384
type Embed = (text: string, topic: number) => Float32Array

/** Generator of reproducible numbers in [-1, 1) (mulberry32). */
function noise(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1
  }
}

/** Vectors with cosine `related` inside a topic, on top of a share `common` that all texts have. */
function denseEmbedding(related: number, common: number): Embed {
  const next = noise(7)
  const random = () => normalised(Float32Array.from({ length: DIMENSION }, next))
  const shared = random()
  const topics = Array.from({ length: ENGLISH_TALKS.length }, random)
  return (_text, topic) => {
    const own = random()
    const base = (i: number) => Math.sqrt(related) * (topics[topic]?.[i] ?? 0) + Math.sqrt(1 - related) * (own[i] ?? 0)
    const mixed = (_: unknown, i: number) => Math.sqrt(common) * (shared[i] ?? 0) + Math.sqrt(1 - common) * base(i)
    return normalised(Float32Array.from({ length: DIMENSION }, mixed))
  }
}

interface Embedding {
  readonly embed: Embed
  readonly isLearned: boolean
}

const LEXICAL: Embedding = { embed: (text) => lexicalVector(text, DIMENSION), isLearned: false }
const EMBEDDINGS: Readonly<Record<string, Embedding>> = {
  lexical: LEXICAL,
  dense: { embed: denseEmbedding(0.5, 0), isLearned: true },
  'all alike': { embed: denseEmbedding(0.5, 0.8), isLearned: true }
}

interface Said {
  readonly text: string
  readonly role: Role
  readonly topic: number
  readonly isShift: boolean
}

function scoresOf(said: readonly Said[], { embed, isLearned }: Embedding): { readonly said: Said; readonly score: number }[] {
  const folds: DriftFold[] = []
  return said.map((item) => {
    const input: DriftInput = { text: item.text, words: readDriftWords(contentTerms(item.text)), vector: embed(item.text, item.topic) }
    const measure = item.role === 'user' ? measureDrift(input, folds, { isLearned }) : { score: 0, dissimilarity: 0 }
    folds.push({ ...input, role: item.role, dissimilarity: measure.dissimilarity })
    return { said: item, score: measure.score }
  })
}

function talkOf(topic: number, exchanges: number, options: { isFirst: boolean; hasAnswers: boolean }): Said[] {
  return (ENGLISH_TALKS[topic]?.exchanges ?? []).slice(0, exchanges).flatMap(([question, answer], i) => {
    const asked: Said = { text: question, role: 'user', topic, isShift: i === 0 && !options.isFirst }
    return options.hasAnswers ? [asked, { text: answer, role: 'assistant', topic, isShift: false }] : [asked]
  })
}

for (const [name, embedding] of Object.entries(EMBEDDINGS)) {
  for (const hasAnswers of [false, true]) {
    const setting = `${name} vectors, ${hasAnswers ? 'with' : 'without'} answers`
    t.test(`a change from databases to dinner drifts at that turn, ${setting}`, async (t) => {
      const said = [...talkOf(0, 5, { isFirst: true, hasAnswers }), ...talkOf(1, 1, { isFirst: false, hasAnswers: false })]
      const scored = scoresOf(said, embedding)
      t.equal(scored[0]?.score, 0)
      t.ok((scored.at(-1)?.score ?? 0) >= 0.5, String(scored.at(-1)?.score))
    })
  }
}

t.test('changes of subject are told from continuations, whatever the model', async (t) => {
  for (const [name, embedding] of Object.entries(EMBEDDINGS)) {
    const shifts: number[] = []
    const rest: number[] = []
    for (let a = 0; a < ENGLISH_TALKS.length; a++) {
      for (let b = 0; b < ENGLISH_TALKS.length; b++) {
        if (a === b) continue
        const said = [...talkOf(a, 4, { isFirst: true, hasAnswers: true }), ...talkOf(b, 4, { isFirst: false, hasAnswers: true })]
        for (const { said: item, score } of scoresOf(said, embedding).slice(6)) {
          if (item.role === 'user') (item.isShift ? shifts : rest).push(score)
        }
      }
    }
    const shareFrom = (scores: readonly number[], bound: number) => scores.filter((score) => score >= bound).length / scores.length
    // Words alone miss some of the shortest questions, the price of few false alarms.
    const { found, false: wrong } = embedding.isLearned ? { found: 0.9, false: 0.25 } : { found: 0.85, false: 0.17 }
    t.ok(shareFrom(shifts, 0.5) >= found, `${name}: ${shareFrom(shifts, 0.5)} of the shifts drift`)
    t.ok(shareFrom(rest, 0.5) <= wrong, `${name}: ${shareFrom(rest, 0.5)} of the rest drift`)
    t.ok(shareFrom(rest, 0.3) <= 0.45, `${name}: ${shareFrom(rest, 0.3)} of the rest shift`)
  }
})

t.test('a turn without content does not drift', async (t) => {
  for (const text of ['ok', 'thanks!', 'lol', 'and then?', 'Yes, do that please', 'hm', '👍']) {
    const said = [...talkOf(0, 5, { isFirst: true, hasAnswers: true }), { text, role: 'user' as const, topic: 1, isShift: false }]
    for (const embedding of Object.values(EMBEDDINGS)) t.ok((scoresOf(said, embedding).at(-1)?.score ?? 1) < 0.5, text)
  }
})

t.test('asking the same again stays stable', async (t) => {
  const said = [...talkOf(0, 5, { isFirst: true, hasAnswers: false }), ...talkOf(0, 3, { isFirst: true, hasAnswers: false })]
  for (const { score } of scoresOf(said, LEXICAL).slice(5)) t.ok(score < 0.3, String(score))
})

t.test('an answer to a question drifts less than the same words unasked', async (t) => {
  const said = (last: string): Said[] => {
    const texts = ['My cat sleeps all day', 'She only eats tuna from the tin', last, 'I work in a bakery downtown']
    return texts.map((text) => ({ text, role: 'user', topic: 0, isShift: false }))
  }
  const answered = scoresOf(said('What do you do for a living?'), LEXICAL).at(-1)?.score ?? 1
  t.ok(answered < (scoresOf(said('The vet said tuna is fine'), LEXICAL).at(-1)?.score ?? 0))
})

const anyFold = fc.record({
  text: fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom('what is this?', 'do you like cats?', 'ok')),
  words: fc.array(fc.constantFrom('cat', 'dog', 'index', 'rice', 'trip'), { maxLength: 6 }).map(readDriftWords),
  vector: unitVector(6),
  role: fc.constantFrom<Role>('user', 'assistant', 'synthetic'),
  dissimilarity: fc.double({ min: 0, max: 1, noNaN: true })
})

t.test('any history gives finite values in range', async () => {
  fc.assert(
    fc.property(anyFold, fc.array(anyFold, { maxLength: 50 }), (input, folds) => {
      const { score, dissimilarity, novelty } = measureDrift(input, folds)
      const isShare = (value: number) => value >= 0 && value <= 1
      return isShare(score) && isShare(dissimilarity) && isShare(novelty)
    })
  )
})

t.test('a score and its dissimilarities come out the same from the folds within the horizon', async () => {
  const remeasured = (folds: readonly (DriftFold & DriftInput)[]): (DriftFold & DriftInput)[] => {
    const done: (DriftFold & DriftInput)[] = []
    for (const fold of folds) done.push({ ...fold, dissimilarity: measureDrift(fold, done).dissimilarity })
    return done
  }
  fc.assert(
    fc.property(anyFold, fc.array(anyFold, { minLength: 60, maxLength: 80 }), (input, folds) => {
      const whole = measureDrift(input, remeasured(folds))
      const late = measureDrift(input, remeasured(folds.slice(-DRIFT_HORIZON_FOLDS)).slice(DRIFT_HORIZON_FOLDS - 32))
      return whole.score === late.score && whole.dissimilarity === late.dissimilarity
    }),
    { numRuns: 50 }
  )
})

t.test('the first input has nothing to drift from', async (t) => {
  const input = { text: 'hello', words: readDriftWords(['hello']), vector: new Float32Array(4) }
  t.same(measureDrift(input, []), { score: 0, dissimilarity: 0, novelty: 0 })
  t.equal(driftSigns(input, []), null)
})

t.test('phases follow the bands of the interface and scale with the threshold', async (t) => {
  t.same(
    [0, 0.299].map((score) => driftPhase(score)),
    ['stable', 'stable']
  )
  t.same(
    [0.3, 0.499].map((score) => driftPhase(score)),
    ['shifting', 'shifting']
  )
  t.same(
    [0.5, 1].map((score) => driftPhase(score)),
    ['drifted', 'drifted']
  )
  t.same(
    [0.47, 0.48, 0.79, 0.8].map((score) => driftPhase(score, 0.8)),
    ['stable', 'shifting', 'shifting', 'drifted']
  )
})
