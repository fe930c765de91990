import t from 'tap'
import { inOneGo } from '../../src/domain/pieces.js'
import { helperRoom } from '../../src/vectors/arena.js'
import { createExactIndexes } from '../../src/vectors/exact-index.js'
import { createScanHelper, startScanThread } from '../../src/vectors/scan-helper.js'
import { type Area, letGo, takeSlab } from '../../src/vectors/scan-job.js'
import { until } from '../support/until.js'
import { ascending, createHelped, createPretended, DIMENSION, filled, lie, stall } from './helper-threads.js'
import { vectorIndexContract } from './index-contract.js'
import { randomNumbers, unitVector } from './random-vectors.js'

const SCANS_MAX = 4
const errors: object[] = []
const helper = createScanHelper({ logger: { error: (fields) => void errors.push(fields) }, bytesMin: 0, start: startScanThread })
t.teardown(() => helper.close())

vectorIndexContract('beside a thread', createHelped(helper).create)
vectorIndexContract('beside a thread that is told before', createHelped(helper, { isAnnounced: true }).create)
vectorIndexContract('beside a thread that never answers', createHelped(createPretended(stall).helper, { isAnnounced: true }).create)

t.test('what another thread scans is found as without it, to the last bit, also after slabs were moved', async (t) => {
  const { create, jobs, memories, released } = createHelped(helper)
  const [dimension, size] = [384, 5_000]
  const random = randomNumbers(11)
  const [helped, plain] = [create(dimension), createExactIndexes()(dimension)]
  for (let label = 0; label < size; label++) {
    const vector = unitVector(dimension, random)
    for (const index of [helped, plain]) index.add(label, vector)
  }
  // The index has eight slabs of a chunk. Of three chunks that one gets the most free slabs, while the others have room for eight.
  const other = filled(1)
  const others = [55, 23, 40, 23, 40].map((slabs) => {
    const index = create(DIMENSION)
    for (let label = 0; label < 16 * slabs; label++) index.add(label, other)
    return index
  })
  for (const [at, closed] of [[], [0, 2, 4], []].entries()) {
    const query = unitVector(dimension, random)
    helped.prepare?.(query)
    for (const each of closed) others[each]?.close()
    t.equal(released.length, Math.min(at, 1))
    const job = jobs.at(-1)
    await until(() => Array.from({ length: 8 }, (_, slab) => job?.found(slab) ?? null).every((found) => found !== null))
    t.equal([...helped.search(query, 10)].length, 0, 'nothing is left to scan')
    t.strictSame(inOneGo(helped.search(query, size)), inOneGo(plain.search(query, size)))
  }
  // Neither thread knows when the other one is done with a scan.
  await until(() => [...memories].every((memory) => helperRoom(memory).query.every((number) => number === 0)))
  t.ok(memories.size > 1, 'no copy of a query lingers')
  t.same(errors, [])
})

t.test('a search takes over what was scanned of its query alone', async (t) => {
  let isLying = true
  const { create } = createHelped(createPretended((area) => (isLying ? lie(area) : stall(area))).helper)
  const { index, nearest } = ascending(create)
  index.prepare?.(filled(1))
  isLying = false
  t.equal(nearest(2), 39, 'of another one')
  isLying = true
  index.prepare?.(filled(3))
  isLying = false
  t.equal(nearest(3), 0)
})

const CHANGES = {
  added: (index, label) => index.add(40 + label, filled(0.5)),
  replaced: (index, label) => index.add(label, filled(0.5)),
  removed: (index, label) => index.remove(label),
  'closed and filled anew': (index) => {
    index.close()
    for (let label = 0; label < 40; label++) index.add(label, filled(label + 1))
  }
} satisfies Record<string, (index: ReturnType<typeof ascending>['index'], label: number) => void>

for (const [name, change] of Object.entries(CHANGES)) {
  t.test(`what was scanned before a vector was ${name} is not taken over`, async (t) => {
    let isLying = true
    const { helper: pretended, areas } = createPretended((area) => (isLying ? lie(area) : undefined))
    const { index, nearest } = ascending(createHelped(pretended).create)
    index.prepare?.(filled(1))
    isLying = false
    change(index, 1)
    t.equal(nearest(1), 39)
    index.prepare?.(filled(2))
    change(index, 2)
    t.ok([...areas.values()].every(hasNoneLeft), 'what is outdated is not scanned to its end')
  })
}

t.test('an index that is closed leaves nothing to scan', async (t) => {
  const { helper: pretended, areas } = createPretended(() => undefined)
  const { index } = ascending(createHelped(pretended).create)
  index.prepare?.(filled(1))
  index.close()
  t.ok([...areas.values()].every(hasNoneLeft))
})

t.test('a search that is given up leaves nothing to scan, and its area to the next', async (t) => {
  const { helper: pretended, areas, count } = createPretended(() => undefined)
  const { index, nearest } = ascending(createHelped(pretended).create)
  for (let value = 1; value < 8; value++) {
    const search = index.search(filled(value), 1)
    search.next()
    search.return([])
    const [area] = areas.values()
    t.ok(hasNoneLeft(area as Area))
    letGo(area as Area)
  }
  t.equal(count('area'), 1)
  t.equal(nearest(9), 39)
})

t.test('an area is used again once the helper has let go of it, and larger when it is outgrown', async (t) => {
  const { helper: pretended, areas, count } = createPretended(letGo)
  const { create } = createHelped(pretended)
  const { index, nearest } = ascending(create)
  for (let value = 1; value < 8; value++) t.equal(nearest(value), 39)
  t.ok(
    [...areas.values()].every(({ query }) => query.every((number) => number === 0)),
    'no copy of a query lingers'
  )
  t.equal(count('area'), 1)
  for (let label = 40; label < 60; label++) index.add(label, filled(label + 1))
  t.equal(nearest(9), 59)
  t.equal(count('area'), 2)
  t.equal(ascending(create, 20).nearest(1), 19)
  t.equal(count('area'), 2, 'a smaller one fits into it')
})

t.test('a helper that keeps its areas is told of no further scan', async (t) => {
  const { helper: pretended, areas, count } = createPretended(stall)
  const { nearest } = ascending(createHelped(pretended).create)
  for (let value = 1; value < 9; value++) t.equal(nearest(value), 39)
  t.equal(count('scan'), SCANS_MAX)
  letGo([...areas.values()][2] as Area)
  t.equal(nearest(9), 39)
  t.equal(count('scan'), SCANS_MAX + 1)
  t.equal(count('area'), SCANS_MAX)
})

t.test('a scan that was announced and never asked for makes way for others', async (t) => {
  let isLying = true
  const { helper: pretended, count } = createPretended((area) => (isLying ? lie(area) : stall(area)))
  const { create } = createHelped(pretended)
  const all = Array.from({ length: SCANS_MAX + 1 }, () => ascending(create))
  for (const { index } of all) index.prepare?.(filled(1))
  isLying = false
  t.equal(count('area'), SCANS_MAX)
  t.same(
    all.map(({ nearest }) => nearest(1)),
    [39, ...Array.from({ length: SCANS_MAX }, () => 0)]
  )
})

t.test('no copy of a query lingers once a vector is gone, also where a shorter vector was written over it', async (t) => {
  const { create, memories } = createHelped(createPretended(letGo).helper)
  const { index, nearest } = ascending(create)
  const isClean = () => [...memories].every(({ buffer }) => new Int16Array(buffer, 0, DIMENSION).every((number) => number === 0))
  const changes = [() => index.remove(1), () => index.add(2, filled(3)), () => index.close()]
  for (const [at, change] of changes.entries()) {
    t.equal(nearest(at + 1), 39)
    const shorter = create(384)
    for (let label = 0; label < 400; label++) shorter.add(label, new Float32Array(384).fill(label))
    t.notOk(isClean())
    change()
    t.ok(isClean())
  }
})

t.test('a thread that ends is logged once and not started again, and searches go on', async (t) => {
  const { helper: pretended, errors: logged, count, end } = createPretended(stall)
  const { index, nearest } = ascending(createHelped(pretended).create)
  index.prepare?.(filled(1))
  end('ERR_WORKER_OUT_OF_MEMORY')
  for (let value = 1; value < 4; value++) t.equal(nearest(value), 39)
  t.equal(count('scan'), 1)
  t.same(logged, [{ code: 'ERR_WORKER_OUT_OF_MEMORY' }])
})

t.test('a thread that cannot be started is logged once and not tried again, and searches go on', async (t) => {
  const logged: object[] = []
  let tries = 0
  const start = (): never => {
    tries += 1
    throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' })
  }
  const { index, nearest } = ascending(
    createHelped(createScanHelper({ logger: { error: (fields) => void logged.push(fields) }, bytesMin: 0, start })).create
  )
  index.prepare?.(filled(1))
  for (let value = 1; value < 4; value++) t.equal(nearest(value), 39)
  t.equal(tries, 1)
  t.same(logged, [{ code: 'ERR_WORKER_INIT_FAILED' }])
})

t.test('a helper that is closed says nothing of it, and searches go on', async (t) => {
  const { helper: pretended, errors: logged, count } = createPretended(stall)
  const { nearest } = ascending(createHelped(pretended).create)
  t.equal(nearest(1), 39)
  await pretended.close()
  await pretended.close()
  t.equal(nearest(2), 39)
  t.equal(count('scan'), 1)
  t.same(logged, [])
})

t.test('a helper is told of each memory once, and of the one that is given back', async (t) => {
  const { helper: pretended, count } = createPretended(letGo)
  const { create, released } = createHelped(pretended)
  const [large, small] = [create(DIMENSION), ascending(create, 16)]
  const one = filled(1)
  // With the slab of the other index, four chunks and one slab.
  for (let label = 0; label < 16 * 63 * 4; label++) large.add(label, one)
  for (let value = 1; value < 3; value++) {
    inOneGo(large.search(filled(value), 1))
    small.nearest(value)
  }
  t.equal(count('memory'), 5)
  large.close()
  t.ok(count('released') > 1)
  t.equal(count('released'), released.length)
  for (const memory of released) pretended.release(memory)
  t.equal(count('released'), released.length)
  t.equal(small.nearest(3), 15)
})

t.test('few vectors are not told to the helper', async (t) => {
  const { helper: pretended, count } = createPretended(lie)
  const { create } = createHelped({ ...pretended, bytesMin: 41 * (DIMENSION + 4) })
  const { index, nearest } = ascending(create)
  t.equal(nearest(1), 39)
  t.equal(count('scan'), 0)
  index.add(40, filled(41))
  t.equal(nearest(2), 0)
})

t.test('another dimension than that of the index is not told to the helper', async (t) => {
  const { helper: pretended, count } = createPretended(lie)
  const { index } = ascending(createHelped(pretended).create)
  index.prepare?.(new Float32Array(3))
  t.equal(count('scan'), 0)
})

function hasNoneLeft(area: Area): boolean {
  return takeSlab(area) === null
}
