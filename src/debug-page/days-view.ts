import { type ComponentChildren, h } from 'preact'
import { counted } from './counted.js'
import { DayChart } from './day-chart.js'
import type { DaySum, DebugClient } from './debug-client.js'
import { problemView } from './problem-view.js'
import { useReading } from './reading.js'
import type { Day } from './session-client.js'
import { table } from './table.js'
import { tile } from './tile.js'

const NO_TURNS = 'No turns in the last 31 days.'

/** Drift by day, and short circuits with the savings from them. */
export function DaysView({ client, sessionId, beat }: { client: DebugClient; sessionId: string; beat: number }): ComponentChildren {
  const { value: days, problem } = useReading(() => client.days(sessionId), { name: sessionId, when: [client, beat] })
  return h(
    'section',
    { class: 'days', 'aria-labelledby': 'days-title' },
    h('h3', { id: 'days-title' }, 'Drift and short circuits by day'),
    problemView(problem),
    days === null ? (problem === null ? h('p', { class: 'hint' }, 'Reading…') : null) : h(Days, { days })
  )
}

/** Sums over these days. */
function DayFigures({ days }: { days: readonly DaySum[] }): ComponentChildren {
  const sum = (pick: (day: DaySum) => number): number => days.reduce((total, day) => total + pick(day), 0)
  const turns = sum((day) => day.turns)
  const shortCircuits = sum((day) => day.short_circuits)
  const share = turns === 0 ? 0 : Math.round((100 * shortCircuits) / turns)
  return h(
    'dl',
    { class: 'tiles' },
    tile('Turns', turns.toLocaleString('en'), `on ${counted(days.length, 'day')}`),
    tile('Drifted turns', sum((day) => day.drifted_turns).toLocaleString('en')),
    tile('Short circuits', shortCircuits.toLocaleString('en'), `${share} % of the turns`),
    tile('Tokens saved', `≈ ${sum((day) => day.saved_tokens).toLocaleString('en')}`, 'if the model was left out')
  )
}

function Days({ days }: { days: readonly Day[] }): ComponentChildren {
  if (days.length === 0) return h('p', { class: 'hint' }, NO_TURNS)
  const label = `Drift of ${days.length} days, the last one ${numberOf(days.at(-1)?.drift_mean)} on average; the table below has every figure.`
  return [
    h(DayFigures, { days }),
    h(
      'ul',
      { class: 'legend', 'aria-hidden': true },
      h('li', { class: 'mean' }, 'mean drift'),
      h('li', { class: 'highest' }, 'highest drift'),
      h('li', { class: 'circuits' }, `short circuits, up to ${Math.max(...days.map((day) => day.short_circuits))} a day`)
    ),
    h(DayChart, { days, label }),
    h(DayTable<Day>, { days, columns: [...COLUMNS, ...DRIFT_COLUMNS], summary: 'The same as a table' })
  ]
}

interface Column<T> {
  readonly title: string
  readonly figureOf: (day: T) => string
}

const COLUMNS: readonly Column<DaySum>[] = [
  { title: 'Turns', figureOf: (day) => String(day.turns) },
  { title: 'Drifted', figureOf: (day) => String(day.drifted_turns) },
  { title: 'Short circuits', figureOf: (day) => String(day.short_circuits) },
  { title: 'Tokens saved', figureOf: (day) => String(day.saved_tokens) }
]

const DRIFT_COLUMNS: readonly Column<Day>[] = [
  { title: 'Mean drift', figureOf: (day) => numberOf(day.drift_mean) },
  { title: 'Highest', figureOf: (day) => numberOf(day.drift_max) }
]

/** Activity of all sessions on the last days, and the savings from their short circuits. */
export function SavingsView({ days }: { days: readonly DaySum[] }): ComponentChildren {
  return h(
    'section',
    { class: 'days', 'aria-labelledby': 'savings-title' },
    h('h3', { id: 'savings-title' }, 'Savings of the last 31 days'),
    days.length === 0
      ? h('p', { class: 'hint' }, NO_TURNS)
      : [h(DayFigures, { days }), h(DayTable<DaySum>, { days, columns: COLUMNS, summary: 'By day' })]
  )
}

interface TableProps<T> {
  readonly days: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly summary: string
}

function DayTable<T extends DaySum>({ days, columns, summary }: TableProps<T>): ComponentChildren {
  const rows = days.toReversed().map((day) => {
    const figures = columns.map(({ figureOf }) => figureOf(day))
    return h(
      'tr',
      { key: day.date },
      h('th', { scope: 'row' }, day.date),
      figures.map((figure) => h('td', { class: 'number' }, figure))
    )
  })
  const caption = 'Newest day first. What was saved is an estimate: message, context block and known answer.'
  const shown = table(caption, ['Day (UTC)', ...columns.map(({ title }) => title)], rows)
  return h(
    'details',
    null,
    h('summary', null, summary),
    h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Days' }, shown)
  )
}

function numberOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : value.toFixed(2)
}
