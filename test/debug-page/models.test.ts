import t from 'tap'
import type { DebugEvent } from '../../src/client/optional-surfaces.js'
import { driftOf, EVENTS_KEPT, turnsOf, withEvents } from '../../src/debug-page/history.js'

const event = (seq: number, fields: object = {}): DebugEvent => ({ seq, timestamp: seq, kind: 'turn.finished', ...fields })

t.test('events: each once and in order, the oldest left out', async (t) => {
  const first = withEvents([], [event(1), event(2)])
  t.strictSame(
    withEvents(first, [event(2), event(3)]).map(({ seq }) => seq),
    [1, 2, 3]
  )
  t.equal(withEvents(first, [event(2)]), first, 'nothing new changes nothing')
  const many = withEvents(
    [],
    Array.from({ length: EVENTS_KEPT + 5 }, (_, index) => event(index + 1))
  )
  t.equal(many.length, EVENTS_KEPT)
  t.equal(many[0]?.seq, 6)
})

t.test('turns: of one session, the newest first, with stages and what they ranked', async (t) => {
  const hit = { memory_hash: 'h', score: 0.5, components: { dense: 0.4, note: 'x' } }
  const events = [
    event(1, { session_id: 'a', turn: 1, kind: 'retrieve', candidates: 3, duration_ms: 1.5, leading: [{ ...hit, score: null }] }),
    event(2, { session_id: 'b', turn: 1 }),
    event(3, { session_id: 'a', turn: 2, kind: 'retrieval.ranked', hits: [hit] }),
    event(4, { session_id: 'a' })
  ]
  const ranked = { hash: 'h', score: 0.5, components: [['dense', 0.4]] }
  t.strictSame(
    turnsOf(events, 'a', 1).map(({ turn }) => turn),
    [2]
  )
  t.strictSame(turnsOf(events, 'a', 9), [
    { turn: 2, timestamp: 3, stages: [], ranked: [ranked], others: [] },
    {
      turn: 1,
      timestamp: 1,
      stages: [{ stage: 'retrieve', durationMs: 1.5, candidates: 3, leading: [{ ...ranked, score: null }] }],
      ranked: [],
      others: []
    }
  ])
})

t.test('drift: one point a turn, the last that was told', async (t) => {
  const events = [
    event(1, { session_id: 'a', turn: 1, drift_score: 0.9, drift_phase: 'drifted' }),
    event(2, { session_id: 'a', turn: 1, drift_score: 0.2, drift_phase: 'stable' }),
    event(4, { session_id: 'a', turn: 1, kind: 'drift.moved', drift_score: 0.2, from: 'shifting', to: 'stable' }),
    event(3, { session_id: 'b', turn: 2, drift_score: 1 })
  ]
  t.strictSame(driftOf(events, 'a'), [{ turn: 1, score: 0.2, phase: 'stable' }])
  const others = [
    event(5, { session_id: 'a', turn: 3, drift_score: 0.3 }),
    event(6, { session_id: 'a', turn: 2, drift_score: 0.4, drift_phase: 7 }),
    event(7, { session_id: 'a', drift_score: 0.5 }),
    event(8, { session_id: 'a', turn: 4 })
  ]
  t.strictSame(
    driftOf([...events, ...others], 'a').map(({ turn, phase }) => [turn, phase]),
    [
      [1, 'stable'],
      [2, ''],
      [3, '']
    ],
    'by turn, without those that say nothing of it'
  )
})

t.test('turns: each stage is one, whatever else is told of it, and the rest comes as it is', async (t) => {
  const own = { session_id: 'a', turn: 1 }
  const events = [
    ...['retrieve', 'fuse', 'rerank', 'serialize'].map((kind, at) => event(at + 1, { ...own, kind })),
    event(5, {
      ...own,
      kind: 'retrieval.ranked',
      hits: [{ components: null }, { memory_hash: 7, score: 'high', components: { dense: 1 } }]
    }),
    event(6, { ...own, kind: 'retrieval.ranked' }),
    event(7, { ...own, kind: 'store.written' })
  ]
  const [turn] = turnsOf(events, 'a', 1)
  t.strictSame(
    turn?.stages,
    ['retrieve', 'fuse', 'rerank', 'serialize'].map((stage) => ({ stage, durationMs: 0, candidates: 0, leading: [] }))
  )
  t.strictSame(turn?.ranked, [
    { hash: '', score: null, components: [] },
    { hash: '', score: null, components: [['dense', 1]] }
  ])
  t.strictSame(turn?.others, [events.at(-1)])
  t.equal(turn?.timestamp, 7)
})
