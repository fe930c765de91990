import t from 'tap'
import { namedTimes } from '../../../src/domain/text/named-times.js'

/** A Wednesday. */
const NOW = Date.parse('2026-03-18T10:00:00Z') / 1_000
const at = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 13)

/** Times named in a text: `2026-03-17` for a day, `2026-03-09..2026-03-16` for a longer span, which excludes its last date. */
function named(text: string): string[] {
  return namedTimes(text, NOW).map(({ since, until }) => {
    const [from, to] = [at(since), at(until)].map((time) => time.replace(/T00$/, ''))
    return until - since === 86_400 ? String(from) : `${String(from)}..${String(to)}`
  })
}

t.test('what is counted from today', async (t) => {
  for (const [text, time] of [
    ['What did I say yesterday?', '2026-03-17'],
    ['Was habe ich vorgestern gesagt?', '2026-03-16'],
    ['the day before yesterday', '2026-03-16'],
    ['What is on tomorrow?', '2026-03-19'],
    ['What did I eat this morning?', '2026-03-18'],
    ['last night', '2026-03-17T16..2026-03-18T06'],
    ['last week', '2026-03-09..2026-03-16'],
    ['letzten Monat', '2026-02-01..2026-03-01'],
    ['next year', '2027-01-01..2028-01-01'],
    ['this month', '2026-03-01..2026-04-01'],
    ['three days ago', '2026-03-15'],
    ['vor 12 Tagen', '2026-03-06'],
    ['two weeks ago', '2026-03-01..2026-03-08'],
    ['vor einem Monat', '2026-02-01..2026-03-01'],
    ['a year ago', '2025-01-01..2026-01-01']
  ] as const)
    t.same(named(text), [time], text)
})

t.test('a weekday is the last one before today, unless it is said which', async (t) => {
  for (const [text, time] of [
    ['on Monday', '2026-03-16'],
    ['am Mittwoch', '2026-03-11'],
    ['last Friday', '2026-03-13'],
    ['am Sonnabend', '2026-03-14'],
    ['am Sonntag', '2026-03-15'],
    ['this Friday', '2026-03-20'],
    ['nächsten Dienstag', '2026-03-24'],
    ['on Tuesday last week', '2026-03-10'],
    ['letzte Woche am Freitag', '2026-03-13']
  ] as const)
    t.same(named(text), [time], text)
})

t.test('a date without a year is the last one', async (t) => {
  for (const [text, time] of [
    ['2026-02-10', '2026-02-10'],
    ['on 3 March', '2026-03-03'],
    ['March 3rd, 2024', '2024-03-03'],
    ['the 24th of December', '2025-12-24'],
    ['am 2. März', '2026-03-02'],
    ['am 24.2. erzählt', '2026-02-24'],
    ['17.08.2027', '2027-08-17'],
    ['on the 5th', '2026-03-05'],
    ['am 20. gesagt', '2026-02-20'],
    ['in February', '2026-02-01..2026-03-01'],
    ['im Dezember', '2025-12-01..2026-01-01'],
    ['in May 2023', '2023-05-01..2023-06-01'],
    ['May 2023', '2023-05-01..2023-06-01'],
    ['in 2024', '2024-01-01..2025-01-01']
  ] as const)
    t.same(named(text), [time], text)
})

t.test('several times are all named, each once', async (t) => {
  t.same(named('vorgestern und letzten Monat').sort(), ['2026-02-01..2026-03-01', '2026-03-16'])
})

t.test('what only looks like a time is none', async (t) => {
  for (const text of [
    'May I ask something?',
    'version 2.14.0',
    'host 10.20.3.17, load 15.4',
    'on the 3rd floor',
    'the last week of the holidays',
    'call me on Sundays',
    'the 40th of May, 2026-13-01, 45.17.',
    'They march in rows',
    `${' '.repeat(500)}yesterday`
  ])
    t.same(named(text), [], text)
})
