/** What every index of vectors keeps to. */
import fc from 'fast-check'
import t from 'tap'
import { inOneGo } from '../../src/domain/pieces.js'
import { dot } from '../../src/domain/similarity/vector.js'
import type { CreateVectorIndex } from '../../src/ports.js'
import { randomNumbers, unitVector } from './random-vectors.js'

const DIMENSION = 5
/** Small integers, whose products are exact, so that ties are exact. */
const values = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: DIMENSION, maxLength: DIMENSION })
const vector = values.map((numbers) => Float32Array.from(numbers))

export function vectorIndexContract(name: string, createExactIndex: CreateVectorIndex): void {
  t.test(`${name}: an index answers as a naive scan does, after any adding, replacing and removing`, async () => {
    const step = fc.record({ label: fc.integer({ min: 0, max: 30 }), vector: fc.option(vector) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), vector, fc.integer({ min: 0, max: 40 }), (steps, query, limit) => {
        const index = createExactIndex(DIMENSION)
        const held = new Map<number, Float32Array>()
        for (const { label, vector } of steps) {
          if (vector === null) {
            index.remove(label)
            held.delete(label)
          } else {
            index.add(label, vector)
            held.set(label, vector)
          }
        }
        const naive = [...held].map(([label, one]) => ({ label, similarity: dot(one, query) }))
        naive.sort((a, b) => b.similarity - a.similarity || a.label - b.label)
        t.equal(index.size, held.size)
        t.same(inOneGo(index.search(query, limit)), naive.slice(0, limit))
      })
    )
  })

  t.test(`${name}: an index of several blocks answers as a naive scan does, also after most of it was removed`, async (t) => {
    const dimension = 16_384
    const index = createExactIndex(dimension)
    const made = (label: number): Float32Array =>
      new Float32Array(dimension).fill(0).map((_, at) => (at === label ? 1 : at === 0 ? label / 100 : 0))
    for (let label = 1; label <= 40; label++) index.add(label, made(label))
    t.equal(index.size, 40)
    for (let label = 1; label <= 40; label++) t.equal(inOneGo(index.search(made(label), 1))[0]?.label, label)
    for (let label = 1; label <= 38; label++) index.remove(label)
    t.same(
      inOneGo(index.search(made(40), 5)).map((hit) => hit.label),
      [40, 39]
    )
    for (let label = 1; label <= 38; label++) index.add(label, made(label))
    for (let label = 1; label <= 40; label++) t.equal(inOneGo(index.search(made(label), 1))[0]?.label, label)
  })

  t.test(
    `${name}: an index in slabs answers as a naive scan in double precision does, number for number, in every dimension`,
    async (t) => {
      for (const [dimension, size] of [
        [3, 5_000],
        [20, 3_000],
        [384, 400],
        [1_000, 150]
      ] as const) {
        const random = randomNumbers(dimension)
        const index = createExactIndex(dimension)
        const held = Array.from({ length: size }, () => unitVector(dimension, random))
        // Copies of one vector, and vectors that differ by less than single precision can tell.
        for (let at = 0; at < 40; at++)
          held.push((held[at % 2] as Float32Array).map((value, place) => value * (1 + (place === at ? at : 0) * 2 ** -23)))
        held.forEach((one, label) => index.add(label, one))
        for (let round = 0; round < 10; round++) {
          const query = round < 2 ? (held[round] as Float32Array) : unitVector(dimension, random)
          const accept = (label: number): boolean => round % 3 !== 1 || label % 7 === round
          const naive = held.map((one, label) => ({ label, similarity: dotOfFour(one, query) })).filter(({ label }) => accept(label))
          naive.sort((a, b) => b.similarity - a.similarity || a.label - b.label)
          for (const limit of [1, 12, 100, size * 2]) t.same(inOneGo(index.search(query, limit, accept)), naive.slice(0, limit))
        }
        index.close()
      }
    }
  )

  t.test(`${name}: the nearest of many vectors are found where nothing is near, also after some were removed`, async (t) => {
    const [dimension, size] = [40, 9_001]
    const random = randomNumbers(3)
    const index = createExactIndex(dimension)
    const held = Array.from({ length: size }, () => unitVector(dimension, random).map(Math.abs))
    held.forEach((one, label) => index.add(label, one))
    const queries = [1, 2].map(() => unitVector(dimension, random).map((number) => -Math.abs(number)))
    for (const gone of [0, 1, 17, 900]) {
      for (const one of held.splice(size - gone, gone).keys()) index.remove(size - gone + one)
      for (const query of queries) {
        const naive = held.map((one, label) => ({ label, similarity: dot(one, query) }))
        naive.sort((a, b) => b.similarity - a.similarity || a.label - b.label)
        for (const limit of [1, 12, 100, 200])
          t.same(inOneGo(index.search(query, limit)), naive.slice(0, limit), `${String(limit)}, ${String(gone)} gone`)
      }
    }
    index.close()
  })

  for (const count of [6, 40]) {
    t.test(
      `${name}: a search after a change finds what there is now, with the query of the search before, of ${String(count)} vectors`,
      async (t) => {
        const dimension = 16_384
        const index = createExactIndex(dimension)
        const made = (value: number): Float32Array => new Float32Array(dimension).fill(value)
        for (let label = 0; label < count; label++) index.add(label, made(label / 1_024))
        const query = made(1)
        const nearest = (limit: number): number[] => inOneGo(index.search(query, limit)).map(({ label }) => label)
        t.same(nearest(2), [count - 1, count - 2])
        index.add(1, made(count / 1_024))
        t.same(nearest(2), [1, count - 1])
        index.remove(count - 1)
        t.same(nearest(2), [1, count - 2])
        query.fill(-1)
        t.same(nearest(1), [0], 'the same array with other numbers is another query')
        query.fill(1)
        t.same(nearest(1), [1])
      }
    )
  }

  t.test(`${name}: single vectors are as near as a search says, and never nearer than what is known of them at most`, async (t) => {
    const random = randomNumbers(9)
    for (const size of [40, 1_000]) {
      const index = createExactIndex(384)
      for (let label = 0; label < size; label++) index.add(label, unitVector(384, random))
      index.remove(7)
      index.add(3, unitVector(384, random))
      const query = unitVector(384, random)
      const nearness = index.nearness(query)
      const hits = inOneGo(index.search(query, size))
      t.equal(hits.length, size - 1)
      for (const { label, similarity } of hits) {
        t.equal(nearness.of(label), similarity)
        t.ok(nearness.atMost(label) >= similarity, `label ${String(label)}`)
      }
    }
  })

  t.test(`${name}: a search among some does not answer the same one among all`, async (t) => {
    const index = createExactIndex(DIMENSION)
    for (let label = 0; label < 8; label++) index.add(label, new Float32Array(DIMENSION).fill(8 - label))
    const query = new Float32Array(DIMENSION).fill(1)
    const labels = (accept?: (label: number) => boolean) => inOneGo(index.search(query, 3, accept)).map(({ label }) => label)
    t.same(
      labels((label) => label % 2 === 1),
      [1, 3, 5]
    )
    t.same(labels(), [0, 1, 2])
    t.same(
      labels((label) => label > 4),
      [5, 6, 7]
    )
  })

  t.test(`${name}: a vector of another dimension is refused`, async (t) => {
    const index = createExactIndex(3)
    t.throws(() => index.add(0, new Float32Array(2)), RangeError)
    t.throws(() => inOneGo(index.search(new Float32Array(4), 1)), RangeError)
  })

  t.test(`${name}: a closed index is empty, and closing twice is fine`, async (t) => {
    const index = createExactIndex(1)
    index.add(0, Float32Array.of(1))
    index.close()
    index.close()
    t.equal(index.size, 0)
  })
}

/** Dot product that adds in the same order as the index. */
function dotOfFour(a: Float32Array, b: Float32Array): number {
  const sums = [0, 0, 0, 0]
  a.forEach((value, at) => {
    sums[at % 4] = (sums[at % 4] as number) + value * (b[at] as number)
  })
  return sums.reduce((total, sum) => total + sum)
}
