import t from 'tap'
import { addTo } from '../../../src/domain/collections/lists-by-key.js'

t.test('items of a key are in one list, in the order in which they came', async (t) => {
  const lists = new Map<string, number[]>()
  for (const [key, item] of [
    ['a', 1],
    ['b', 2],
    ['a', 3]
  ] as const)
    addTo(lists, key, item)
  t.same(
    [...lists],
    [
      ['a', [1, 3]],
      ['b', [2]]
    ]
  )
})
