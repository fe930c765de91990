import t from 'tap'
import { toUnitVector, toUnitVectors } from '../../../../actors/session/record/embedding.js'
import { statsOf } from '../../../../actors/session/record/memory-stats.js'
import { isShort, memoryVector } from '../../../../actors/session/record/memory-vector.js'
import { inOneGo } from '../../../../src/domain/pieces.js'
import { memoryEntry } from '../../../support/memories.js'

t.test('a text of one part stands for itself, one of several for the direction of their mean, worked out once', async (t) => {
  const one = { partEnds: [3], vectors: Float32Array.of(0.6, 0.8) }
  t.equal(memoryVector(one), one.vectors)
  const two = { partEnds: [3, 6], vectors: Float32Array.of(1, 0, 0, 1) }
  const mean = memoryVector(two)
  t.same(
    [...mean].map((value) => Math.round(value * 1_000) / 1_000),
    [0.707, 0.707]
  )
  t.equal(memoryVector({ ...two }), mean)
  t.same([...memoryVector({ partEnds: [1, 2], vectors: Float32Array.of(1, 0, -1, 0) })], [0, 0], 'parts that cancel out have none')
})

t.test('a memory is short where its text is one part', async (t) => {
  t.ok(isShort(memoryEntry(1, 'red')))
  t.notOk(isShort(memoryEntry(1, 'red', { partEnds: [1, 3] })))
})

t.test('a client’s embedding is brought to length 1, and refused where it has another dimension', async (t) => {
  t.same([...toUnitVector([3, 4], 2, ['embedding'])], [...Float32Array.of(0.6, 0.8)])
  t.throws(() => toUnitVector([1], 2, ['embedding']), {
    code: 'invalid_input',
    loc: ['embedding'],
    message: 'Embedding should have 2 values, not 1'
  })
  t.equal(
    inOneGo(
      toUnitVectors(
        [
          [1, 0],
          [0, 2]
        ],
        2,
        'list'
      )
    ).length,
    2
  )
  t.throws(() => inOneGo(toUnitVectors([[1, 0], [0, 2], [1]], 2, 'list')), { code: 'invalid_input', loc: ['list', 2] })
})

t.test('stats have the fields that they are given, and no others', async (t) => {
  const plain = { importance: 1, accessCount: 2, accessedAt: 3, isProtected: true, segment: 4 }
  for (const stats of [
    plain,
    { ...plain, share: 0.5 },
    { ...plain, isPinned: true as const },
    { ...plain, isPinned: true as const, share: 0 }
  ])
    t.strictSame(statsOf(stats), stats)
})
