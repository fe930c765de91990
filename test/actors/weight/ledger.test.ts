/** Compares a ledger with one that weighs every row anew. */
import fc from 'fast-check'
import t from 'tap'
import { Ledger, rowWeight, type WeighRow, weightInHead } from '../../../actors/weight/ledger.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { plus, sumOf, type Weight, WEIGHTLESS, weightOf } from '../../../src/domain/fairness/weight.js'
import type { StoredRow } from '../../../src/ports.js'

/** Rows of `beside` are weighed with others and have no weight of their own. */
const weighRow: WeighRow = ({ collection, body }) => (collection === 'beside' ? null : weightOf(body))

const name = fc.record({ collection: fc.constantFrom('memory', 'anchor', 'beside'), id: fc.constantFrom('a', 'b', 'c') })
const row = name.chain(({ collection, id }) =>
  fc
    .oneof(
      fc.string(),
      fc.nat(9).map((length) => new Float32Array(length))
    )
    .map((body): StoredRow => ({ collection, id, body }))
)
const commit = fc.record({
  head: fc.record({ text: fc.string() }),
  put: fc.array(row, { maxLength: 4 }),
  remove: fc.array(name, { maxLength: 2 }),
  clear: fc.boolean()
})

const keyOf = ({ collection, id }: { readonly collection: string; readonly id: string }) => `${collection}/${id}`
const weightOfRow = (one: StoredRow | undefined): Weight => (one === undefined || weighRow(one) === null ? WEIGHTLESS : rowWeight(one.body))

t.test('a ledger says what weighing every row anew would say, in all and by collection, and what each commit lets go of', async () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), fc.array(commit, { maxLength: 8 }), (stored, commits) => {
      const rows = new Map(stored.map((one) => [keyOf(one), one]))
      let head: unknown = { text: 'first' }
      const ledger = new Ledger(weighRow)
      inOneGo(ledger.fill({ head, rows: [...rows.values()] }))
      const isRight = () => {
        const all = [...rows.values()]
        const own = all.filter(({ collection }) => collection === 'memory').map(weightOfRow)
        return same(ledger.weight(), plus(weightOf(head), sumOf(all.map(weightOfRow)))) && same(ledger.of('memory'), sumOf(own))
      }
      if (!isRight()) return false
      return commits.every((changes) => {
        let gone = WEIGHTLESS
        const drop = (key: string) => {
          gone = plus(gone, weightOfRow(rows.get(key)))
          rows.delete(key)
        }
        if (changes.clear) for (const key of [...rows.keys()]) drop(key)
        for (const one of changes.remove) drop(keyOf(one))
        for (const one of changes.put) {
          drop(keyOf(one))
          rows.set(keyOf(one), one)
        }
        head = changes.head
        return same(inOneGo(ledger.apply(changes)), gone) && isRight()
      })
    })
  )
})

t.test('a record is weighed in pieces of eight rows', async (t) => {
  const rows = Array.from({ length: 17 }, (_, n): StoredRow => ({ collection: 'memory', id: String(n), body: n }))
  const pieces = new Ledger().fill({ head: null, rows })
  let pauses = 0
  while (pieces.next().done !== true) pauses += 1
  t.equal(pauses, 3)
})

t.test('a commit is weighed in one go where it is small, and in pieces of so many rows where it is large', async (t) => {
  const rows = (count: number) => Array.from({ length: count }, (_, n): StoredRow => ({ collection: 'memory', id: String(n), body: n }))
  const ledger = new Ledger()
  const pauses = (changes: Parameters<typeof ledger.apply>[0]): number => [...ledger.apply(changes)].length
  t.equal(pauses({ head: null, put: rows(100), remove: [] }), 0)
  t.equal(pauses({ head: null, put: rows(1_280), remove: [] }), 10)
  t.equal(pauses({ head: null, put: [], remove: rows(1_280) }), 10)
})

t.test('a head tells what its record weighed, unless it is of a version that did not weigh', async (t) => {
  t.same(weightInHead({ weight: { heap: 5, buffers: 7 } }), { heap: 5, buffers: 7 })
  t.equal(weightInHead({}), undefined)
  t.equal(weightInHead(null), undefined)
})

function same(a: Weight, b: Weight): boolean {
  return a.heap === b.heap && a.buffers === b.buffers
}
