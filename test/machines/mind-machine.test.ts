import fc from 'fast-check'
import t from 'tap'
import { StateChart } from '../../actors/behaviour/state-chart.js'
import { type MindEvent, mindMachine, type MindTask, type MindValue } from '../../machines/mind-machine.js'
import type { UnderstandingSigns } from '../../src/domain/drift/understanding.js'
import type { IsolationLevel, UnderstandingPhase } from '../../src/domain/session.js'
import { holdToDescription } from '../support/random-walk.js'
import { understandingPhase } from '../support/understanding-phase.js'
import { walk } from './walk.js'

const START: MindValue = { drift: 'stable', understanding: 'initialization', isolation: 'OPEN', realignment: 'resting' }
const LEVELS: IsolationLevel[] = ['OPEN', 'FILTER', 'QUARANTINE', 'LOCKDOWN']
const PLAIN: UnderstandingSigns = { interactionCount: 5, meanSimilarity: 0.2, similarityVariance: 0.01, driftScore: 0, driftThreshold: 0.5 }

const signed = (signs: Partial<UnderstandingSigns>): MindEvent => ({ type: 'message.judged', signs: { ...PLAIN, ...signs } })
const scored = (driftScore: number, driftThreshold = 0.5) => signed({ driftScore, driftThreshold })
const offered = (isOffDomain: boolean, isHoldFull = false): MindEvent => ({ type: 'input.offered', isOffDomain, isHoldFull })
const ended = (isFarFromAnchors: boolean, turnsLeft: number): MindEvent => ({ type: 'turn.ended', isFarFromAnchors, turnsLeft })

function createMind(value: Partial<MindValue> = {}) {
  return new StateChart<MindValue, MindEvent, MindTask>(mindMachine, { ...START, ...value })
}

/** Signs that lead to each phase of understanding. */
const SIGNS: Record<UnderstandingPhase, Partial<UnderstandingSigns>> = {
  initialization: { interactionCount: 2 },
  instability: { similarityVariance: 0.2 },
  exploration: { meanSimilarity: 0 },
  resonance: { meanSimilarity: 0.6 },
  stability: { interactionCount: 9 },
  convergence: {}
}
const PHASES = Object.keys(SIGNS) as UnderstandingPhase[]

t.test('every state and every transition is reached', async (t) => {
  const judged = PHASES.flatMap((phase): MindEvent[] => [
    signed(SIGNS[phase]),
    { type: 'course.judged', signs: { ...PLAIN, ...SIGNS[phase] } }
  ])
  const levels = LEVELS.map((level): MindEvent => ({ type: 'isolation.set', level }))
  const inputs = [offered(false), offered(true), offered(true, true), { type: 'isolation.released' } as const]
  const turns = [ended(true, 0), ended(false, 3), ended(false, 1), { type: 'state.blended' } as const]
  const { missed } = walk(mindMachine, { events: [...judged, scored(0.4), scored(0.9), ...levels, ...inputs, ...turns] })
  t.same(missed, [])
})

t.test('drift: from the threshold on drifted, from 0.6 of it on shifting, else stable', async (t) => {
  const after = (score: number, threshold: number) => {
    const mind = createMind()
    mind.tell(scored(score, threshold))
    return mind.value().drift
  }
  t.same(
    [0, 0.29].map((score) => after(score, 0.5)),
    ['stable', 'stable']
  )
  t.same(
    [0.3, 0.49].map((score) => after(score, 0.5)),
    ['shifting', 'shifting']
  )
  t.same(
    [0.5, 1].map((score) => after(score, 0.5)),
    [{ drifted: 'over' }, { drifted: 'over' }]
  )
  t.same(
    [0.47, 0.48, 0.79, 0.8].map((score) => after(score, 0.8)),
    ['stable', 'shifting', 'shifting', { drifted: 'over' }]
  )
})

t.test('drift: scores that tremble around the threshold tell the clusters once', async (t) => {
  const mind = createMind()
  const told = [0.5, 0.45, 0.55, 0.4, 0.4, 0.6, 0.45].flatMap((score) => mind.tell(scored(score)))
  t.same(told, ['tellClusters'])
  t.same(mind.value().drift, { drifted: 'underOnce' })
})

t.test('drift: three turns in a row under the threshold are shifting; the next one over it tells again', async (t) => {
  const mind = createMind()
  const drifts = [0.5, 0.49, 0.4, 0.3, 0.5].map((score) => [mind.tell(scored(score)).length, mind.value().drift])
  t.same(drifts, [
    [1, { drifted: 'over' }],
    [0, { drifted: 'underOnce' }],
    [0, { drifted: 'underTwice' }],
    [0, 'shifting'],
    [1, { drifted: 'over' }]
  ])
})

t.test('drift: one turn below the band is stable at once, wherever it was', async (t) => {
  for (const drift of ['stable', 'shifting', { drifted: 'over' }, { drifted: 'underOnce' }, { drifted: 'underTwice' }] as const) {
    const mind = createMind({ drift })
    t.same(mind.tell(scored(0.29)), [])
    t.equal(mind.value().drift, 'stable')
  }
})

t.test('drift: the last three turns tell where a session is, wherever it was before them', async () => {
  const drifts: MindValue['drift'][] = ['stable', 'shifting', { drifted: 'over' }, { drifted: 'underOnce' }, { drifted: 'underTwice' }]
  const score = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.tuple(score, score, score), (scores) => {
      const ends = drifts.map((drift) => {
        const mind = createMind({ drift })
        for (const value of scores) mind.tell(scored(value))
        return JSON.stringify(mind.value().drift)
      })
      return new Set(ends).size === 1
    })
  )
})

t.test('drift: what is no turn leaves it as it was', async (t) => {
  const mind = createMind({ drift: { drifted: 'over' } })
  mind.tell({ type: 'course.judged', signs: PLAIN })
  t.same(mind.value().drift, { drifted: 'over' })
})

t.test('understanding: whatever the phase and the signs, as the signs call for', async () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const signs = fc.record({
    interactionCount: fc.nat(20),
    meanSimilarity: share,
    similarityVariance: fc.double({ min: 0, max: 0.2, noNaN: true }),
    driftScore: share,
    driftThreshold: fc.constant(0.5)
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...PHASES),
      signs,
      fc.constantFrom('message.judged' as const, 'course.judged' as const),
      (understanding, told, type) => {
        const mind = createMind({ understanding })
        mind.tell({ type, signs: told })
        return mind.value().understanding === understandingPhase(told)
      }
    )
  )
})

t.test('isolation: any level set from any other is the level', async (t) => {
  for (const from of LEVELS) {
    for (const level of LEVELS) {
      const mind = createMind({ isolation: from })
      t.same(mind.tell({ type: 'isolation.set', level }), [])
      t.equal(mind.value().isolation, level, from)
    }
  }
})

t.test('isolation: an input meets what the interface names for its level', async (t) => {
  const table: Record<IsolationLevel, [MindTask, MindTask]> = {
    OPEN: ['pass', 'pass'],
    FILTER: ['downWeight', 'downWeight'],
    QUARANTINE: ['hold', 'block'],
    LOCKDOWN: ['block', 'block']
  }
  for (const level of LEVELS) {
    const mind = createMind({ isolation: level })
    const asked = [offered(false), offered(false, true), offered(true), offered(true, true)]
    t.same(
      asked.map((event) => mind.foresee(event)),
      [['pass'], ['pass'], ...table[level].map((task) => [task])],
      level
    )
    t.same(
      asked.map((event) => mind.tell(event)),
      asked.map((event) => mind.foresee(event)),
      level
    )
    t.same(mind.tell({ type: 'isolation.released' }), ['admitHeld'])
    t.equal(mind.value().isolation, level)
  }
})

t.test('realignment: begins far from the anchors, is counted turn by turn, and rests after the last one', async (t) => {
  const mind = createMind()
  t.same(mind.tell(ended(false, 0)), [])
  t.same(mind.tell(ended(true, 0)), ['beginPull'])
  t.same(
    [3, 2].map((left) => mind.tell(ended(true, left))),
    [['countPull'], ['countPull']]
  )
  t.equal(mind.value().realignment, 'pulling')
  t.same(mind.tell(ended(true, 1)), ['countPull'])
  t.equal(mind.value().realignment, 'resting')
})

t.test('realignment: ends when others have moved the state', async (t) => {
  const mind = createMind({ realignment: 'pulling' })
  t.same(mind.tell({ type: 'state.blended' }), ['endPull'])
  t.same(mind.tell({ type: 'state.blended' }), [])
  t.equal(mind.value().realignment, 'resting')
})

/** Everything that a session was told, independent of the chart. */
interface Story {
  readonly scores: readonly number[]
  readonly understanding: UnderstandingPhase
  readonly isolation: IsolationLevel
  readonly isPulling: boolean
}

function driftOf({ scores }: Story): MindValue['drift'] {
  const under = scores.length - 1 - scores.findLastIndex((score) => score >= 0.5 || score < 0.3)
  const last = scores[scores.length - 1 - under] ?? 0
  if (under === 0) return last >= 0.5 ? { drifted: 'over' } : 'stable'
  if (last < 0.5 || under > 2) return 'shifting'
  return { drifted: under === 1 ? 'underOnce' : 'underTwice' }
}

const FATES: Record<IsolationLevel, (isHoldFull: boolean) => MindTask> = {
  OPEN: () => 'pass',
  FILTER: () => 'downWeight',
  QUARANTINE: (isFull) => (isFull ? 'block' : 'hold'),
  LOCKDOWN: () => 'block'
}

function next(story: Story, event: MindEvent): { readonly place: Story; readonly actions: readonly MindTask[] } {
  const { isPulling, isolation } = story
  switch (event.type) {
    case 'message.judged': {
      const { driftScore } = event.signs
      const place = { ...story, understanding: understandingPhase(event.signs), scores: [...story.scores.slice(-3), driftScore] }
      return { place, actions: driftScore >= 0.5 && typeof driftOf(story) === 'string' ? ['tellClusters'] : [] }
    }
    case 'course.judged':
      return { place: { ...story, understanding: understandingPhase(event.signs) }, actions: [] }
    case 'input.offered':
      return { place: story, actions: [event.isOffDomain ? FATES[isolation](event.isHoldFull) : 'pass'] }
    case 'isolation.set':
      return { place: { ...story, isolation: event.level }, actions: [] }
    case 'isolation.released':
      return { place: story, actions: ['admitHeld'] }
    case 'turn.ended':
      if (isPulling) return { place: { ...story, isPulling: event.turnsLeft > 1 }, actions: ['countPull'] }
      return { place: { ...story, isPulling: event.isFarFromAnchors }, actions: event.isFarFromAnchors ? ['beginPull'] : [] }
    case 'state.blended':
      return { place: { ...story, isPulling: false }, actions: isPulling ? ['endPull'] : [] }
  }
}

const EVENTS: MindEvent[] = [
  ...PHASES.map((phase) => signed(SIGNS[phase])),
  ...PHASES.map((phase): MindEvent => ({ type: 'course.judged', signs: { ...PLAIN, ...SIGNS[phase] } })),
  ...[0.4, 0.4, 0.45, 0.45, 0.49, 0.5, 0.9].map((score) => scored(score)),
  ...LEVELS.map((level): MindEvent => ({ type: 'isolation.set', level })),
  ...[offered(false), offered(false, true), offered(true), offered(true, true), { type: 'isolation.released' } as const],
  ...[ended(true, 0), ended(false, 0), ended(false, 3), ended(true, 1), { type: 'state.blended' } as const]
]

t.test('along a long walk, it agrees with its description, and would not without any of its guards or actions', async (t) => {
  holdToDescription<typeof mindMachine, Story>(t, mindMachine, {
    start: { place: { scores: [], understanding: 'initialization', isolation: 'OPEN', isPulling: false }, actions: [] },
    draw: (chance) => chance.pick(EVENTS) ?? scored(0),
    next,
    valueOf: (story) => ({
      drift: driftOf(story),
      understanding: story.understanding,
      isolation: story.isolation,
      realignment: story.isPulling ? 'pulling' : 'resting'
    })
  })
})
