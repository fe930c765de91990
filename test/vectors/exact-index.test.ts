import t from 'tap'
import { inOneGo } from '../../src/domain/pieces.js'
import type { VectorIndex } from '../../src/ports.js'
import { dot, PRODUCTS_A_PIECE, PRODUCTS_A_VECTOR } from '../../src/domain/similarity/vector.js'
import { createExactIndexes } from '../../src/vectors/exact-index.js'
import { rowsOfSlab } from '../../src/vectors/rows.js'
import { collect } from '../support/garbage.js'
import { until } from '../support/until.js'
import { vectorIndexContract } from './index-contract.js'
import { randomNumbers, unitVector } from './random-vectors.js'

const createExactIndex = createExactIndexes()

vectorIndexContract('alone', createExactIndex)

t.test('a search after one in pieces, a slab each, finds the same; a change in between counts', async (t) => {
  const dimension = 16_384
  const index = createExactIndex(dimension)
  const made = (value: number): Float32Array => new Float32Array(dimension).fill(value)
  for (let label = 0; label < 40; label++) index.add(label, made(label / 1_024))
  const query = made(1)
  t.equal([...index.search(query, 2)].length, 3)
  t.equal([...index.search(query, 2)].length, 0, 'it is known')
  t.same(
    inOneGo(index.search(query, 2)).map((hit) => hit.label),
    [39, 38]
  )
  index.remove(39)
  t.same(
    inOneGo(index.search(query, 2)).map((hit) => hit.label),
    [38, 37]
  )
  index.add(3, made(1))
  t.same(
    inOneGo(index.search(query, 2)).map((hit) => hit.label),
    [3, 38]
  )
})

t.test('vectors of which rounding rules none out are multiplied in pieces, and found as a naive scan finds them', async (t) => {
  const [dimension, size] = [16_384, 256]
  const random = randomNumbers(7)
  const index = createExactIndex(dimension)
  // Beside the greatest number of each vector, the others round to zero.
  const made = (): Float32Array => new Float32Array(dimension).map((_, at) => (at === 0 ? 1 : random() / 140))
  const vectors = Array.from({ length: size }, made)
  for (const [label, vector] of vectors.entries()) index.add(label, vector)
  const query = made()
  const scanned = 256 / 16
  const multiplied = (size * dimension) / 2 ** 20
  t.ok([...index.search(query, 3)].length >= Math.floor(scanned + multiplied) - 1)
  t.equal([...index.search(query, 3)].length, 0, 'their products are known')
  const naive = vectors.map((vector, label) => ({ label, similarity: dot(vector, query) })).sort((a, b) => b.similarity - a.similarity)
  t.same(inOneGo(index.search(query, 3)), naive.slice(0, 3))
})

t.test('very many vectors of few numbers are compared in pieces', async (t) => {
  const size = 40_000
  const index = createExactIndex(1)
  const scanned = size / rowsOfSlab(1)
  for (let label = 0; label < size; label++) index.add(label, Float32Array.of(1))
  const pieces = [...index.search(Float32Array.of(1), 3)].length
  t.ok(pieces >= Math.floor(scanned + (size * PRODUCTS_A_VECTOR) / PRODUCTS_A_PIECE), `${String(pieces)} pieces`)
  t.equal([...index.search(Float32Array.of(1), 3)].length, 0, 'the nearest of all are known')
})

t.test('what changes between two searches with one query is looked at alone, bit for bit as with the rest', async (t) => {
  const random = randomNumbers(5)
  for (const dimension of [384, 2_048]) {
    const [size, query, other] = [dimension === 384 ? 1_000 : 600, unitVector(dimension, random), unitVector(dimension, random)]
    const index = createExactIndex(dimension)
    const plain = createExactIndex(dimension)
    const vectors = new Map(Array.from({ length: size }, (_, label) => [label, unitVector(dimension, random)]))
    for (const [label, vector] of vectors) index.add(label, vector)
    for (const each of [query, other]) inOneGo(index.search(each, 3))
    const changes = [
      () => index.remove(0),
      () => index.add(3, vectors.get(4)!),
      () => index.add(size, vectors.get(5)!),
      () => index.remove(size - 1),
      () => index.remove(size)
    ]
    for (const change of changes) {
      change()
      for (const each of [query, other]) t.equal([...index.search(each, 2)].length, 0, 'it is known')
    }
    const left = new Map(
      [...vectors]
        .filter(([label]) => label !== 0 && label !== size - 1)
        .map(([label, vector]) => [label, label === 3 ? vectors.get(4)! : vector])
    )
    for (const [label, vector] of left) plain.add(label, vector)
    for (const each of [query, other]) t.strictSame(inOneGo(index.search(each, size)), inOneGo(plain.search(each, size)))
    for (let label = 0; label < 200; label++) index.add(size + label, query)
    t.ok([...index.search(other, 2)].length > 1, 'much that changed is scanned anew')
    t.equal(
      inOneGo(index.search(query, 200)).every(({ label }) => label >= size),
      true
    )
  }
})

t.test('a vector that was asked for is freed once it is replaced or removed, with all that lies in its buffer', async (t) => {
  const random = randomNumbers(3)
  const changes = [(index: VectorIndex) => index.add(0, unitVector(384, random)), (index: VectorIndex) => index.remove(0)]
  for (const change of changes) {
    const index = createExactIndex(384)
    for (let label = 0; label < 400; label++) index.add(label, unitVector(384, random))
    const asked = (): WeakRef<ArrayBufferLike> => {
      const query = unitVector(384, random)
      inOneGo(index.search(query, 1))
      index.add(0, query)
      inOneGo(index.search(query.slice(), 1))
      return new WeakRef(query.buffer)
    }
    const buffer = asked()
    change(index)
    await until(() => (collect(), buffer.deref() === undefined))
    t.ok(index.size >= 399)
  }
})

t.test('more dimensions than the kernel has room for are refused', async (t) => {
  t.doesNotThrow(() => createExactIndex(32_768).add(0, new Float32Array(32_768)))
  t.throws(() => createExactIndex(32_769), RangeError)
})
