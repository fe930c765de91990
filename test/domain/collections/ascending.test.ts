import fc from 'fast-check'
import t from 'tap'
import { countBelow, countWhile } from '../../../src/domain/collections/ascending.js'

t.test('what is lower is counted as a look at every value would', async () => {
  const values = fc.array(fc.integer({ min: -20, max: 20 })).map((all) => all.sort((a, b) => a - b))
  fc.assert(
    fc.property(values, fc.integer({ min: -22, max: 22 }), (ascending, value) => {
      const lower = ascending.filter((one) => one < value).length
      return countBelow(ascending, value) === lower && countWhile(ascending, (one) => one < value) === lower
    })
  )
})
