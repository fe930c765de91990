import { type ComponentChildren, h } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { DebugEvent } from '../client/optional-surfaces.js'
import { SYSTEM_TIMERS } from '../client/timers.js'
import type { DebugClient } from './debug-client.js'
import { DaysView } from './days-view.js'
import { DriftView } from './drift-view.js'
import { driftOf, turnsOf } from './history.js'
import { MemoriesView } from './memories-view.js'
import { SessionSummary } from './session-summary.js'
import { createTexts, type TextOf } from './texts.js'
import { TurnView } from './turn-view.js'

interface SessionProps {
  readonly client: DebugClient
  readonly sessionId: string
  readonly events: readonly DebugEvent[]
  readonly beat: number
}

/** Number of turns shown; older ones are in the list of events. */
const TURNS_SHOWN = 12

/** A session: its figures, its days, its memories, and its latest turns. */
export function SessionView({ client, sessionId, events, beat }: SessionProps): ComponentChildren {
  const textOf = useTexts(client, sessionId)
  const turns = turnsOf(events, sessionId, TURNS_SHOWN)
  return h(
    'div',
    { class: 'session' },
    h(SessionSummary, { client, sessionId, beat }),
    h(DaysView, { client, sessionId, beat }),
    h(MemoriesView, { client, sessionId, beat }),
    h(DriftView, { points: driftOf(events, sessionId) }),
    h(
      'section',
      { 'aria-labelledby': 'turns-title' },
      h('h3', { id: 'turns-title' }, 'Last turns'),
      turns.length === 0 ? h('p', { class: 'hint' }, 'None yet.') : null,
      turns.map((turn, index) => h(TurnView, { key: turn.turn, turn, startsOpen: index === 0, textOf }))
    )
  )
}

/** Reads each text once, a few at a time, and redraws as they arrive. */
function useTexts(client: Pick<DebugClient, 'textOf'>, sessionId: string): TextOf {
  const [, draw] = useState(0)
  const texts = useMemo(
    () =>
      createTexts(
        (hash) => client.textOf(sessionId, hash),
        () => draw((times) => times + 1),
        SYSTEM_TIMERS
      ),
    [client, sessionId]
  )
  useEffect(() => () => texts.close(), [texts])
  return texts.textOf
}
