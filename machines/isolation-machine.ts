/** Decides what becomes of an input: its states are the isolation levels of the interface. */
import { setup, transition } from 'xstate'
import type { IsolationAction, IsolationLevel } from '../src/domain/session.js'

export type IsolationCommand =
  | { readonly type: 'isolation.set'; readonly level: IsolationLevel }
  /** A new input. A full hold list cannot take it. */
  | { readonly type: 'input.offered'; readonly isOffDomain: boolean; readonly isHoldFull: boolean }
  /** What is held is let in; the level stays. */
  | { readonly type: 'isolation.released' }

export const isolationMachine = setup({
  types: { events: {} as IsolationCommand },
  guards: {
    levelIs: ({ event }, params: { level: IsolationLevel }) => event.type === 'isolation.set' && event.level === params.level,
    isOnDomain: ({ event }) => event.type === 'input.offered' && !event.isOffDomain,
    isHoldFull: ({ event }) => event.type === 'input.offered' && event.isHoldFull,
  },
  // Decisions only: the session step looks at which one was asked for and does it.
  actions: { pass: () => undefined, downWeight: () => undefined, hold: () => undefined, block: () => undefined, admitHeld: () => undefined },
}).createMachine({
  id: 'isolation',
  initial: 'OPEN',
  on: {
    'isolation.set': [
      { guard: { type: 'levelIs', params: { level: 'OPEN' } }, target: '.OPEN' },
      { guard: { type: 'levelIs', params: { level: 'FILTER' } }, target: '.FILTER' },
      { guard: { type: 'levelIs', params: { level: 'QUARANTINE' } }, target: '.QUARANTINE' },
      { guard: { type: 'levelIs', params: { level: 'LOCKDOWN' } }, target: '.LOCKDOWN' },
    ],
    // Whatever the level is by now: what was held under QUARANTINE can still be let in.
    'isolation.released': { actions: 'admitHeld' },
  },
  states: {
    OPEN: { on: { 'input.offered': { actions: 'pass' } } },
    FILTER: { on: { 'input.offered': [{ guard: 'isOnDomain', actions: 'pass' }, { actions: 'downWeight' }] } },
    QUARANTINE: {
      on: { 'input.offered': [{ guard: 'isOnDomain', actions: 'pass' }, { guard: 'isHoldFull', actions: 'block' }, { actions: 'hold' }] },
    },
    LOCKDOWN: { on: { 'input.offered': [{ guard: 'isOnDomain', actions: 'pass' }, { actions: 'block' }] } },
  },
})

const ACTIONS: Readonly<Record<string, IsolationAction>> = { pass: 'passed', downWeight: 'down_weighted', hold: 'quarantined', block: 'blocked' }

/** What the level does with an input. Pure. */
export function decideInput(level: IsolationLevel, input: { readonly isOffDomain: boolean; readonly isHoldFull: boolean }): IsolationAction {
  const state = isolationMachine.resolveState({ value: level })
  const [, actions] = transition(isolationMachine, state, { type: 'input.offered', ...input })
  const decision = ACTIONS[actions[0]?.type ?? '']
  if (decision === undefined) throw new Error('the isolation machine did not decide')
  return decision
}
