import { type ComponentChildren, h } from 'preact'
import { DayChart } from './day-chart.js'
import type { DebugClient } from './debug-client.js'
import { tile } from './overview-view.js'
import { useReading } from './reading.js'
import type { Day } from './session-client.js'

/** Drift over days, and what was short-circuited with what that saved. */
export function DaysView({ client, sessionId, beat }: { client: DebugClient; sessionId: string; beat: number }): ComponentChildren {
  const { value: days, problem } = useReading(() => client.days(sessionId), { name: sessionId, when: [client, beat] })
  return h(
    'section',
    { class: 'days', 'aria-labelledby': 'days-title' },
    h('h3', { id: 'days-title' }, 'Drift and short circuits by day'),
    problem === null ? null : h('p', { class: 'refusal', role: 'alert' }, problem),
    days === null ? (problem === null ? h('p', { class: 'hint' }, 'Reading…') : null) : h(Days, { days })
  )
}

function Days({ days }: { days: readonly Day[] }): ComponentChildren {
  if (days.length === 0) return h('p', { class: 'hint' }, 'No turns in the last 31 days.')
  const sum = (pick: (day: Day) => number): number => days.reduce((total, day) => total + pick(day), 0)
  const turns = sum((day) => day.turns)
  const shortCircuits = sum((day) => day.short_circuits)
  const saved = sum((day) => day.saved_tokens)
  const share = turns === 0 ? 0 : Math.round((100 * shortCircuits) / turns)
  const label = `Drift of ${days.length} days, the last one ${numberOf(days.at(-1)?.drift_mean)} on average; the table below has every figure.`
  return [
    h(
      'dl',
      { class: 'tiles' },
      tile('Turns', String(turns), `on ${days.length} days`),
      tile('Drifted turns', String(sum((day) => day.drifted_turns))),
      tile('Short circuits', String(shortCircuits), `${share} % of the turns`),
      tile('Tokens saved', `≈ ${saved.toLocaleString('en')}`, 'if the model was left out')
    ),
    h(
      'ul',
      { class: 'legend', 'aria-hidden': true },
      h('li', { class: 'mean' }, 'mean drift'),
      h('li', { class: 'highest' }, 'highest drift'),
      h('li', { class: 'circuits' }, `short circuits, up to ${Math.max(...days.map((day) => day.short_circuits))} a day`)
    ),
    h(DayChart, { days, label }),
    h(
      'details',
      null,
      h('summary', null, 'The same as a table'),
      h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Days' }, h(DayTable, { days }))
    )
  ]
}

const COLUMNS = ['Day (UTC)', 'Turns', 'Mean drift', 'Highest', 'Drifted', 'Short circuits', 'Tokens saved']

function DayTable({ days }: { days: readonly Day[] }): ComponentChildren {
  const rows = days.toReversed().map((day) => {
    const figures = [
      String(day.turns),
      numberOf(day.drift_mean),
      numberOf(day.drift_max),
      String(day.drifted_turns),
      String(day.short_circuits),
      String(day.saved_tokens)
    ]
    return h(
      'tr',
      { key: day.date },
      h('th', { scope: 'row' }, day.date),
      figures.map((figure) => h('td', { class: 'number' }, figure))
    )
  })
  return h(
    'table',
    null,
    h('caption', null, 'Newest day first. What was saved is an estimate: message, context block and known answer.'),
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        COLUMNS.map((title) => h('th', { scope: 'col' }, title))
      )
    ),
    h('tbody', null, rows)
  )
}

function numberOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : value.toFixed(2)
}
