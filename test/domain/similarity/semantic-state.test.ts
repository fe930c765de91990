import fc from 'fast-check'
import t from 'tap'
import {
  agedShare,
  anchorMean,
  anchorScore,
  semanticState,
  STATE_FOLDS,
  STATE_HALF_LIFE_FOLDS,
  type StateFold
} from '../../../src/domain/similarity/semantic-state.js'
import { dot, norm, topSimilarity } from '../../../src/domain/similarity/vector.js'
import { unitVector } from './arbitrary-vectors.js'

const X = Float32Array.of(1, 0, 0)
const Y = Float32Array.of(0, 1, 0)
const foldOf = (vector: Float32Array, importance = 0.5, weight = 1): StateFold => ({ vector, importance, weight })
const anyFold = fc.record({
  vector: unitVector(8),
  importance: fc.double({ min: 0, max: 3, noNaN: true }),
  weight: fc.double({ min: 0, max: 1, noNaN: true })
})
const foldsOf = (count: number) => new Array<StateFold>(count).fill(foldOf(Y))
const anyFolds = (minLength: number, maxLength: number) => fc.array(anyFold, { minLength, maxLength })

t.test('a session without inputs and template has no state', async (t) => {
  t.equal(semanticState({ folds: [] }), null)
  t.equal(semanticState({ folds: [foldOf(new Float32Array(3))] }), null)
})

t.test('a template alone is the state, and fades as inputs come', async (t) => {
  t.same(semanticState({ folds: [], template: X }), X)
  const shares = [1, 4, 16, 63].map((count) => dot(semanticState({ folds: foldsOf(count), template: X }) as Float32Array, X))
  t.same(
    shares,
    [...shares].sort((a, b) => b - a)
  )
  t.ok((shares[3] as number) < 0.01)
  t.equal(dot(semanticState({ folds: foldsOf(STATE_FOLDS), template: X }) as Float32Array, X), 0)
})

t.test('a later input counts more, a more important one too', async (t) => {
  const later = semanticState({ folds: [foldOf(X), foldOf(Y)] }) as Float32Array
  t.ok((later[1] as number) > (later[0] as number))
  const weighty = semanticState({ folds: [foldOf(X, 2), foldOf(Y, 0.5)] }) as Float32Array
  t.ok((weighty[0] as number) > (weighty[1] as number))
  const isolated = semanticState({ folds: [foldOf(X), foldOf(Y, 0.5, 0)] }) as Float32Array
  t.equal(isolated[1], 0)
})

t.test('an input is halved after its half-life', async (t) => t.equal(agedShare(STATE_HALF_LIFE_FOLDS), 0.5))

t.test('inputs beyond the window do not count', async () => {
  fc.assert(
    fc.property(anyFolds(0, 5), anyFolds(STATE_FOLDS, STATE_FOLDS), (old, recent) => {
      const long = semanticState({ folds: [...old, ...recent] })
      const short = semanticState({ folds: recent })
      return long === null ? short === null : long.every((value, i) => value === short?.[i])
    }),
    { numRuns: 30 }
  )
})

t.test('any inputs, deltas and anchors give a finite unit vector or none', async () => {
  const delta = fc.record({ vector: unitVector(8), age: fc.nat(80) })
  fc.assert(
    fc.property(anyFolds(0, 70), fc.array(delta, { maxLength: 3 }), unitVector(8), fc.nat(5), (folds, deltas, target, remaining) => {
      const state = semanticState({ folds, deltas, template: target, realignment: { target, remaining, total: 5 } })
      return state === null || Math.abs(norm(state) - 1) < 1e-4
    })
  )
})

t.test('weighing all inputs alike changes nothing', async () => {
  fc.assert(
    fc.property(anyFolds(1, 20), fc.double({ min: 0.1, max: 10, noNaN: true }), (folds, factor) => {
      const vectors = folds.map((fold) => fold.vector)
      const plain = semanticState({ folds: vectors.map((vector) => foldOf(vector, 1)) })
      const scaled = semanticState({ folds: vectors.map((vector) => foldOf(vector, 1, factor)) })
      return plain === null || scaled === null || plain.every((value, i) => Math.abs(value - (scaled[i] as number)) < 1e-5)
    })
  )
})

t.test('a delta of the whole difference moves the state to its goal, then fades', async (t) => {
  const difference = Float32Array.of(-1, 1, 0)
  const at = (age: number) => semanticState({ folds: [foldOf(X)], deltas: [{ vector: difference, age }] }) as Float32Array
  t.ok(dot(at(0), Y) > 0.999)
  t.ok(dot(at(32), X) > dot(at(8), X))
  t.same(at(STATE_FOLDS), X)
})

t.test('a realignment pulls to the anchors while it lasts', async (t) => {
  const state = (remaining: number) => semanticState({ folds: [foldOf(X)], realignment: { target: Y, remaining, total: 4 } })
  const at = (remaining: number) => dot(state(remaining) as Float32Array, Y)
  t.ok(at(4) > at(2) && at(2) > at(1) && at(1) > 0)
  t.equal(at(0), 0)
  t.same(semanticState({ folds: [], realignment: { target: Y, remaining: 1, total: 4 } }), Y)
})

t.test('the anchor score is the cosine to the nearest anchor', async (t) => {
  t.equal(anchorScore(X, []), null)
  t.equal(anchorScore(null, [X]), 0)
  t.equal(anchorScore(null, []), null)
  t.equal(anchorScore(X, [Y, X]), 1)
  t.equal(anchorMean([]), null)
  t.same(anchorMean([X, X]), X)
})

t.test('the top similarity of nothing is 0, else the best cosine', async (t) => {
  t.equal(topSimilarity(X, []), 0)
  t.equal(topSimilarity(X, [Float32Array.of(-1, 0, 0)]), -1)
  t.equal(topSimilarity(X, [Y, X]), 1)
})
