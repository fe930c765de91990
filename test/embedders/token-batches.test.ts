import fc from 'fast-check'
import t from 'tap'
import { groupByLength } from '../../src/embedders/token-batches.js'

t.test('groups by length: any lengths hold every sequence once, within the limit, with little padding', async () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 80 }), (lengths) => {
      const groups = groupByLength(lengths)
      const all = groups.flat().sort((a, b) => a - b)
      const isFit = groups.every((group) => {
        const members = group.map((index) => lengths[index]!)
        const longest = Math.max(...members)
        return (group.length === 1 || group.length * longest <= 4_096) && longest <= 1.5 * Math.min(...members) + 8
      })
      return isFit && all.length === lengths.length && all.every((value, index) => value === index)
    })
  )
})

t.test('groups by length: short and long texts are kept apart', async (t) => {
  t.same(groupByLength([10, 500, 12, 480]), [
    [0, 2],
    [3, 1]
  ])
})
