import t from 'tap'
import { createVectorArena, type Slab, SLAB_NUMBERS } from '../../src/vectors/arena.js'

const CHUNK_BYTES = 16 * 1_024 * 1_024
const CHUNK_SLABS = 63

t.test('a new slab is zeros, also where another one was', async (t) => {
  const arena = createVectorArena()
  const slab = arena.take()
  t.equal(slab.numbers.length, SLAB_NUMBERS)
  slab.numbers.fill(7)
  arena.give(slab)
  t.ok(arena.take().numbers.every((value) => value === 0))
})

t.test('slabs keep their numbers while chunks are given back around them', async (t) => {
  const arena = createVectorArena()
  const slabs: Slab[] = []
  for (let at = 0; at < 6 * CHUNK_SLABS; at++) {
    const slab = arena.take()
    slab.numbers.fill(at)
    slabs.push(slab)
  }
  t.equal(arena.bytes, 6 * CHUNK_BYTES)
  // One of each chunk is left: none of them is ever empty by itself.
  const kept = slabs.filter((_, at) => at % CHUNK_SLABS === 5)
  for (const slab of slabs) if (!kept.includes(slab)) arena.give(slab)
  t.ok(arena.bytes <= 2 * CHUNK_BYTES)
  for (const slab of kept) t.ok(slab.numbers.every((value) => value === slabs.indexOf(slab)))
  for (const slab of kept) arena.give(slab)
  t.ok(arena.bytes <= CHUNK_BYTES)
})

t.test('a reader multiplies its query with what each slab holds', async (t) => {
  const arena = createVectorArena()
  const slabs = Array.from({ length: CHUNK_SLABS + 1 }, () => arena.take())
  slabs.forEach((slab, at) => slab.numbers.set(new Float32Array(32).fill(at)))
  const [ones, twos] = [1, 2].map((value) => arena.reader(new Float32Array(16).fill(value)))
  for (const [at, slab] of slabs.entries()) {
    t.same([...(ones?.similarities(slab, 3) ?? [])], [16 * at, 16 * at, 0])
    t.equal(twos?.product(slab, 16), 32 * at)
  }
})
