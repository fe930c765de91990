/** State of the page, changed only by the events that it receives. */
import { createStore } from '@xstate/store'
import type { ChartState } from '../../machines/chart.js'
import type { DebugEvent } from '../client/optional-surfaces.js'
import type { StoredSession, Topology } from './debug-client.js'
import { withEvents } from './history.js'

export type Connection = 'connecting' | 'live' | 'broken'

export interface Live {
  readonly connection: Connection
  /** When the connection was lost: everything shown is as of then. Null unless it is lost. */
  readonly lostAt: Date | null
  readonly events: readonly DebugEvent[]
  /** Number of events that this page was too slow for. */
  readonly missed: number
  readonly topology: Topology
  readonly machines: readonly ChartState[]
  /** Listed sessions, in memory or stored, by id. */
  readonly sessions: readonly StoredSession[]
  /** True when there are more sessions than are listed. */
  readonly areMoreSessions: boolean
  /** Counter that goes up after events, and periodically. Reloading at its pace stays within the rate limit. */
  readonly beat: number
}

const NOTHING: Live = {
  connection: 'connecting',
  lostAt: null,
  events: [],
  missed: 0,
  topology: { nodes: [], edges: [], more: 0 },
  machines: [],
  sessions: [],
  areMoreSessions: false,
  beat: 0
}

export type LiveStore = ReturnType<typeof createLiveStore>

/** Creates the store of a page that has received nothing yet. */
export function createLiveStore() {
  return createStore({
    context: NOTHING,
    on: {
      connected: (live): Live => ({ ...live, connection: 'live', lostAt: null }),
      /** `at`: now. Failed attempts to reconnect keep the time of the first loss. */
      disconnected: (live, { at }: { readonly at: Date }): Live => ({ ...live, connection: 'broken', lostAt: live.lostAt ?? at }),
      told: (live, { events }: { readonly events: readonly DebugEvent[] }): Live => ({
        ...live,
        events: withEvents(live.events, events)
      }),
      /** The service numbers its events anew; the known ones are obsolete. */
      restarted: (live): Live => ({ ...live, events: [] }),
      missed: (live, { count }: { readonly count: number }): Live => ({ ...live, missed: live.missed + count }),
      beat: (live): Live => ({ ...live, beat: live.beat + 1 }),
      'machines.read': (live, { machines }: { readonly machines: readonly ChartState[] }): Live => ({ ...live, machines }),
      'topology.read': (live, { topology }: { readonly topology: Topology }): Live =>
        // An equal graph keeps its identity, so that what depends on it is not recomputed.
        JSON.stringify(topology) === JSON.stringify(live.topology) ? live : { ...live, topology },
      'sessions.listed': (live, listed: Pick<Live, 'sessions' | 'areMoreSessions'>): Live => ({
        ...live,
        sessions: listed.sessions,
        areMoreSessions: listed.areMoreSessions
      })
    }
  })
}
