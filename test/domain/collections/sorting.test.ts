import fc from 'fast-check'
import t from 'tap'
import { inOneGo } from '../../../src/domain/pieces.js'
import { sorted } from '../../../src/domain/collections/sorting.js'

const byKey = (a: readonly [number, number], b: readonly [number, number]) => a[0] - b[0]

t.test('sorts as the language does, what is equal in the order in which it came', async () => {
  const lists = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 5_000, size: 'max' })
  fc.assert(
    fc.property(lists, (keys) => {
      const items = keys.map((key, at) => [key, at] as const)
      return JSON.stringify(inOneGo(sorted(items, byKey))) === JSON.stringify(items.toSorted(byKey))
    }),
    { numRuns: 30 }
  )
})

t.test('compares no more than some thousand items in one piece', async (t) => {
  const items = Array.from({ length: 20_000 }, (_, at) => [(at * 7_919) % 20_011, at] as const)
  let compared = 0
  let most = 0
  const work = sorted(items, (a, b) => {
    compared += 1
    return byKey(a, b)
  })
  for (let next = work.next(); next.done !== true; next = work.next()) {
    most = Math.max(most, compared)
    compared = 0
  }
  t.ok(most < 12_000)
  t.ok(most > 500)
})
