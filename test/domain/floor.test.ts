import fc from 'fast-check'
import t from 'tap'
import { createFloor } from '../../src/domain/floor.js'

t.test('a floor is the least of the greatest numbers, and nothing until there are enough', async () => {
  const number = fc.integer({ min: -9, max: 9 })
  fc.assert(
    fc.property(fc.array(number, { maxLength: 60 }), fc.integer({ min: 1, max: 12 }), (numbers, limit) => {
      const floor = createFloor(limit)
      for (const [at, value] of numbers.entries()) {
        floor.offer(value)
        const greatest = numbers.slice(0, at + 1).sort((a, b) => b - a)
        if (floor.value !== (greatest[limit - 1] ?? -Infinity)) return false
      }
      return true
    })
  )
})
