import t from 'tap'
import { inOneGo } from '../../src/domain/pieces.js'
import { createExactIndexes } from '../../src/vectors/exact-index.js'

const PLACES = 20_000
const ASKED_A_PIECE = 1_024
/** Dimension below which an index keeps its vectors unrounded, so that the scan itself is one piece. */
const DIMENSION = 2

/** An index of vectors that are all alike, in which only the last labels are accepted. */
function alike(accepted: number) {
  const index = createExactIndexes()(DIMENSION)
  for (let label = 0; label < PLACES; label++) index.add(label, Float32Array.of(1, label % 7 === 0 ? 1e-4 : 0))
  const asked = new Map<number, number>()
  let sinceLast = 0
  const accept = (label: number): boolean => {
    asked.set(label, (asked.get(label) ?? 0) + 1)
    sinceLast += 1
    return label >= PLACES - accepted
  }
  return { index, asked, accept, takeCount: () => sinceLast, reset: () => (sinceLast = 0) }
}

t.test('a search among vectors that are alike asks about each of them once at most, some at a time', async (t) => {
  for (const accepted of [0, 5, 100, PLACES]) {
    const { index, asked, accept, takeCount, reset } = alike(accepted)
    const search = index.search(Float32Array.of(1, 1), 10, accept)
    let most = 0
    for (;;) {
      reset()
      const next = search.next()
      most = Math.max(most, takeCount())
      if (next.done !== true) continue
      t.equal(next.value.length, Math.min(10, accepted), `${String(accepted)} accepted`)
      t.ok(next.value.every(({ label }) => label >= PLACES - accepted))
      break
    }
    t.ok(most <= ASKED_A_PIECE, `${String(most)} asked about in a piece`)
    t.ok([...asked.values()].every((times) => times === 1))
    index.close()
  }
})

t.test('it finds the same as one that asks about all of them', async (t) => {
  const { index, accept } = alike(3_000)
  const query = Float32Array.of(1, 1)
  const all = inOneGo(index.search(query, PLACES)).filter(({ label }) => accept(label))
  for (const limit of [1, 10, 500, 2_999, 3_000, 3_001, PLACES]) t.same(inOneGo(index.search(query, limit, accept)), all.slice(0, limit))
  index.close()
})

t.test('where most are accepted it asks about few more than it is to find', async (t) => {
  const index = createExactIndexes()(DIMENSION)
  for (let label = 0; label < 2_000; label++) index.add(label, Float32Array.of(1, label / 2_000))
  for (const [share, most] of [
    [1, 12],
    [2, 60]
  ] as const) {
    let asked = 0
    const accept = (label: number): boolean => (asked++, label % share === 0)
    t.equal(inOneGo(index.search(Float32Array.of(1, 1), 10, accept)).length, 10)
    t.ok(asked <= most, `${String(asked)} asked about`)
  }
  index.close()
})
