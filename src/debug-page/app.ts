import { h, type ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { ChartsView } from './chart-view.js'
import { createDebugClient } from './debug-client.js'
import { GraphView } from './graph-view.js'
import type { DebugEvent } from './history.js'
import { useLive, type Connection, type Live } from './live.js'
import { fieldsOf, SessionView } from './session-view.js'
import { forgetToken, keptToken, SignIn } from './sign-in.js'

/** Events in the list at the foot of the page. */
const EVENTS_SHOWN = 100

const CONNECTIONS: Readonly<Record<Connection, string>> = { connecting: 'Connecting', live: 'Live', broken: 'Connection lost, trying again' }

/** The page: asks for a token, and shows the service with it. */
export function App(): ComponentChildren {
  const [token, setToken] = useState(keptToken)
  const [refusal, setRefusal] = useState<string | null>(null)
  const leave = (reason: string | null): void => {
    forgetToken()
    setRefusal(reason)
    setToken(null)
  }
  return h(
    'div',
    { class: 'page' },
    h('header', null, h('h1', null, 'Engram ', h('span', null, 'debugger')), h(ThemeChoice, null), token === null ? null : h('button', { type: 'button', onClick: () => leave(null) }, 'Disconnect')),
    h('main', null, token === null ? h(SignIn, { refusal, entered: setToken }) : h(Dashboard, { key: token, token, refused: leave }))
  )
}

type Theme = 'system' | 'light' | 'dark'

function ThemeChoice(): ComponentChildren {
  const [theme, setTheme] = useState<Theme>('system')
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme
  }, [theme])
  return h(
    'label',
    { class: 'theme' },
    'Colours ',
    h(
      'select',
      { value: theme, onChange: ({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) => setTheme(currentTarget.value as Theme) },
      (['system', 'light', 'dark'] as const).map((name) => h('option', { value: name }, name))
    )
  )
}

function Dashboard({ token, refused }: { token: string; refused: (detail: string) => void }): ComponentChildren {
  const ending = useMemo(() => new AbortController(), [token])
  useEffect(() => () => ending.abort(), [ending])
  const client = useMemo(() => createDebugClient({ token, signal: ending.signal }), [token])
  const live = useLive(client, { signal: ending.signal, refused })
  const [selected, setSelected] = useState<string | null>(null)
  const node = live.topology.nodes.find(({ id }) => id === selected)
  return h(
    'div',
    { class: 'dashboard' },
    h(StatusLine, live),
    h(GraphView, { topology: live.topology, selected, select: setSelected }),
    h(
      'section',
      { class: 'card selection', 'aria-labelledby': 'selection-title' },
      h('h2', { id: 'selection-title' }, node === undefined ? 'Nothing selected' : `${node.kind} ${node.label}`),
      node === undefined ? h('p', { class: 'hint' }, 'Select a part of the graph to see what it is doing.') : null,
      node === undefined ? null : h(ChartsView, { client, machines: live.machines, node, beat: live.beat }),
      node?.kind === 'session' ? h(SessionView, { client, sessionId: node.id.slice('session:'.length), events: live.events, beat: live.beat }) : null
    ),
    h(EventsView, { events: live.events })
  )
}

function StatusLine({ connection, events, missed }: Live): ComponentChildren {
  const lost = missed === 0 ? '' : `, ${missed} events were missed`
  return h('p', { class: `status status-${connection}`, role: 'status', 'aria-live': 'polite' }, h('b', null, CONNECTIONS[connection]), h('span', { 'aria-hidden': true }, ` · ${events.length} events${lost}`))
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
        h('li', { key: event.seq, 'data-kind': event.kind }, h('time', null, new Date(event.timestamp * 1000).toLocaleTimeString()), h('b', null, event.kind), h('span', { class: 'of' }, event.session_id ?? ''), h('small', null, fieldsOf(event)))
      )
    )
  )
}
