import t from 'tap'
import { daysFrom, dayOfDate, monthOf, partsOf, type Span, weekdayOf, weekOf, yearOf } from '../../src/domain/calendar.js'

const dates = ({ since, until }: Span): string[] => [since, until].map((seconds) => new Date(seconds * 1_000).toISOString().slice(0, 10))
/** A Wednesday. */
const DAY = dayOfDate(2026, 2, 18)

t.test('a day has a weekday and a date', async (t) => {
  t.equal(weekdayOf(DAY), 2)
  t.equal(weekdayOf(0), 3, 'the first day of the epoch was a Thursday')
  t.same(partsOf(DAY), { year: 2026, month: 2, date: 18 })
  t.same(dates(daysFrom(DAY)), ['2026-03-18', '2026-03-19'])
})

t.test('weeks begin on Monday, months and years on their first day, also beyond the end of a year', async (t) => {
  t.same(dates(weekOf(DAY)), ['2026-03-16', '2026-03-23'])
  t.same(dates(weekOf(DAY, -1)), ['2026-03-09', '2026-03-16'])
  t.same(dates(monthOf(DAY)), ['2026-03-01', '2026-04-01'])
  t.same(dates(monthOf(DAY, -3)), ['2025-12-01', '2026-01-01'])
  t.same(dates(monthOf(dayOfDate(2026, 11, 31), 2)), ['2027-02-01', '2027-03-01'])
  t.same(dates(yearOf(DAY, -1)), ['2025-01-01', '2026-01-01'])
})
