import { type ComponentChildren, h } from 'preact'

const CLOCK = { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' } as const
const TIME = new Intl.DateTimeFormat(undefined, CLOCK)
const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'numeric', day: 'numeric', ...CLOCK })

/** Shows a time, in epoch seconds, in the reader's time zone, which is named; with the date too unless it is today. */
export function when(seconds: number): ComponentChildren {
  const date = new Date(seconds * 1_000)
  // Callers choose the times of memories, so one may be out of range.
  if (Number.isNaN(date.getTime())) return h('span', null, 'at no time')
  return h('time', { dateTime: date.toISOString() }, clockOf(date))
}

/** Formats a time as `when` shows it. */
export function clockOf(date: Date): string {
  const isToday = date.toDateString() === new Date().toDateString()
  return (isToday ? TIME : DAY_AND_TIME).format(date)
}
