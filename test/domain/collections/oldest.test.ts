import t from 'tap'
import { dropOldest } from '../../../src/domain/collections/oldest.js'

t.test('the oldest entry goes once there are more than the bound, and none before', async (t) => {
  const entries = new Map([
    ['a', 1],
    ['b', 2]
  ])
  t.equal(dropOldest(entries, 2), undefined)
  t.equal(dropOldest(entries, 1), 'a')
  t.same([...entries.keys()], ['b'])
})
