import { type ComponentChildren, h } from 'preact'
import type { StoredSession } from './debug-client.js'

interface OverviewProps {
  readonly sessions: readonly StoredSession[]
  readonly areMore: boolean
  readonly select: (id: string) => void
}

/** Sessions in the list of those that were used last. */
const LATEST_SHOWN = 12

/** What there is while nothing is selected: sums, and the sessions that were used last. */
export function OverviewView({ sessions, areMore, select }: OverviewProps): ComponentChildren {
  const latest = sessions.toSorted((a, b) => b.last_active_at - a.last_active_at).slice(0, LATEST_SHOWN)
  const memories = sessions.reduce((sum, { total_memories: held }) => sum + held, 0)
  const atLeast = areMore ? 'at least ' : ''
  return h(
    'div',
    { class: 'overview' },
    h(
      'dl',
      { class: 'tiles' },
      tile('Sessions', `${atLeast}${sessions.length}`),
      tile('of them in memory', String(sessions.filter(({ state }) => state === 'active').length)),
      tile('Memories', `${atLeast}${memories.toLocaleString('en')}`)
    ),
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
              h('small', null, `${held} memories · ${new Date(at * 1_000).toLocaleString()}`)
            )
          )
        )
  )
}

/** A figure with its name. */
export function tile(name: string, value: string, note = ''): ComponentChildren {
  return h(
    'div',
    { class: 'tile', key: name },
    h('dt', null, name),
    h('dd', null, value, note === '' ? null : [' ', h('small', null, note)])
  )
}
