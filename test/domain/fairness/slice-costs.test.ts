import t from 'tap'
import { createSliceCosts } from '../../../src/domain/fairness/slice-costs.js'

t.test('a slice counts for what it took, and a subject is let off what is beyond 8 ms once a second', async (t) => {
  const costs = createSliceCosts()
  t.equal(costs.of('anna', 3, 0), 3)
  t.equal(costs.of('anna', 8, 0), 8)
  t.equal(costs.of('anna', 50, 100), 8)
  t.equal(costs.of('bob', 40, 500), 8, 'each for itself')
  t.equal(costs.of('anna', 50, 1_099), 50)
  t.equal(costs.of('anna', 50, 1_100), 8)
  t.equal(costs.of('bob', 40, 1_499), 40)
  t.equal(costs.of('bob', 40, 1_500), 8)
})

t.test('a hundred milliseconds at most', async (t) => {
  const costs = createSliceCosts()
  t.equal(costs.of('anna', 108, 0), 8)
  t.equal(costs.of('bob', 150, 0), 50)
  t.equal(costs.of('anna', 9, 5_000), 8)
})
