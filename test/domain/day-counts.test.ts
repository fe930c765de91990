import t from 'tap'
import { addedUp, type DaySum, dateOf, dayOf, DAYS_MAX, daysToForget, sumOf, withTurn } from '../../src/domain/day-counts.js'

const TODAY = 20_000

t.test('a day begins at midnight of UTC, and has a date', async (t) => {
  t.same([0, 86_399.9, 86_400].map(dayOf), [0, 0, 1])
  t.equal(dateOf(0), '1970-01-01')
  t.equal(dateOf(dayOf(1_700_000_000)), '2023-11-14')
})

t.test('turns of a day are counted with their drift and what they saved', async (t) => {
  const turns = [
    { driftScore: 0.25, isDrifted: false, savedTokens: null },
    { driftScore: 0.75, isDrifted: true, savedTokens: null },
    { driftScore: null, isDrifted: false, savedTokens: 40 },
    { driftScore: 0.5, isDrifted: true, savedTokens: 0 }
  ]
  const day = turns.reduce<ReturnType<typeof withTurn> | undefined>((known, turn) => withTurn(known, TODAY, turn), undefined)
  const sums = { driftSum: 1.5, driftMax: 0.75, driftedTurns: 2, shortCircuits: 2, savedTokens: 40 }
  t.strictSame(day, { day: TODAY, turns: 4, judgedTurns: 3, ...sums })
  t.strictSame(sumOf(day ?? withTurn(undefined, 0, { driftScore: null, isDrifted: false, savedTokens: null })), [TODAY, 4, 2, 2, 40])
})

t.test('sums of sessions are added up by day, oldest first, within a month up to today', async (t) => {
  const sum = (day: number, times = 1): DaySum => [day, times, 2 * times, 3 * times, 4 * times]
  const oldest = TODAY - DAYS_MAX + 1
  t.strictSame(addedUp([sum(TODAY), sum(oldest), sum(TODAY, 10), sum(oldest - 1), sum(TODAY + 1)], TODAY), [sum(oldest), sum(TODAY, 11)])
})

t.test('days of more than a month ago are forgotten, and of the rest the oldest beyond a month’s', async (t) => {
  const days = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)
  t.same(daysToForget(days(TODAY - DAYS_MAX + 1, DAYS_MAX), TODAY), [])
  t.same(daysToForget(days(TODAY - DAYS_MAX, DAYS_MAX + 1), TODAY), [TODAY - DAYS_MAX])
  t.same(daysToForget([TODAY - 500, TODAY], TODAY), [TODAY - 500])
  t.same(daysToForget(days(TODAY, DAYS_MAX + 2), TODAY), [TODAY + 1, TODAY], 'a clock that went back')
})
