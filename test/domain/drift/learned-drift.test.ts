/** With a learned model, drift is the distance of a message's vector from what the session was about. */
import t from 'tap'
import { DRIFT_THRESHOLD, type DriftFold, measureDrift } from '../../../src/domain/drift/drift.js'
import { readDriftWords } from '../../../src/domain/drift/drift-words.js'
import { contentTerms } from '../../../src/domain/text/terms.js'
import { normalised } from '../../../src/domain/similarity/vector.js'

const ANGLES = [0, 10, 20, 30, 45, 60, 75, 90]
const TURNS = 5

/** Generator of numbers in [-1, 1) from a seed: multiplicative (Park and Miller, 1988). */
function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return (2 * state) / 2_147_483_647 - 1
  }
}

const add = (a: Float32Array, b: Float32Array, share: number): Float32Array => a.map((value, at) => value + share * (b[at] ?? 0))

/** `topic`, with noise of `noise` times its length. */
function noisy(topic: Float32Array, noise: number, next: () => number): Float32Array {
  return normalised(add(topic, normalised(topic.map(() => next())), noise))
}

/** A vector at `degrees` from the first axis, towards the second. */
function turned(dimension: number, degrees: number): Float32Array {
  const vector = new Float32Array(dimension)
  vector[0] = Math.cos((degrees * Math.PI) / 180)
  vector[1] = Math.sin((degrees * Math.PI) / 180)
  return vector
}

const WORDINGS = [
  (n: number) => `Turn number ${String(n)} is about the harbour`,
  (n: number) => `Do you have plans number ${String(n)} with zebras, lasers, quilts and tariffs?`,
  (n: number) => `It is like this and that there, as they said of it: ${String(n)}`,
  (n: number) => `t${String(n)}`
]

/** Scores of one message at each angle, after turns on the first axis. */
function scores({
  dimension,
  noise,
  wording,
  seed = 1,
  turns = TURNS
}: {
  dimension: number
  noise: number
  wording: (n: number) => string
  seed?: number
  turns?: number
}): number[] {
  const next = numbersOf(seed * 7919)
  const folds: DriftFold[] = []
  for (let n = 0; n < turns; n++) {
    const text = wording(n)
    const input = { text, words: readDriftWords(contentTerms(text)), vector: noisy(turned(dimension, 0), noise, next) }
    folds.push({ ...input, role: 'user', dissimilarity: measureDrift(input, folds, { isLearned: true }).dissimilarity })
  }
  return ANGLES.map((degrees) => {
    const text = wording(turns)
    const input = {
      text,
      words: readDriftWords(contentTerms(text)),
      vector: noisy(turned(dimension, degrees), noise, numbersOf(seed * 104_729))
    }
    return measureDrift(input, folds, { isLearned: true }).score
  })
}

for (const dimension of [2, 3, 16, 384, 1536]) {
  t.test(
    `${String(dimension)} dimensions, a growing angle, never lowers the score; small ones are stable, right ones far above the threshold`,
    async (t) => {
      for (const [at, wording] of WORDINGS.entries()) {
        const found = scores({ dimension, noise: 0, wording })
        found.forEach((score, i) =>
          t.ok(score > (found[i - 1] ?? -1), `wording ${String(at)}: ${String(ANGLES[i])} degrees, ${String(score)}`)
        )
        ANGLES.forEach((degrees, i) => degrees <= 30 && t.ok((found[i] ?? 1) < DRIFT_THRESHOLD * 0.6, `stable at ${String(degrees)}`))
        t.ok((found.at(-1) ?? 0) > 0.85)
      }
    }
  )
}

t.test('the wording moves where the threshold lies, not whether the vectors are heard', async (t) => {
  for (const wording of WORDINGS) {
    const found = scores({ dimension: 384, noise: 0, wording })
    t.ok((found[ANGLES.indexOf(45)] ?? 1) < DRIFT_THRESHOLD)
    t.ok((found[ANGLES.indexOf(75)] ?? 0) >= DRIFT_THRESHOLD)
  }
})

t.test('noise around the topic is what is usual: more of it on the topic is no drift, another topic is', async (t) => {
  for (const dimension of [16, 384, 1536]) {
    for (const noise of [0.3, 0.7, 1, 1.5]) {
      const runs = Array.from({ length: 10 }, (_, seed) =>
        scores({ dimension, noise, wording: WORDINGS[0] as (n: number) => string, seed: seed + 1, turns: 10 })
      )
      const mean = ANGLES.map((_, i) => runs.reduce((sum, run) => sum + (run[i] ?? 0), 0) / runs.length)
      mean.forEach((score, i) =>
        t.ok(score >= (mean[i - 1] ?? 0), `noise ${String(noise)}, ${String(ANGLES[i])} degrees: ${String(score)}`)
      )
      t.ok((mean[0] ?? 1) < DRIFT_THRESHOLD * 0.6, `on the topic: ${String(mean[0])}`)
      t.ok((mean.at(-1) ?? 0) > DRIFT_THRESHOLD + 0.1, `orthogonal: ${String(mean.at(-1))}`)
    }
  }
})

t.test('a few turns elsewhere do not make elsewhere usual', async (t) => {
  const folds: DriftFold[] = []
  for (const degrees of [0, 0, 0, 0, 90, 0, 0, 0, 0]) {
    const input = { text: 'the harbour', words: readDriftWords(['harbour']), vector: turned(16, degrees) }
    folds.push({ ...input, role: 'user', dissimilarity: measureDrift(input, folds, { isLearned: true }).dissimilarity })
  }
  const score = (degrees: number) =>
    measureDrift({ text: 'the harbour', words: readDriftWords(['harbour']), vector: turned(16, degrees) }, folds, { isLearned: true }).score
  t.ok(score(90) > 0.75)
  t.ok(score(0) < 0.3)
})

t.test('a message without a topical word stays below the threshold wherever its vector lies', async (t) => {
  const folds: DriftFold[] = Array.from({ length: 5 }, () => ({
    text: 'the harbour',
    words: readDriftWords(['harbour']),
    vector: turned(16, 0),
    role: 'user',
    dissimilarity: 0
  }))
  t.ok(
    measureDrift({ text: 'ok, thanks', words: readDriftWords(contentTerms('ok, thanks')), vector: turned(16, 90) }, folds, {
      isLearned: true
    }).score < DRIFT_THRESHOLD
  )
})

const TOPICS = 5
const PERIOD = 6

/** User turns of a talk that changes its topic after every PERIOD turns. In the model's cone all cosines are above `common`. */
function talk({
  common,
  strength,
  seed
}: {
  common: number
  strength: number
  seed: number
}): { isChange: boolean; isReported: boolean }[] {
  const next = numbersOf(seed * 7_919)
  const direction = (): Float32Array => normalised(Float32Array.from({ length: 384 }, () => next() + next() + next()))
  const cone = direction()
  const folds: DriftFold[] = []
  return Array.from({ length: TOPICS }, direction).flatMap((topic, at) =>
    Array.from({ length: PERIOD }, (_, turn) => {
      const text = (WORDINGS[0] as (n: number) => string)(at * PERIOD + turn)
      const own = add(
        topic.map((value) => value * Math.sqrt(strength)),
        direction(),
        Math.sqrt(1 - strength)
      )
      const vector = normalised(
        add(
          cone.map((value) => value * Math.sqrt(common)),
          normalised(own),
          Math.sqrt(1 - common)
        )
      )
      const input = { text, words: readDriftWords(contentTerms(text)), vector }
      const { score, dissimilarity } = measureDrift(input, folds, { isLearned: true })
      folds.push({ ...input, role: 'user', dissimilarity })
      return { isChange: at > 0 && turn === 0, isReported: score >= DRIFT_THRESHOLD }
    })
  )
}

t.test('changes are reported whether vectors point in all directions or all cosines are high, and other turns are not', async (t) => {
  for (const common of [0, 0.3, 0.7]) {
    for (const strength of [0.4, 0.6, 0.9]) {
      const turns = Array.from({ length: 5 }, (_, seed) => talk({ common, strength, seed: seed + 1 })).flat()
      const reported = (isChange: boolean): number => {
        const those = turns.filter((turn) => turn.isChange === isChange)
        return those.filter(({ isReported }) => isReported).length / those.length
      }
      t.ok(reported(true) > 0.6, `common ${String(common)}, strength ${String(strength)}: ${String(reported(true))} of the changes`)
      t.ok(reported(false) < 0.05, `${String(reported(false))} of the others`)
    }
  }
})
