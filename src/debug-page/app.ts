import { type ComponentChildren, h, type RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { DebugEvent } from '../client/optional-surfaces.js'
import { ChartsView } from './chart-view.js'
import { counted } from './counted.js'
import { createDebugClient, type DebugClient } from './debug-client.js'
import type { GraphNode } from './topology.js'
import { useFoundSessions } from './found-sessions.js'
import { HealthView } from './health-view.js'
import { EVENTS_KEPT } from './history.js'
import { forgetToken, keepTheme, readTheme, readToken, type Theme, THEMES } from './kept.js'
import type { Connection, Live } from './live-store.js'
import { useLive } from './live.js'
import { MapView } from './map-view.js'
import { OverviewView } from './overview-view.js'
import { PartList } from './part-list.js'
import { EVERY_PART, partsOf } from './parts.js'
import { SessionView } from './session-view.js'
import { usePart, useSelection } from './selection.js'
import { SignIn } from './sign-in.js'
import { fieldsOf } from './turn-view.js'
import { clockOf, when } from './when.js'

/** Number of events listed at the foot of the page. */
const EVENTS_SHOWN = 100

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  broken: 'Connection lost, trying again'
}

/** The page: asks for a token, then shows the service. */
export function App(): ComponentChildren {
  const [token, setToken] = useState(readToken)
  const [refusal, setRefusal] = useState<string | null>(null)
  const leave = (reason: string | null): void => {
    forgetToken()
    setRefusal(reason)
    setToken(null)
  }
  return h(
    'div',
    { class: 'page' },
    h(
      'header',
      null,
      h('h1', null, 'Engram ', h('span', null, 'dashboard')),
      h(ThemeChoice, null),
      token === null ? null : h('button', { type: 'button', onClick: () => leave(null) }, 'Disconnect')
    ),
    h('main', null, token === null ? h(SignIn, { refusal, entered: setToken }) : h(Dashboard, { key: token, token, refused: leave }))
  )
}

function ThemeChoice(): ComponentChildren {
  const [theme, setTheme] = useState(readTheme)
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme
    keepTheme(theme)
  }, [theme])
  return h(
    'label',
    { class: 'theme' },
    'Colours ',
    h(
      'select',
      {
        value: theme,
        onChange: ({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) => setTheme(currentTarget.value as Theme)
      },
      THEMES.map((name) => h('option', { value: name }, name))
    )
  )
}

/** Below this width everything is in one column, and the details follow the list. Also in the style sheet. */
const NARROW = '(max-width: 60rem)'

function Dashboard({ token, refused }: { token: string; refused: (detail: string) => void }): ComponentChildren {
  const ending = useMemo(() => new AbortController(), [token])
  useEffect(() => () => ending.abort(), [ending])
  const client = useMemo(() => createDebugClient({ url: location.origin, token, signal: ending.signal }), [token])
  const live = useLive(client, { signal: ending.signal, refused })
  const { selected, select } = useSelection()
  const [filter, setFilter] = useState(EVERY_PART)
  const top = useRef<HTMLDivElement>(null)
  const details = useRef<HTMLHeadingElement | null>(null)
  const [isMapOpen] = useState(() => !matchMedia(NARROW).matches)
  const found = useFoundSessions(client, { words: filter.words, areMore: live.areMoreSessions })
  const parts = useMemo(() => partsOf(live.topology, [...live.sessions, ...found]), [live.topology, live.sessions, found])
  const part = usePart(parts, selected)
  // The focused element is gone with the sign-in form.
  useLayoutEffect(() => top.current?.focus(), [])
  const show = (id: string): void => {
    select(id)
    if (matchMedia(NARROW).matches) requestAnimationFrame(() => details.current?.focus())
  }
  const leavePart = (): void => {
    // The focused button disappears with the part.
    details.current?.focus()
    select(null)
  }
  const hint = live.areMoreSessions ? '; of the other sessions those are found whose id holds the words' : ''
  return h(
    'div',
    { class: 'dashboard', ref: top, tabindex: -1, 'aria-label': 'Dashboard', role: 'group' },
    h(StatusLine, live),
    h(HealthView, { client, nodes: live.topology.nodes }),
    h(MapView, { topology: live.topology, selected, select: show, list: (kind) => setFilter({ words: '', kind }), startsOpen: isMapOpen }),
    h(PartList, { parts, filter, setFilter, selected, select: show, hint }),
    h(Details, { part, heading: details, live, client, select: show, leave: leavePart }),
    h(EventsView, { events: live.events })
  )
}

interface DetailsProps {
  /** Undefined: nothing is selected. */
  readonly part: GraphNode | undefined
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly live: Live
  readonly client: DebugClient
  readonly select: (id: string) => void
  /** Returns to the overview. */
  readonly leave: () => void
}

function Details({ part, heading, live, client, select, leave }: DetailsProps): ComponentChildren {
  const isEmpty = part === undefined
  return h(
    'section',
    { class: `card selection${isEmpty ? ' empty' : ''}`, 'aria-labelledby': 'selection-title' },
    h(
      'div',
      { class: 'title' },
      h('h2', { id: 'selection-title', ref: heading, tabindex: -1 }, isEmpty ? 'Overview' : [`${part.kind} `, h('bdi', null, part.label)]),
      isEmpty ? null : [h(OtherId, { part }), h('button', { type: 'button', class: 'plain', onClick: leave }, 'Overview')]
    ),
    isEmpty ? h(OverviewView, { client, topology: live.topology, sessions: live.sessions, areMore: live.areMoreSessions, select }) : null,
    part?.kind === 'session'
      ? h(SessionView, { key: part.id, client, sessionId: part.id.slice('session:'.length), events: live.events, beat: live.beat })
      : null,
    isEmpty ? null : h(ChartsView, { client, machines: live.machines, node: part, beat: live.beat })
  )
}

/** Id of the part, for copying; shown only if the label differs from it. */
function OtherId({ part: { id, kind, label } }: { part: GraphNode }): ComponentChildren {
  const own = id.slice(kind.length + 1)
  return own === label ? null : h('small', null, 'Id ', h('code', null, own))
}

function StatusLine({ connection, events, missed, lostAt }: Live): ComponentChildren {
  const lost = missed === 0 ? '' : `, ${missed.toLocaleString('en')} missed`
  const told = `${events.length === EVENTS_KEPT ? 'the last ' : ''}${counted(events.length, 'event')}`
  return h(
    'p',
    { class: `status status-${connection}`, role: 'status', 'aria-live': 'polite' },
    h('b', null, CONNECTIONS[connection]),
    lostAt === null ? null : ` · all is shown as of ${clockOf(lostAt)}`,
    h('span', { 'aria-hidden': true }, ` · ${told}${lost}`)
  )
}

function EventsView({ events }: { events: readonly DebugEvent[] }): ComponentChildren {
  const shown = events.slice(-EVENTS_SHOWN).reverse()
  return h(
    'section',
    { class: 'card events', 'aria-labelledby': 'events-title' },
    h('h2', { id: 'events-title' }, 'Events'),
    shown.length === 0 ? h('p', { class: 'hint' }, 'None yet. They are told with SERVICE_DEBUG_TRACE=1.') : null,
    h(
      'ol',
      { class: 'scroll', tabindex: 0, 'aria-label': 'Events, newest first' },
      shown.map((event) =>
        h(
          'li',
          { key: event.seq, 'data-kind': event.kind },
          when(event.timestamp),
          h('b', null, event.kind),
          h('span', { class: 'of' }, event.session_id ?? ''),
          h('small', null, fieldsOf(event))
        )
      )
    )
  )
}
