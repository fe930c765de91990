import fc from 'fast-check'
import t from 'tap'
import { calibrated, chanceOf, oddsOfChance } from '../../../src/domain/drift/score-calibration.js'

const odds = fc.integer({ min: -2_000, max: 2_000 }).map((hundredths) => hundredths / 100)

t.test('calibrated odds keep their order, their side of the threshold, and what lies below it', async () => {
  fc.assert(
    fc.property(odds, odds, (a, b) => {
      if (a < b && calibrated(a) > calibrated(b)) return false
      return a <= 0 ? calibrated(a) === a : calibrated(a) > 0 && calibrated(a) < a
    })
  )
})

t.test('scores from .55 on keep one distance in odds', async (t) => {
  t.ok(Math.abs(chanceOf(calibrated(1)) - 0.55) < 0.001)
  for (const own of [1, 2, 4]) t.ok(Math.abs(own - calibrated(own) - 0.8) < 1e-9)
  t.equal(calibrated(2, 0), 2)
})

t.test('a chance and its odds are two names of one thing', async () => {
  fc.assert(fc.property(odds, (own) => Math.abs(oddsOfChance(chanceOf(own)) - own) < 1e-6))
})
