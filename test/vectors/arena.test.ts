import fc from 'fast-check'
import t from 'tap'
import { dot, norm } from '../../src/domain/similarity/vector.js'
import { createVectorArena, type Slab } from '../../src/vectors/arena.js'
import { inShorts } from '../../src/vectors/rounding.js'
import { rowsOfSlab } from '../../src/vectors/rows.js'

/** Slabs of somewhat more than 16 MiB, and two pages of scratch space for the helper. */
const CHUNK_BYTES = (257 + 2) * 65_536
const CHUNK_SLABS = 63
const DIMENSION = 16
const ONES = { numbers: new Int16Array(DIMENSION).fill(1), unit: 1 }

/** A vector of equal numbers, which rounding to signed bytes represents exactly. */
const filled = (value: number, dimension = DIMENSION) => new Float32Array(dimension).fill(127 * value)

t.test('a new slab is zeros, also where another one was', async (t) => {
  const arena = createVectorArena()
  const rows = rowsOfSlab(DIMENSION)
  const slab = arena.take(DIMENSION)
  for (let row = 0; row < rows; row++) slab.write(row, filled(7))
  t.ok(
    arena
      .reader(ONES)
      .similarities(slab, rows)
      .every((value) => value === 127 * 7 * DIMENSION)
  )
  arena.give(slab)
  const next = arena.take(DIMENSION)
  t.ok(
    arena
      .reader(ONES)
      .similarities(next, rows)
      .every((value) => value === 0)
  )
})

t.test('slabs keep their rows while chunks are given back around them', async (t) => {
  const arena = createVectorArena()
  const slabs: Slab[] = []
  for (let at = 0; at < 6 * CHUNK_SLABS; at++) {
    const slab = arena.take(DIMENSION)
    slab.write(at % 5, filled(at))
    slabs.push(slab)
  }
  t.equal(arena.bytes, 6 * CHUNK_BYTES)
  // One of each chunk is left: none of them is ever empty by itself.
  const kept = slabs.filter((_, at) => at % CHUNK_SLABS === 5)
  for (const slab of slabs) if (!kept.includes(slab)) arena.give(slab)
  t.ok(arena.bytes <= 2 * CHUNK_BYTES)
  const reader = arena.reader(ONES)
  for (const slab of kept) {
    const at = slabs.indexOf(slab)
    t.equal(reader.similarity(slab, at % 5), 127 * at * DIMENSION)
  }
  for (const slab of kept) arena.give(slab)
  t.ok(arena.bytes <= CHUNK_BYTES)
})

t.test('a row is copied with what its numbers stand for, and wiped without the next one', async (t) => {
  const arena = createVectorArena()
  const [slab, other] = [arena.take(DIMENSION), arena.take(DIMENSION)]
  other.write(3, filled(-0.5))
  for (const row of [0, 1, 2]) slab.write(row, filled(row + 1))
  slab.copy(1, other, 3)
  slab.wipe(0)
  t.same([...arena.reader(ONES).similarities(slab, 3)], [0, -63.5 * DIMENSION, 127 * 3 * DIMENSION])
})

t.test('readers of several queries multiply each its own, in every chunk', async (t) => {
  const arena = createVectorArena()
  const slabs = Array.from({ length: CHUNK_SLABS + 1 }, () => arena.take(20))
  // Twenty numbers lie in rows of thirty-two: what is between counts as nothing.
  for (const [at, slab] of slabs.entries()) slab.write(1, filled(at, 20))
  const readers = [1, 2].map((unit) => arena.reader({ numbers: new Int16Array(20).fill(3), unit }))
  for (const [at, slab] of slabs.entries()) {
    t.same([...(readers[0]?.similarities(slab, 3) ?? [])], [0, 127 * 60 * at, 0])
    t.equal(readers[1]?.similarity(slab, 1), 127 * 120 * at)
  }
})

t.test('what a row says of a vector is off by no more than its error allows, whatever the vectors', async (t) => {
  const arena = createVectorArena()
  const dimension = 12
  const slab = arena.take(dimension)
  const vector = fc
    .array(fc.float({ min: -4, max: 4, noNaN: true }), { minLength: dimension, maxLength: dimension })
    .map((numbers) => Float32Array.from(numbers))
  fc.assert(
    fc.property(vector, vector, (stored, asked) => {
      const { error, length } = slab.write(1, stored)
      const query = inShorts(asked)
      const off = Math.abs(arena.reader(query).similarity(slab, 1) - dot(stored, asked))
      const ofSinglePrecision = 2 ** -22 * norm(asked) * (length + error)
      return off <= norm(asked) * error + query.error * (length + error) + ofSinglePrecision + 1e-9
    })
  )
  fc.assert(
    fc.property(vector, (stored) => {
      const { error, length } = slab.write(1, stored)
      t.ok(Math.abs(length - norm(stored)) <= 1e-12 * length)
      // Each number is off by half of what a whole number stands for at most.
      return error <= (Math.sqrt(dimension) * Math.max(...stored.map(Math.abs)) * (0.5 + 1e-6)) / 127 + 1e-40
    })
  )
})

t.test('a vector too small for single precision is zeros, and all of it is left out', async (t) => {
  const slab = createVectorArena().take(DIMENSION)
  const least = new Float32Array(DIMENSION).fill(2 ** -149)
  t.same(slab.write(0, least), { error: norm(least), length: norm(least) })
  t.same(slab.write(0, new Float32Array(DIMENSION)), { error: 0, length: 0 })
})

t.test('numbers beyond the greatest of a byte, as their unit is rounded down below single precision, are the greatest', async (t) => {
  const arena = createVectorArena()
  const slab = arena.take(DIMENSION)
  const signs = Array.from({ length: DIMENSION }, (_, at) => (at % 2 === 0 ? 1 : -1))
  // Of 1.4 units, which single precision has as one.
  const { error } = slab.write(
    0,
    Float32Array.from(signs, (sign) => sign * 178 * 2 ** -149)
  )
  t.equal(error, Math.sqrt(DIMENSION) * (178 - 127) * 2 ** -149)
  t.equal(arena.reader({ numbers: Int16Array.from(signs), unit: 1 }).similarity(slab, 0), DIMENSION * 127 * 2 ** -149)
})
