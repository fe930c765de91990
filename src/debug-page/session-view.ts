import { h, type ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { DebugClient, Memory } from './debug-client.js'
import { driftOf, turnsOf, type DebugEvent, type DriftPoint, type RankedMemory, type Stage, type Turn } from './history.js'

interface SessionProps {
  readonly client: DebugClient
  readonly sessionId: string
  readonly events: readonly DebugEvent[]
  readonly beat: number
}

/** Turns shown at once; older ones are in the list of events. */
const TURNS_SHOWN = 12
/** Candidates shown of a turn, as many as the context block can hold on an ordinary budget. */
const CANDIDATES_SHOWN = 10

/** What a session did lately: its drift, its turns with their candidates, and what it remembers. */
export function SessionView({ client, sessionId, events, beat }: SessionProps): ComponentChildren {
  const [memories, setMemories] = useState<readonly Memory[]>([])
  useEffect(() => setMemories([]), [sessionId])
  useEffect(() => {
    let isCurrent = true
    const show = (found: readonly Memory[]): void => {
      if (isCurrent) setMemories(found)
    }
    // A session that is gone has none, and a broken connection is told of by itself.
    client.memories(sessionId).then(show, () => undefined)
    return () => {
      isCurrent = false
    }
  }, [client, sessionId, beat])
  const turns = turnsOf(events, sessionId).slice(0, TURNS_SHOWN)
  const textOf = new Map(memories.map(({ memory_hash, text }) => [memory_hash, text]))
  return h(
    'div',
    { class: 'session' },
    h(DriftView, { points: driftOf(events, sessionId) }),
    h('section', { 'aria-labelledby': 'turns-title' }, h('h3', { id: 'turns-title' }, 'Last turns'), turns.length === 0 ? h('p', { class: 'hint' }, 'None yet.') : null, turns.map((turn, index) => h(TurnView, { key: turn.turn, turn, isOpen: index === 0, textOf }))),
    h(MemoriesView, { client, sessionId, memories })
  )
}

/** What a score starts from; everything else multiplies it. */
const SHARES: readonly string[] = ['dense', 'lexical', 'fused']

const DRIFT_WIDTH = 480
const DRIFT_HEIGHT = 96
const DRIFT_MARGIN = 14

function DriftView({ points }: { points: readonly DriftPoint[] }): ComponentChildren {
  const shown = points.slice(-60)
  const x = (index: number): number => DRIFT_MARGIN + (index * (DRIFT_WIDTH - 2 * DRIFT_MARGIN)) / Math.max(1, shown.length - 1)
  const y = (score: number): number => DRIFT_HEIGHT - DRIFT_MARGIN - score * (DRIFT_HEIGHT - 2 * DRIFT_MARGIN)
  const last = shown.at(-1)
  const summary = last === undefined ? 'No drift has been told yet' : `Drift over ${shown.length} turns, last ${last.score.toFixed(2)} ${last.phase}`
  return h(
    'section',
    { 'aria-labelledby': 'drift-title' },
    h('h3', { id: 'drift-title' }, 'Drift ', h('span', { class: 'now' }, last === undefined ? '' : `${last.score.toFixed(2)} ${last.phase}`)),
    h(
      'svg',
      { class: 'drift', viewBox: `0 0 ${DRIFT_WIDTH} ${DRIFT_HEIGHT}`, role: 'img', 'aria-label': summary },
      [0, 0.5, 1].map((score) => h('line', { class: 'grid', x1: DRIFT_MARGIN, x2: DRIFT_WIDTH - DRIFT_MARGIN, y1: y(score), y2: y(score) })),
      h('polyline', { points: shown.map(({ score }, index) => `${x(index)},${y(score)}`).join(' ') }),
      shown.map(({ turn, score, phase }, index) => h('circle', { key: turn, class: `phase-${phase}`, cx: x(index), cy: y(score), r: 4 }, h('title', null, `Turn ${turn}: ${score.toFixed(3)} ${phase}`)))
    )
  )
}

function TurnView({ turn, isOpen, textOf }: { turn: Turn; isOpen: boolean; textOf: ReadonlyMap<string, string> }): ComponentChildren {
  const { stages, ranked, others } = turn
  return h(
    'details',
    { class: 'turn', open: isOpen },
    h('summary', null, h('b', null, `Turn ${turn.turn}`), ' ', h('time', null, new Date(turn.timestamp * 1000).toLocaleTimeString()), ` · ${ranked.length} ranked`),
    stages.length === 0
      ? null
      : h(
          'ol',
          { class: 'stages', 'aria-label': 'Stages' },
          stages.map((stage) => h(StageView, { key: stage.stage, stage, textOf }))
        ),
    ranked.length === 0 ? null : h(Candidates, { ranked, textOf }),
    others.length === 0 ? null : h('ul', { class: 'others' }, others.map((event) => h('li', { key: event.seq }, h('b', null, event.kind), ' ', h('small', null, fieldsOf(event)))))
  )
}

function StageView({ stage, textOf }: { stage: Stage; textOf: ReadonlyMap<string, string> }): ComponentChildren {
  const { stage: name, candidates, durationMs, leading } = stage
  const best = leading.map(({ hash, score }) => h('li', { key: hash }, score === null ? '' : h('b', null, `${score.toFixed(2)} `), textOf.get(hash) ?? h('code', null, hash.slice(0, 12))))
  return h(
    'li',
    null,
    h('b', null, name),
    h('span', null, `${candidates} candidates`),
    h('span', null, `${durationMs.toFixed(2)} ms`),
    best.length === 0 ? null : h('details', null, h('summary', null, `best ${best.length}`), h('ol', null, best))
  )
}

function Candidates({ ranked, textOf }: Pick<Turn, 'ranked'> & { textOf: ReadonlyMap<string, string> }): ComponentChildren {
  return h(
    'div',
    { class: 'scroll' },
    h(
      'table',
      null,
      h('caption', null, 'Why these memories: each score and what it is made of'),
      h('thead', null, h('tr', null, ['Memory', 'Score', 'Made of'].map((title) => h('th', { scope: 'col' }, title)))),
      h(
        'tbody',
        null,
        ranked.slice(0, CANDIDATES_SHOWN).map(({ hash, score, components }) =>
          h(
            'tr',
            { key: hash },
            h('td', null, textOf.get(hash) ?? h('code', null, hash.slice(0, 12))),
            h('td', { class: 'number' }, score === null ? '' : score.toFixed(3)),
            h('td', null, h(Components, { components }))
          )
        )
      )
    )
  )
}

/** Shares as bars, then the factors that changed something: one of 1 does not. */
function Components({ components }: Pick<RankedMemory, 'components'>): ComponentChildren {
  return components.flatMap(([name, value]) => {
    if (SHARES.includes(name)) return h('span', { class: 'component', key: name }, `${name} `, h('meter', { min: 0, max: 1, value }, value.toFixed(2)), ` ${value.toFixed(2)}`)
    return value.toFixed(2) === '1.00' ? [] : h('span', { class: 'component', key: name }, `${name.replaceAll('_', ' ')} × ${value.toFixed(2)}`)
  })
}

function MemoriesView({ client, sessionId, memories }: { client: DebugClient; sessionId: string; memories: readonly Memory[] }): ComponentChildren {
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<readonly Memory[] | null>(null)
  useEffect(() => setFound(null), [sessionId])
  const search = (event: Event): void => {
    event.preventDefault()
    if (query.trim() === '') setFound(null)
    else client.search(sessionId, query).then(setFound, () => setFound([]))
  }
  const shown = found ?? memories
  return h(
    'section',
    { class: 'memories', 'aria-labelledby': 'memories-title' },
    h('h3', { id: 'memories-title' }, 'Memories'),
    h(
      'form',
      { role: 'search', onSubmit: search },
      h('label', { for: 'query' }, 'Search'),
      h('input', { id: 'query', type: 'search', value: query, onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => setQuery(currentTarget.value) }),
      h('button', { type: 'submit' }, 'Search')
    ),
    h('p', { class: 'hint', role: 'status' }, found === null ? `${shown.length} shown, oldest first.` : `${shown.length} found.`),
    h('ul', null, shown.map((memory) => h('li', { key: memory.memory_hash }, h('p', null, memory.text), h('small', null, factsOf(memory)))))
  )
}

function factsOf({ role, tier, importance, access_count: accessCount, score }: Memory): string {
  const facts = [role, tier, importance === undefined ? undefined : `importance ${importance.toFixed(2)}`, accessCount === undefined ? undefined : `used ${accessCount} times`]
  return [...facts, score === undefined ? undefined : `score ${score.toFixed(3)}`].filter((fact) => fact !== undefined).join(' · ')
}

const COMMON_FIELDS = ['seq', 'timestamp', 'kind', 'session_id', 'turn']

/** The fields of an event that only it has, in a line. */
export function fieldsOf(event: DebugEvent): string {
  const own = Object.entries(event).filter(([name]) => !COMMON_FIELDS.includes(name))
  return own.map(([name, value]) => `${name.replaceAll('_', ' ')} ${toWords(value)}`).join(', ')
}

/** Lists are counted: what is in them is shown with its turn. */
function toWords(value: unknown): string {
  if (Array.isArray(value)) return String(value.length)
  if (typeof value === 'number') return String(Number(value.toFixed(3)))
  return typeof value === 'string' ? value : JSON.stringify(value)
}
