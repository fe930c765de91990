import fc from 'fast-check'
import t from 'tap'
import { countBelow } from '../../../src/domain/collections/ascending.js'

t.test('what is lower is counted as a look at every value would', async () => {
  const values = fc.array(fc.integer({ min: -20, max: 20 })).map((all) => all.sort((a, b) => a - b))
  fc.assert(
    fc.property(values, fc.integer({ min: -22, max: 22 }), (ascending, value) => {
      return countBelow(ascending, value) === ascending.filter((one) => one < value).length
    })
  )
})
