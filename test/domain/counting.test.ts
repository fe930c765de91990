import t from 'tap'
import { boundedTime, boundedWeight, oneMore } from '../../src/domain/counting.js'
import { COUNT_MAX, FLOAT32_MAX, TIME_MAX_S } from '../../src/domain/limits.js'

t.test('counting goes up by one, and stays where it ends', async (t) => {
  t.equal(oneMore(0), 1)
  t.equal(oneMore(COUNT_MAX - 1), COUNT_MAX)
  t.equal(oneMore(COUNT_MAX), COUNT_MAX)
})

t.test('a weight is as it is up to the greatest of single precision', async (t) => {
  t.equal(boundedWeight(0), 0)
  t.equal(boundedWeight(3.5), 3.5)
  t.equal(boundedWeight(Number.MAX_VALUE), FLOAT32_MAX)
})

t.test('a time is as it is within what dates can name, on both sides', async (t) => {
  t.equal(boundedTime(1_700_000_000.5), 1_700_000_000.5)
  t.equal(boundedTime(-5), -5)
  t.equal(boundedTime(Infinity), TIME_MAX_S)
  t.equal(boundedTime(-Infinity), -TIME_MAX_S)
})
