import t from 'tap'
import { createLiveStore } from '../../src/debug-page/live-store.js'

const node = { id: 'session:anna', kind: 'session', label: 'anna', state: 'active' }
const event = (seq: number) => ({ seq, timestamp: 1, kind: 'turn.started', data: {} })

t.test('live store: the connection it is told of is shown', async (t) => {
  const store = createLiveStore()
  const shown: string[] = []
  store.subscribe(({ context }) => shown.push(context.connection))
  store.trigger.connected()
  store.trigger.disconnected({ at: new Date(1_000) })
  store.trigger.disconnected({ at: new Date(9_000) })
  t.same(store.getSnapshot().context.lostAt, new Date(1_000), 'what is shown is of when it was lost first')
  store.trigger.connected()
  t.same(shown, ['live', 'broken', 'broken', 'live'])
  t.equal(store.getSnapshot().context.lostAt, null)
})

t.test('live store: the events it is told of are kept, and it beats when it is asked to', async (t) => {
  const store = createLiveStore()
  store.trigger.told({ events: [event(1), event(2)] })
  store.trigger.missed({ count: 3 })
  store.trigger.missed({ count: 4 })
  store.trigger.beat()
  t.match(store.getSnapshot().context, { missed: 7, beat: 1 })
  t.same(
    store
      .getSnapshot()
      .context.events.map(({ seq }) => seq)
      .sort(),
    [1, 2]
  )
})

t.test('live store: of a service that was started anew the events of before are forgotten', async (t) => {
  const store = createLiveStore()
  store.trigger.told({ events: [event(7)] })
  store.trigger.restarted()
  store.trigger.told({ events: [event(1)] })
  t.same(
    store.getSnapshot().context.events.map(({ seq }) => seq),
    [1]
  )
})

t.test('live store: a graph as before changes nothing that is drawn', async (t) => {
  const store = createLiveStore()
  store.trigger['topology.read']({ topology: { nodes: [node], edges: [], more: 0 } })
  const before = store.getSnapshot().context
  store.trigger['topology.read']({ topology: { nodes: [{ ...node }], edges: [], more: 0 } })
  t.equal(store.getSnapshot().context, before)
  store.trigger['topology.read']({ topology: { nodes: [{ ...node, state: 'committing' }], edges: [], more: 0 } })
  t.not(store.getSnapshot().context.topology, before.topology)
})

t.test('live store: a list of sessions is taken as far as it is listed', async (t) => {
  const store = createLiveStore()
  const sessions = [
    { session_id: 'anna', state: 'active' as const, model_name: 'lexical', total_memories: 3, last_active_at: 1_700_000_000 }
  ]
  store.trigger['sessions.listed']({ sessions, areMoreSessions: true })
  t.match(store.getSnapshot().context, { sessions, areMoreSessions: true, beat: 0 })
})
