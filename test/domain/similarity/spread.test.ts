import t from 'tap'
import { spreadOf } from '../../../src/domain/similarity/spread.js'

t.test('the spread of nothing is zero, of numbers their mean and population variance', async (t) => {
  t.same(spreadOf([]), { mean: 0, variance: 0 })
  t.same(spreadOf([1, 3]), { mean: 2, variance: 1 })
})
