import t from 'tap'
import { addTo, mapOf, removeFrom, setOf } from '../../../src/domain/collections/by-key.js'

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

t.test('the set or map of a key is made with its first use, and gone with its last item', async (t) => {
  const sets = new Map<string, Set<number>>()
  t.equal(setOf(sets, 'a').add(1), setOf(sets, 'a').add(2))
  const maps = new Map<string, Map<string, number>>()
  t.equal(mapOf(maps, 'b').set('one', 1), mapOf(maps, 'b').set('two', 2))
  removeFrom(sets, 'a', 1)
  removeFrom(sets, 'a', 3)
  removeFrom(sets, 'unknown', 1)
  removeFrom(maps, 'b', 'one')
  t.same([...sets], [['a', new Set([2])]])
  t.same([...maps], [['b', new Map([['two', 2]])]])
  removeFrom(sets, 'a', 2)
  removeFrom(maps, 'b', 'two')
  t.same([sets.size, maps.size], [0, 0])
})
