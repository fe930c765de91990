import fc from 'fast-check'
import t from 'tap'
import {
  addMember,
  chooseSegment,
  emptySegment,
  removeMember,
  representatives,
  segmentCentroid,
  segmentOfOne,
  SEGMENTS_MAX,
  sumBytes,
  type TopicSegment
} from '../../../src/domain/drift/topic-segments.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { normalised } from '../../../src/domain/similarity/vector.js'
import { unitVector } from '../similarity/arbitrary-vectors.js'

const X = Float32Array.of(1, 0, 0)
const Y = Float32Array.of(0, 1, 0)
const Z = Float32Array.of(0, 0, 1)
const segmentOf = (id: number, ...vectors: Float32Array[]): TopicSegment => vectors.reduce(addMember, emptySegment(id, 3))
const drifted = { driftScore: 0.6, driftThreshold: 0.5, currentId: 0 }

t.test('a turn below the threshold stays, however close another segment is', async (t) => {
  t.equal(chooseSegment({ ...drifted, driftScore: 0.49, vector: Y, segments: () => [segmentOf(0, X), segmentOf(1, Y)] }), 0)
})

t.test('the first turn of a session stays in its first segment', async (t) => {
  t.equal(chooseSegment({ ...drifted, vector: X, segments: () => [] }), 0)
})

t.test('a drifted turn returns to the topic it is close to', async (t) => {
  const vector = normalised(Float32Array.of(0.2, 0.9, 0))
  t.equal(chooseSegment({ ...drifted, vector, segments: () => [segmentOf(0, X), segmentOf(1, Y), segmentOf(2, Z)] }), 1)
})

t.test('a drifted turn that is close to nothing opens a segment, with a free id', async (t) => {
  const segments = [segmentOf(0, X), segmentOf(2, Y)]
  t.equal(chooseSegment({ ...drifted, vector: Z, segments: () => segments }), 1)
})

t.test('the id of a segment that lost all its members is free again', async (t) => {
  const segments = [segmentOf(0, X), removeMember(segmentOf(1, Z), Z), segmentOf(2, Y)]
  t.equal(chooseSegment({ ...drifted, vector: Z, segments: () => segments }), 1)
})

t.test('a turn is as near a segment as its cosine to the sum of the members says, where that has a direction', async (t) => {
  const chosen = (...vectors: Float32Array[]) =>
    chooseSegment({ ...drifted, vector: X, segments: () => [segmentOf(0, Z), segmentOf(1, ...vectors)] })
  t.equal(chosen(X, Y), 1)
  t.equal(chosen(X, Float32Array.of(-1, 0, 0)), 2)
})

t.test('where all vectors are alike, the nearer segment still counts as a return', async (t) => {
  const near = (x: number, y: number, z: number) => normalised(Float32Array.of(2 + x, 2 + y, 2 + z))
  const segments = [segmentOf(0, near(1, 0, 0)), segmentOf(1, near(0, 1, 0))]
  t.equal(chooseSegment({ ...drifted, vector: near(0, 0.9, 0), segments: () => segments }), 1)
  t.equal(chooseSegment({ ...drifted, vector: near(0.5, 0.5, 1), segments: () => segments }), 2)
})

t.test('a turn returns from a cosine of 0.15 on, and from 0.85 of the distance to where it is', async (t) => {
  const chosen = (here: number, there: number) => {
    const vector = Float32Array.of(here, there, Math.sqrt(1 - here ** 2 - there ** 2))
    return chooseSegment({ ...drifted, vector, segments: () => [segmentOf(0, X), segmentOf(1, Y)] })
  }
  t.same([chosen(-0.5, 0.151), chosen(-0.5, 0.149)], [1, 2])
  t.same([chosen(0.5, 0.576), chosen(0.5, 0.574)], [1, 2])
})

t.test('a full session takes a new topic into the nearest segment', async (t) => {
  const segments = Array.from({ length: SEGMENTS_MAX }, (_, id) => segmentOf(id, id === 7 ? normalised(Float32Array.of(0.9, 0, 0.1)) : X))
  t.equal(chooseSegment({ ...drifted, vector: normalised(Float32Array.of(0.05, 1, 0.05)), segments: () => segments }), 7)
})

t.test('members added and taken away leave the centroid of the rest', async () => {
  fc.assert(
    fc.property(fc.array(unitVector(3), { minLength: 2, maxLength: 12 }), fc.nat(11), (vectors, at) => {
      const index = at % vectors.length
      const whole = removeMember(segmentOf(0, ...vectors), vectors[index] as Float32Array)
      const rest = segmentOf(0, ...vectors.filter((_, i) => i !== index))
      const isNear = [...whole.sum].every((value, i) => Math.abs(value - (rest.sum[i] as number)) < 1e-9)
      return whole.size === rest.size && isNear
    })
  )
})

t.test('the last member leaves nothing behind', async (t) => {
  const segment = removeMember(segmentOf(3, X), X)
  t.same([...segment.sum], [0, 0, 0])
  t.equal(segmentCentroid(segment), null)
})

t.test('any input gets a valid id', async () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(unitVector(3), fc.array(unitVector(3), { maxLength: 70 }), share, (vector, others, driftScore) => {
      const segments = others.slice(0, SEGMENTS_MAX).map((other, id) => segmentOf(id, other))
      const id = chooseSegment({ vector, segments: () => segments, driftScore, driftThreshold: 0.5, currentId: 0 })
      return id >= 0 && id <= segments.length && id < SEGMENTS_MAX
    })
  )
})

t.test('the representatives are central and important members', async (t) => {
  const members = [
    { id: 'aside', vector: Y, importance: 0.9 },
    { id: 'central', vector: X, importance: 0.3 },
    { id: 'important', vector: normalised(Float32Array.of(0.9, 0.1, 0)), importance: 1.5 }
  ]
  t.same(inOneGo(representatives(X, members, 2)), ['important', 'central'])
})

t.test('representatives that say as much come in the given order, and the first of them stay', async (t) => {
  const members = ['a', 'b', 'c', 'd'].map((id) => ({ id, vector: X, importance: 0.5 }))
  t.same(inOneGo(representatives(X, members, 4)), ['a', 'b', 'c', 'd'])
  t.same(inOneGo(representatives(X, members, 2)), ['a', 'b'])
  t.same(inOneGo(representatives(X, members)), ['a', 'b', 'c'], 'three where nothing is said')
})

t.test('many members are looked at in pieces', async (t) => {
  const members = Array.from({ length: 1000 }, (_, at) => ({ id: `m${at}`, vector: X, importance: 0 }))
  const pauses = [...representatives(X, members)].length
  t.ok(pauses >= 10 && pauses < 200, `${pauses} pauses`)
})

t.test('a segment of one holds the vector itself, and nothing is added to that', async (t) => {
  const vector = Float32Array.of(0.6, 0.8, 0)
  const one = segmentOfOne(2, vector)
  t.equal(one.sum, vector)
  t.equal(sumBytes(one), 0)
  const two = addMember(one, X)
  t.same([...two.sum], [...addMember(addMember(emptySegment(2, 3), vector), X).sum])
  t.equal(sumBytes(two), 24)
  t.same([...vector], [...Float32Array.of(0.6, 0.8, 0)])
  t.same([...removeMember(two, X).sum], [...vector])
  t.same(segmentCentroid(one), segmentCentroid(addMember(emptySegment(2, 3), vector)))
})
