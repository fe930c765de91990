import t from 'tap'
import { createVectorArena, rowsOfSlab, type Slab } from '../../src/vectors/arena.js'

const CHUNK_BYTES = 16 * 1_024 * 1_024
const CHUNK_SLABS = 63
const DIMENSION = 16
const ONES = { numbers: new Int16Array(DIMENSION).fill(1), unit: 1 }

const filled = (value: number) => ({ numbers: new Int16Array(DIMENSION).fill(value), unit: 1 })

t.test('a new slab is zeros, also where another one was', async (t) => {
  const arena = createVectorArena()
  const rows = rowsOfSlab(DIMENSION)
  const slab = arena.take(DIMENSION)
  for (let row = 0; row < rows; row++) slab.write(row, filled(7))
  t.ok(
    arena
      .reader(ONES)
      .similarities(slab, rows)
      .every((value) => value === 7 * DIMENSION)
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
    slab.write(at % 5, { numbers: new Int16Array(DIMENSION).fill(1), unit: at })
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
    t.equal(reader.similarity(slab, at % 5), at * DIMENSION)
  }
  for (const slab of kept) arena.give(slab)
  t.ok(arena.bytes <= CHUNK_BYTES)
})

t.test('a row is copied with what its numbers stand for, and wiped without the next one', async (t) => {
  const arena = createVectorArena()
  const [slab, other] = [arena.take(DIMENSION), arena.take(DIMENSION)]
  other.write(3, { numbers: new Int16Array(DIMENSION).fill(-2), unit: 0.5 })
  for (const row of [0, 1, 2]) slab.write(row, filled(row + 1))
  slab.copy(1, other, 3)
  slab.wipe(0)
  t.same([...arena.reader(ONES).similarities(slab, 3)], [0, -DIMENSION, 3 * DIMENSION])
})

t.test('readers of several queries multiply each its own, in every chunk', async (t) => {
  const arena = createVectorArena()
  const slabs = Array.from({ length: CHUNK_SLABS + 1 }, () => arena.take(20))
  // Twenty numbers lie in rows of thirty-two: what is between counts as nothing.
  for (const [at, slab] of slabs.entries()) slab.write(1, { numbers: new Int16Array(20).fill(at), unit: 1 })
  const readers = [1, 2].map((unit) => arena.reader({ numbers: new Int16Array(20).fill(3), unit }))
  for (const [at, slab] of slabs.entries()) {
    t.same([...(readers[0]?.similarities(slab, 3) ?? [])], [0, 60 * at, 0])
    t.equal(readers[1]?.similarity(slab, 1), 120 * at)
  }
})
