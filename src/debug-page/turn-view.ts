import { type ComponentChildren, h } from 'preact'
import { useState } from 'preact/hooks'
import type { DebugEvent } from '../client/optional-surfaces.js'
import { counted } from './counted.js'
import type { RankedMemory, Stage, Turn } from './history.js'
import { beginningOf } from './beginning.js'
import { table } from './table.js'
import type { TextOf } from './texts.js'
import { when } from './when.js'

/** Candidates shown per turn: as many as a context block holds with an ordinary budget. */
const CANDIDATES_SHOWN = 10

/** Components that a score starts from; all others are factors. */
const SHARES: readonly string[] = ['dense', 'lexical', 'fused']

/** One turn: its stages, its candidates with the components of their scores, and its other events. Rendered only while open. */
export function TurnView({ turn, startsOpen, textOf }: { turn: Turn; startsOpen: boolean; textOf: TextOf }): ComponentChildren {
  const [isOpen, setOpen] = useState(startsOpen)
  return h(
    'details',
    {
      class: 'turn',
      open: isOpen,
      onToggle: ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }) => setOpen(currentTarget.open)
    },
    h('summary', null, h('b', null, `Turn ${turn.turn}`), ' ', when(turn.timestamp), ` · ${turn.ranked.length} ranked`),
    isOpen ? h(TurnBody, { turn, textOf }) : null
  )
}

function TurnBody({ turn, textOf }: { turn: Turn; textOf: TextOf }): ComponentChildren {
  const { stages, ranked, others } = turn
  const told = others.map((event) => h('li', { key: event.seq }, h('b', null, event.kind), ' ', h('small', null, fieldsOf(event))))
  return [
    stages.length === 0
      ? null
      : h(
          'ol',
          { class: 'stages', 'aria-label': 'Stages' },
          stages.map((stage) => h(StageView, { key: stage.stage, stage, textOf }))
        ),
    ranked.length === 0 ? null : h(Candidates, { ranked, textOf }),
    told.length === 0 ? null : h('ul', { class: 'others' }, told)
  ]
}

function StageView({ stage, textOf }: { stage: Stage; textOf: TextOf }): ComponentChildren {
  const { stage: name, candidates, durationMs, leading } = stage
  const [isOpen, setOpen] = useState(false)
  const toggled = ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }): void => setOpen(currentTarget.open)
  // Texts are requested only while the list is open.
  const best = (isOpen ? leading : []).map(({ hash, score }) =>
    h('li', { key: hash }, score === null ? '' : h('b', null, `${score.toFixed(2)} `), h(Text, { hash, textOf }))
  )
  return h(
    'li',
    null,
    h('b', null, name),
    h('span', null, counted(candidates, 'candidate')),
    h('span', null, `${durationMs.toFixed(2)} ms`),
    leading.length === 0 ? null : h('details', { onToggle: toggled }, h('summary', null, `best ${leading.length}`), h('ol', null, best))
  )
}

function Candidates({ ranked, textOf }: Pick<Turn, 'ranked'> & { textOf: TextOf }): ComponentChildren {
  const rows = ranked
    .slice(0, CANDIDATES_SHOWN)
    .map(({ hash, score, components }) =>
      h(
        'tr',
        { key: hash },
        h('td', null, h(Text, { hash, textOf })),
        h('td', { class: 'number' }, score === null ? '' : score.toFixed(3)),
        h('td', null, h(Components, { components }))
      )
    )
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Candidates' },
    table('Why these memories: each score and what it is made of', ['Memory', 'Score', 'Made of'], rows)
  )
}

/** Shares as bars, then the factors other than 1. */
function Components({ components }: Pick<RankedMemory, 'components'>): ComponentChildren {
  return components.flatMap(([name, value]) => {
    if (SHARES.includes(name))
      return h(
        'span',
        { class: 'component', key: name },
        `${name} `,
        h('meter', { min: 0, max: 1, value }, value.toFixed(2)),
        ` ${value.toFixed(2)}`
      )
    return value.toFixed(2) === '1.00'
      ? []
      : h('span', { class: 'component', key: name }, `${name.replaceAll('_', ' ')} × ${value.toFixed(2)}`)
  })
}

/** Characters of a text shown in a table or list. The memories show the whole text. */
const TEXT_CHARS = 600

/** A memory's text, once it is loaded. */
function Text({ hash, textOf }: { hash: string; textOf: TextOf }): ComponentChildren {
  const text = textOf(hash)
  if (text === undefined) return h('span', { class: 'hint' }, '…')
  return text === null ? h('span', { class: 'hint' }, 'not there any more') : h('bdi', null, beginningOf(text, TEXT_CHARS))
}

const COMMON_FIELDS = ['seq', 'timestamp', 'kind', 'session_id', 'turn']

/** The fields specific to an event, on one line. */
export function fieldsOf(event: DebugEvent): string {
  const own = Object.entries(event).filter(([name]) => !COMMON_FIELDS.includes(name))
  return own.map(([name, value]) => `${name.replaceAll('_', ' ')} ${toWords(value)}`).join(', ')
}

/** Lists are shown by their length; their items are shown with the turn. */
function toWords(value: unknown): string {
  if (Array.isArray(value)) return String(value.length)
  if (typeof value === 'number') return String(Number(value.toFixed(3)))
  return typeof value === 'string' ? value : JSON.stringify(value)
}
