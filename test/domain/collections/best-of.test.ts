import fc from 'fast-check'
import t from 'tap'
import { createBestOf } from '../../../src/domain/collections/best-of.js'

t.test('the best few equal the head of a full sort', async () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer()), fc.integer({ min: 0, max: 20 }), (numbers, limit) => {
      const best = createBestOf<number>(limit, (a, b) => a < b)
      for (const number of numbers) best.offer(number)
      return JSON.stringify(best.sorted()) === JSON.stringify([...numbers].sort((a, b) => b - a).slice(0, limit))
    })
  )
})

t.test('the worst is known once the limit is reached', async (t) => {
  const best = createBestOf<number>(2, (a, b) => a < b)
  best.offer(1)
  t.equal(best.worst(), undefined)
  best.offer(5)
  best.offer(3)
  t.equal(best.worst(), 3)
})
