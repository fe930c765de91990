/**
 * What a session makes of its conversation: how far it has drifted, how well it understands, whom it lets in, and whether it is pulled
 * back to its anchors. Interface, Phases and drift; Isolation. Four regions side by side, without a context: where they are is all they
 * know. The actions are tasks for the step that told the event.
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

/** More microsteps than this in one transition are an endless loop; the longest real one takes one. */
const MICROSTEPS_MAX = 5

export type MindEvent =
  /** A new input. A full hold list cannot take it. */
  | { readonly type: 'input.offered'; readonly isOffDomain: boolean; readonly isHoldFull: boolean }
  /** A user's message became part of the session. */
  | { readonly type: 'message.judged'; readonly signs: UnderstandingSigns }
  /** Something that is no turn became part of it, or is none any more. */
  | { readonly type: 'course.judged'; readonly signs: UnderstandingSigns }
  /** `turnsLeft`: of a pull to the anchors, this turn included. */
  | { readonly type: 'turn.ended'; readonly isFarFromAnchors: boolean; readonly turnsLeft: number }
  /** Others have moved the session's state. */
  | { readonly type: 'state.blended' }
  | { readonly type: 'isolation.set'; readonly level: IsolationLevel }
  /** What is held is let in; the level stays. */
  | { readonly type: 'isolation.released' }

/** What a step may be asked to do. */
export type MindTask = 'tellClusters' | 'pass' | 'downWeight' | 'hold' | 'block' | 'admitHeld' | 'beginPull' | 'countPull' | 'endPull'

/** Where it is. */
export type MindValue = {
  readonly drift: Exclude<DriftPhase, 'drifted'> | { readonly drifted: 'over' | 'underOnce' | 'underTwice' }
  readonly understanding: UnderstandingPhase
  readonly isolation: IsolationLevel
  readonly realignment: 'resting' | 'pulling'
}

const task = (): void => undefined

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
 * A session that has drifted stays so until a turn is stable again, or three in a row stay under the threshold: the new topic is the
 * topic then. Scores that tremble around the threshold tell the clusters once. Three turns under it lead to the same state from
 * anywhere, so the last three tell where a session is.
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
      // A turn that is neither over nor calm is for the states within.
      on: { 'message.judged': [{ guard: hasDrifted, target: '.over' }, { target: 'stable' }] },
      // How many turns in a row have stayed under the threshold.
      states: {
        over: { on: { 'message.judged': { guard: isShifting, target: 'underOnce' } } },
        underOnce: { on: { 'message.judged': { guard: isShifting, target: 'underTwice' } } },
        underTwice: { on: { 'message.judged': { guard: isShifting, target: '#shifting' } } }
      }
    }
  }
})

/**
 * The first that applies: each turn decides it anew. Convergence is the rest, turns that relate to each other but not yet evenly or for
 * long enough.
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
    // Whatever the level is by now: what was held under QUARANTINE can still be let in.
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
        // It would pull back what was pulled just now.
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
