/** Times named in a text, English and German: dates, and times relative to the day on which it is said ("last Tuesday"). In UTC. */
import { daysFrom, dayOfDate, monthOf, partsOf, SECONDS_PER_DAY, type Span, weekdayOf, weekOf, yearOf } from '../calendar.js'
import { dayOf } from '../day-counts.js'

interface NamedTime extends Span {
  /** The words that name it, as they stand. */
  readonly words: string
  /** Whether it means another time when said on another day. */
  readonly isRelative: boolean
}

/** Length of the beginning of a text, in UTF-16 units, that is read. */
const READ_CHARACTERS = 400

const MONTHS: readonly RegExp[] = [
  /^j[aä]n/i,
  /^feb/i,
  /^(?:mar|mär)/i,
  /^apr/i,
  /^ma[iy]/i,
  /^jun/i,
  /^jul/i,
  /^aug/i,
  /^sep/i,
  /^o[ck]t/i,
  /^nov/i,
  /^de[cz]/i
]
const MONTH =
  '(?:january|jan|januar|jänner|february|feb|februar|march|mar|märz|april|apr|may|mai|june|jun|juni|july|jul|juli|august|aug|september|sept|sep|october|oct|oktober|okt|november|nov|december|dec|dezember|dez)(?![\\p{L}\\p{N}])'
const WEEKDAYS: readonly RegExp[] = [/^mo/i, /^(?:tu|di)/i, /^(?:we|mi)/i, /^(?:th|do)/i, /^fr/i, /^sa|^sonna/i, /^so|^su/i]
const WEEKDAY =
  '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)(?![\\p{L}\\p{N}])'
const COUNTS: readonly RegExp[] = [
  /^(?:an?|one|ein(?:em|er)?)$/i,
  /^(?:two|zwei)$/i,
  /^(?:three|drei)$/i,
  /^(?:four|vier)$/i,
  /^(?:five|fünf)$/i,
  /^(?:six|sechs)$/i,
  /^(?:seven|sieben)$/i,
  /^(?:eight|acht)$/i,
  /^(?:nine|neun)$/i,
  /^(?:ten|zehn)$/i
]
const COUNT =
  '(\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|ein(?:em|er)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)'
const UNIT = '(days?|weeks?|months?|years?|tag(?:en?)?|wochen?|monat(?:en?)?|jahr(?:en?)?)(?![\\p{L}\\p{N}])'
const PERIOD = '(weeks?|months?|years?|woche|monats?|jahr(?:es)?)(?![\\p{L}\\p{N}])(?! (?:of|des|der) )'
const LAST = '(?:last|past|previous|letzte|vorige|vergangene)[nrms]?'
const ORDER = `(${LAST}|(?:this|current|diese|dieser?)[nrms]?|(?:next|coming|nächste|kommende)[nrms]?)`

interface Rule {
  readonly pattern: RegExp
  readonly isRelative: boolean
  /** Computes the time from the groups of the match and today's day number; null if it is no time after all. */
  readonly spanOf: (groups: readonly string[], today: number) => Span | null
}

function rule(pattern: string, isRelative: boolean, spanOf: Rule['spanOf']): Rule {
  return { pattern: new RegExp(`(?<![\\p{L}\\p{N}])${pattern}`, 'giu'), isRelative, spanOf }
}

function said(pattern: string, spanOf: Rule['spanOf']): Rule {
  return rule(`(?:${pattern})(?![\\p{L}\\p{N}])`, true, spanOf)
}

/** Special rules come before those that match part of their text; matched words are removed for the rules behind. */
const RULES: readonly Rule[] = [
  rule('(\\d{4})-(\\d{2})-(\\d{2})(?!\\d)', false, ([year, month, date]) => dateSpan(Number(year), Number(month) - 1, Number(date))),
  rule('(\\d{1,2})\\. ?(\\d{1,2})\\.(\\d{4})?(?![\\d.]|-\\d)', false, ([date, month, year], today) =>
    dated(today, Number(date), Number(month) - 1, year)
  ),
  rule(`(\\d{1,2})(?:st|nd|rd|th|\\.)? (?:of )?(${MONTH})(?:,? (\\d{4}))?(?!\\d)`, false, ([date, month = '', year], today) =>
    dated(today, Number(date), placeIn(MONTHS, month), year)
  ),
  rule(`(${MONTH})\\.? (\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,? (\\d{4}))?(?!\\d)`, false, ([month = '', date, year], today) =>
    dated(today, Number(date), placeIn(MONTHS, month), year)
  ),
  rule(`(?:in|im|during|${LAST}) (${MONTH})(?: (\\d{4}))?(?!\\d)`, false, ([month = '', year], today) => {
    const place = placeIn(MONTHS, month)
    return monthOf(
      year === undefined ? before(today + 1, (back) => dayOfDate(partsOf(today).year - back, place, 1)) : dayOfDate(Number(year), place, 1)
    )
  }),
  rule(`(${MONTH}),? (\\d{4})(?![\\d-])`, false, ([month = '', year]) => monthOf(dayOfDate(Number(year), placeIn(MONTHS, month), 1))),
  rule('(?:in|im jahr|im jahre|during) ((?:19|20)\\d\\d)(?![\\d.,:-])', false, ([year]) => yearOf(dayOfDate(Number(year), 0, 1))),
  said(
    'on the (\\d{1,2})(?:st|nd|rd|th)(?! (?:floor|street|avenue|page|line|row|try|attempt|day))|am (\\d{1,2})\\.(?! (?:stock|platz|tag))',
    ([english, german], today) => {
      const date = Number(english ?? german)
      const { year, month } = partsOf(today)
      return date < 1 || date > 31 ? null : daysFrom(before(today + 1, (back) => dayOfDate(year, month - back, date)))
    }
  ),
  said('(?:the )?day before yesterday|vorgestern', (_, today) => daysFrom(today - 2)),
  said('(?:the )?day after tomorrow|übermorgen', (_, today) => daysFrom(today + 2)),
  said('last night|letzte nacht|yesterday evening|gestern abend', (_, today) => {
    const { since } = daysFrom(today)
    return { since: since - SECONDS_PER_DAY / 3, until: since + SECONDS_PER_DAY / 4 }
  }),
  said('yesterday|gestern', (_, today) => daysFrom(today - 1)),
  said('today|tonight|this (?:morning|afternoon|evening)|heute', (_, today) => daysFrom(today)),
  said('tomorrow', (_, today) => daysFrom(today + 1)),
  said(
    `(?:on |am )?(${WEEKDAY}) (?:of )?(?:last week|letzte[rn]? woche)|(?:letzte|vorige) woche (?:am )?(${WEEKDAY})`,
    ([one, other], today) => daysFrom(today - weekdayOf(today) - 7 + placeIn(WEEKDAYS, one ?? other ?? ''))
  ),
  said(`${ORDER} (${WEEKDAY})`, ([order = '', weekday = ''], today) =>
    daysFrom(weekdayFrom(today, placeIn(WEEKDAYS, weekday), stepOf(order)))
  ),
  said(`(?:on|am) (${WEEKDAY})`, ([weekday = ''], today) => daysFrom(weekdayFrom(today, placeIn(WEEKDAYS, weekday), -1))),
  said(`${ORDER} ${PERIOD}`, ([order = '', unit = ''], today) => periodOf(unit, today, stepOf(order))),
  said(`${COUNT} ${UNIT} ago|vor ${COUNT} ${UNIT}`, ([count, unit, anzahl, einheit], today) => {
    const back = countOf(count ?? anzahl ?? '')
    const named = unit ?? einheit ?? ''
    if (/^[dt]/i.test(named)) return daysFrom(today - back)
    // "Two weeks ago" names no certain day.
    return /^w/i.test(named) ? daysFrom(today - 7 * back - 3, 7) : periodOf(named, today, -back)
  })
]

/** Matches where any rule does, in a third of the time that all of them take: most texts name no time. */
const ANY_RULE = new RegExp(RULES.map(({ pattern }) => pattern.source).join('|'), 'iu')

/**
 * Times that a text names when said at `now`, epoch seconds; in no particular order. Dates without a year and weekdays mean the last one.
 */
export function namedTimes(text: string, now: number): readonly NamedTime[] {
  const today = dayOf(now)
  const found: NamedTime[] = []
  let left = text.slice(0, READ_CHARACTERS)
  if (!ANY_RULE.test(left)) return found
  for (const { pattern, isRelative, spanOf } of RULES) {
    left = left.replace(pattern, (words: string, ...groups: (string | undefined)[]) => {
      const span = spanOf(groups.slice(0, -2) as string[], today)
      if (span === null) return words
      found.push({ ...span, words, isRelative })
      return '\n'
    })
  }
  return found
}

/** A date without a year means the last one not after today. */
function dated(today: number, date: number, month: number, year: string | undefined): Span | null {
  if (date < 1 || date > 31 || month < 0 || month > 11) return null
  if (year !== undefined) return dateSpan(Number(year), month, date)
  return daysFrom(before(today + 1, (back) => dayOfDate(partsOf(today).year - back, month, date)))
}

function dateSpan(year: number, month: number, date: number): Span | null {
  return month < 0 || month > 11 || date < 1 || date > 31 ? null : daysFrom(dayOfDate(year, month, date))
}

/** The date in this period if it lies before `end`, else in the previous period. */
function before(end: number, dayFor: (back: number) => number): number {
  const own = dayFor(0)
  return own < end ? own : dayFor(1)
}

/** The weekday strictly before or after today, or in the week of today. */
function weekdayFrom(today: number, weekday: number, step: number): number {
  const away = weekday - weekdayOf(today)
  if (step === 0) return today + away
  return today + (step < 0 ? (away < 0 ? away : away - 7) : away > 0 ? away : away + 7)
}

function periodOf(unit: string, today: number, step: number): Span {
  if (/^w/i.test(unit)) return weekOf(today, step)
  return /^m/i.test(unit) ? monthOf(today, step) : yearOf(today, step)
}

function stepOf(order: string): number {
  if (/^(?:this|current|diese)/i.test(order)) return 0
  return /^(?:next|coming|nächste|kommende)/i.test(order) ? 1 : -1
}

function countOf(word: string): number {
  return /^\d/.test(word) ? Number(word) : placeIn(COUNTS, word) + 1
}

function placeIn(patterns: readonly RegExp[], word: string): number {
  return patterns.findIndex((pattern) => pattern.test(word))
}
