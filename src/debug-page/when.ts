import { type ComponentChildren, h } from 'preact'

const CLOCK = { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' } as const
const TIME = new Intl.DateTimeFormat(undefined, CLOCK)
const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'numeric', day: 'numeric', ...CLOCK })

/** A moment on the clock of its reader, with the zone; with the day too, unless that is today. Epoch seconds. */
export function when(seconds: number): ComponentChildren {
  const date = new Date(seconds * 1_000)
  // Memories are given their times by callers.
  if (Number.isNaN(date.getTime())) return h('span', null, 'at no time')
  return h('time', { dateTime: date.toISOString() }, clockOf(date))
}

/** As `when`, in words. */
export function clockOf(date: Date): string {
  const isToday = date.toDateString() === new Date().toDateString()
  return (isToday ? TIME : DAY_AND_TIME).format(date)
}
