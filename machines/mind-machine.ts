/**
 * Chart of a session, with four parallel regions: drift, understanding, isolation, and realignment to the anchors. Interface, Phases and
 * drift; Isolation. No context: the state is all the data there is. The actions are tasks for the step that sent the event.
 */
import { setup } from 'xstate'
import { driftPhase } from '../src/domain/drift/drift.js'
import {
  isExploring,
  isInitialising,
  isResonant,
  isStable,
  isUnstable,
  type UnderstandingSigns
} from '../src/domain/drift/understanding.js'
import type { DriftPhase, IsolationLevel, UnderstandingPhase } from '../src/domain/session.js'
import { MICROSTEPS_MAX, task } from './setup-parts.js'

export type MindEvent =
  /** A new input. `isHoldFull`: the hold list has no room for it. */
  | { readonly type: 'input.offered'; readonly isOffDomain: boolean; readonly isHoldFull: boolean }
  /** A user's message became part of the session. */
  | { readonly type: 'message.judged'; readonly signs: UnderstandingSigns }
  /** Memories from outside of turns were folded, or no turn is left. */
  | { readonly type: 'course.judged'; readonly signs: UnderstandingSigns }
  /** `turnsLeft`: remaining turns of a realignment, this one included; 0 without one. */
  | { readonly type: 'turn.ended'; readonly isFarFromAnchors: boolean; readonly turnsLeft: number }
  /** Another actor has moved the session's state. */
  | { readonly type: 'state.blended' }
  | { readonly type: 'isolation.set'; readonly level: IsolationLevel }
  /** The held inputs are to be admitted; the level stays. */
  | { readonly type: 'isolation.released' }

/** Tasks for a step. */
export type MindTask = 'tellClusters' | 'pass' | 'downWeight' | 'hold' | 'block' | 'admitHeld' | 'beginPull' | 'countPull' | 'endPull'

/** State of the chart. */
export type MindValue = {
  readonly drift: Exclude<DriftPhase, 'drifted'> | { readonly drifted: 'over' | 'underOnce' | 'underTwice' }
  readonly understanding: UnderstandingPhase
  readonly isolation: IsolationLevel
  readonly realignment: 'resting' | 'pulling'
}

const mindSetup = setup({
  types: { events: {} as MindEvent },
  guards: {
    turnHasDrifted: (_, { driftScore, driftThreshold }: UnderstandingSigns) => driftPhase(driftScore, driftThreshold) === 'drifted',
    turnIsShifting: (_, { driftScore, driftThreshold }: UnderstandingSigns) => driftPhase(driftScore, driftThreshold) === 'shifting',
    turnIsStable: (_, { driftScore, driftThreshold }: UnderstandingSigns) => driftPhase(driftScore, driftThreshold) === 'stable',
    sessionIsInitialising: (_, signs: UnderstandingSigns) => isInitialising(signs),
    sessionIsUnstable: (_, signs: UnderstandingSigns) => isUnstable(signs),
    sessionIsExploring: (_, signs: UnderstandingSigns) => isExploring(signs),
    sessionIsResonant: (_, signs: UnderstandingSigns) => isResonant(signs),
    sessionIsStable: (_, signs: UnderstandingSigns) => isStable(signs),
    levelIs: ({ event }, { level }: { level: IsolationLevel }) => event.type === 'isolation.set' && event.level === level,
    isOnDomain: ({ event }) => event.type === 'input.offered' && !event.isOffDomain,
    isHoldFull: ({ event }) => event.type === 'input.offered' && event.isHoldFull,
    anchorsAreFar: ({ event }) => event.type === 'turn.ended' && event.isFarFromAnchors,
    pullIsLast: ({ event }) => event.type === 'turn.ended' && event.turnsLeft <= 1
  },
  actions: {
    tellClusters: task,
    pass: task,
    downWeight: task,
    hold: task,
    block: task,
    admitHeld: task,
    beginPull: task,
    countPull: task,
    endPull: task
  }
})

const signsOf = ({ event }: { readonly event: Extract<MindEvent, { signs: unknown }> }): UnderstandingSigns => event.signs
const hasDrifted = { type: 'turnHasDrifted', params: signsOf } as const
const isShifting = { type: 'turnIsShifting', params: signsOf } as const
const isCalm = { type: 'turnIsStable', params: signsOf } as const

/**
 * A drifted session stays drifted until a turn is stable, or three consecutive turns are under the threshold: the new topic then counts as
 * the topic. Scores that fluctuate around the threshold thus tell the clusters only once. Three turns under the threshold lead to the same
 * state from any state, so that the last three turns determine it.
 */
const drift = mindSetup.createStateConfig({
  initial: 'stable',
  states: {
    stable: {
      on: {
        'message.judged': [
          { guard: hasDrifted, target: 'drifted', actions: 'tellClusters' },
          { guard: isShifting, target: 'shifting' }
        ]
      }
    },
    shifting: {
      id: 'shifting',
      on: {
        'message.judged': [
          { guard: hasDrifted, target: 'drifted', actions: 'tellClusters' },
          { guard: isCalm, target: 'stable' }
        ]
      }
    },
    drifted: {
      initial: 'over',
      // A shifting turn is handled by the nested states, which are tried first.
      on: { 'message.judged': [{ guard: hasDrifted, target: '.over' }, { target: 'stable' }] },
      // Number of consecutive turns under the threshold.
      states: {
        over: { on: { 'message.judged': { guard: isShifting, target: 'underOnce' } } },
        underOnce: { on: { 'message.judged': { guard: isShifting, target: 'underTwice' } } },
        underTwice: { on: { 'message.judged': { guard: isShifting, target: '#shifting' } } }
      }
    }
  }
})

/**
 * Transitions to the first phase that applies, decided anew by each turn. Convergence is the default: turns that relate to each other, but
 * not yet evenly or for long enough.
 */
const UNDERSTANDINGS = [
  { guard: { type: 'sessionIsInitialising', params: signsOf }, target: '.initialization' },
  { guard: { type: 'sessionIsUnstable', params: signsOf }, target: '.instability' },
  { guard: { type: 'sessionIsExploring', params: signsOf }, target: '.exploration' },
  { guard: { type: 'sessionIsResonant', params: signsOf }, target: '.resonance' },
  { guard: { type: 'sessionIsStable', params: signsOf }, target: '.stability' },
  { target: '.convergence' }
] as const

const understanding = mindSetup.createStateConfig({
  initial: 'initialization',
  on: { 'message.judged': UNDERSTANDINGS, 'course.judged': UNDERSTANDINGS },
  states: { initialization: {}, exploration: {}, convergence: {}, resonance: {}, stability: {}, instability: {} }
})

const isolation = mindSetup.createStateConfig({
  initial: 'OPEN',
  on: {
    'isolation.set': [
      { guard: { type: 'levelIs', params: { level: 'OPEN' } }, target: '.OPEN' },
      { guard: { type: 'levelIs', params: { level: 'FILTER' } }, target: '.FILTER' },
      { guard: { type: 'levelIs', params: { level: 'QUARANTINE' } }, target: '.QUARANTINE' },
      { target: '.LOCKDOWN' }
    ],
    // At any level: inputs held under QUARANTINE can still be admitted after the level has changed.
    'isolation.released': { actions: 'admitHeld' }
  },
  states: {
    OPEN: { on: { 'input.offered': { actions: 'pass' } } },
    FILTER: { on: { 'input.offered': [{ guard: 'isOnDomain', actions: 'pass' }, { actions: 'downWeight' }] } },
    QUARANTINE: {
      on: { 'input.offered': [{ guard: 'isOnDomain', actions: 'pass' }, { guard: 'isHoldFull', actions: 'block' }, { actions: 'hold' }] }
    },
    LOCKDOWN: { on: { 'input.offered': [{ guard: 'isOnDomain', actions: 'pass' }, { actions: 'block' }] } }
  }
})

const realignment = mindSetup.createStateConfig({
  initial: 'resting',
  states: {
    resting: { on: { 'turn.ended': { guard: 'anchorsAreFar', target: 'pulling', actions: 'beginPull' } } },
    pulling: {
      on: {
        'turn.ended': [{ guard: 'pullIsLast', target: 'resting', actions: 'countPull' }, { actions: 'countPull' }],
        // The realignment would undo the blend.
        'state.blended': { target: 'resting', actions: 'endPull' }
      }
    }
  }
})

export const mindMachine = mindSetup.createMachine({
  id: 'mind',
  options: { maxIterations: MICROSTEPS_MAX },
  type: 'parallel',
  states: { drift, understanding, isolation, realignment }
})
