/** Days, weeks, months and years of the Gregorian calendar, in UTC. */

export const SECONDS_PER_DAY = 86_400
const DAYS_PER_WEEK = 7
/** Weekday of day 0: 1970-01-01 was a Thursday; weeks begin on Monday (ISO 8601). */
const FIRST_WEEKDAY = 3

/** From `since` to before `until`, in epoch seconds. */
export interface Span {
  readonly since: number
  readonly until: number
}

/** Weekday, 0 for Monday. Here as everywhere in this file, `day` is the number of days since 1970-01-01, at least 0. */
export function weekdayOf(day: number): number {
  return (day + FIRST_WEEKDAY) % DAYS_PER_WEEK
}

/** `count` days, starting with `day`. */
export function daysFrom(day: number, count = 1): Span {
  return { since: day * SECONDS_PER_DAY, until: (day + count) * SECONDS_PER_DAY }
}

/** The week of a day, shifted by `weeks`. */
export function weekOf(day: number, weeks = 0): Span {
  return daysFrom(day - weekdayOf(day) + weeks * DAYS_PER_WEEK, DAYS_PER_WEEK)
}

/** The month of a day, shifted by `months`. */
export function monthOf(day: number, months = 0): Span {
  const { year, month } = partsOf(day)
  return fromTo(dayOfDate(year, month + months, 1), dayOfDate(year, month + months + 1, 1))
}

/** The year of a day, shifted by `years`. */
export function yearOf(day: number, years = 0): Span {
  const { year } = partsOf(day)
  return fromTo(dayOfDate(year + years, 0, 1), dayOfDate(year + years + 1, 0, 1))
}

/** Splits a day. `month` counts from 0, `date` from 1. */
export function partsOf(day: number): { readonly year: number; readonly month: number; readonly date: number } {
  const at = new Date(day * SECONDS_PER_DAY * 1_000)
  return { year: at.getUTCFullYear(), month: at.getUTCMonth(), date: at.getUTCDate() }
}

/** Number of a date. A month or date out of range carries over: month 12 is January of the next year. Years from 100 on. */
export function dayOfDate(year: number, month: number, date: number): number {
  return Date.UTC(year, month, date) / (SECONDS_PER_DAY * 1_000)
}

function fromTo(first: number, next: number): Span {
  return daysFrom(first, next - first)
}
