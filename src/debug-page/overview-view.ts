import { type ComponentChildren, h } from 'preact'
import { type Alarm, alarmsOf } from './areas.js'
import { counted } from './counted.js'
import { SavingsView } from './days-view.js'
import type { DebugClient, StoredSession, Topology } from './debug-client.js'
import { problemView } from './problem-view.js'
import { useReading } from './reading.js'
import { tile } from './tile.js'
import { when } from './when.js'

interface OverviewProps {
  readonly client: Pick<DebugClient, 'daySums'>
  readonly topology: Topology
  readonly sessions: readonly StoredSession[]
  readonly areMore: boolean
  readonly select: (id: string) => void
}

/** Number of recently used sessions that are listed, and number of alarms. */
const LATEST_SHOWN = 12
const ALARMS_SHOWN = 6

/** Shown when nothing is selected: sums, alarms, savings, and the recently used sessions. */
export function OverviewView({ client, topology, sessions, areMore, select }: OverviewProps): ComponentChildren {
  // Reloaded with the list of sessions, because it reads as many heads.
  const { value: days, problem } = useReading(() => client.daySums(), { name: 'days', when: [client, sessions] })
  const memories = sessions.reduce((sum, { total_memories: held }) => sum + held, 0)
  const atLeast = areMore ? 'at least ' : ''
  const alarms = alarmsOf(topology.nodes, topology.edges)
  return h(
    'div',
    { class: 'overview' },
    h(
      'dl',
      { class: 'tiles' },
      tile('Sessions', `${atLeast}${sessions.length.toLocaleString('en')}`),
      tile('In memory', sessions.filter(({ state }) => state === 'active').length.toLocaleString('en')),
      tile('Memories', `${atLeast}${memories.toLocaleString('en')}`),
      tile('Alarms', alarms.length.toLocaleString('en'))
    ),
    h(AlarmList, { alarms, select }),
    problemView(problem),
    days === null ? null : h(SavingsView, { days }),
    h(LatestList, { sessions, select })
  )
}

function AlarmList({ alarms, select }: { readonly alarms: readonly Alarm[] } & Pick<OverviewProps, 'select'>): ComponentChildren {
  if (alarms.length === 0) return null
  const more = alarms.length - ALARMS_SHOWN
  return h(
    'ul',
    { class: 'latest alarms', 'aria-label': 'Alarms' },
    alarms
      .slice(0, ALARMS_SHOWN)
      .map(({ part, note }) =>
        h(
          'li',
          { key: part.id },
          h('button', { type: 'button', onClick: () => select(part.id) }, `${part.kind} `, h('bdi', null, part.label)),
          h('small', null, note)
        )
      ),
    more > 0 ? h('li', { key: 'more' }, h('small', null, `and ${more.toLocaleString('en')} more, on the map`)) : null
  )
}

function LatestList({ sessions, select }: Pick<OverviewProps, 'sessions' | 'select'>): ComponentChildren {
  const latest = sessions.toSorted((a, b) => b.last_active_at - a.last_active_at).slice(0, LATEST_SHOWN)
  return h(
    'section',
    { class: 'used-last', 'aria-labelledby': 'latest-title' },
    h('h3', { id: 'latest-title' }, 'Used last'),
    latest.length === 0
      ? h('p', { class: 'hint' }, 'No session yet. The first run or import makes one.')
      : h(
          'ul',
          { class: 'latest', 'aria-labelledby': 'latest-title' },
          latest.map(({ session_id: id, total_memories: held, last_active_at: at }) =>
            h(
              'li',
              { key: id },
              h('button', { type: 'button', onClick: () => select(`session:${id}`) }, id),
              h('small', null, `${counted(held, 'memory')} · `, when(at))
            )
          )
        )
  )
}
