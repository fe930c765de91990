import t from 'tap'
import { initialTransition, transition } from 'xstate'
import { decideInput, isolationMachine, type IsolationCommand } from '../../machines/isolation-machine.js'
import type { IsolationAction, IsolationLevel } from '../../src/domain/session.js'
import { walk } from './walk.js'

const LEVELS: IsolationLevel[] = ['OPEN', 'FILTER', 'QUARANTINE', 'LOCKDOWN']
const offered = (isOffDomain: boolean, isHoldFull: boolean): IsolationCommand => ({ type: 'input.offered', isOffDomain, isHoldFull })
const SETTINGS = LEVELS.map((level): IsolationCommand => ({ type: 'isolation.set', level }))
const INPUTS = [offered(false, false), offered(false, true), offered(true, false), offered(true, true)]

t.test('every level and every transition, is reached', async (t) => {
  const { states, missed } = walk(isolationMachine, { events: [...SETTINGS, ...INPUTS, { type: 'isolation.released' }] })
  t.same(states, [...LEVELS].sort())
  t.same(missed, [])
})

t.test('a new session, is open', async (t) => {
  const [state] = initialTransition(isolationMachine)
  t.equal(state.value, 'OPEN')
})

t.test('any level, set from any other, is the level', async (t) => {
  for (const from of LEVELS) {
    for (const command of SETTINGS) {
      const [next] = transition(isolationMachine, isolationMachine.resolveState({ value: from, context: {} }), command)
      t.equal(next.value, command.type === 'isolation.set' ? command.level : '', from)
    }
  }
})

t.test('a release, at any level, admits what is held and leaves the level', async (t) => {
  for (const level of LEVELS) {
    const [next, actions] = transition(isolationMachine, isolationMachine.resolveState({ value: level, context: {} }), { type: 'isolation.released' })
    t.equal(next.value, level)
    t.same(actions.map(({ type }) => type), ['admitHeld'])
  }
})

t.test('an input, meets what the interface names for its level', async (t) => {
  const table: Record<IsolationLevel, { off: IsolationAction; offAndFull: IsolationAction }> = {
    OPEN: { off: 'passed', offAndFull: 'passed' },
    FILTER: { off: 'down_weighted', offAndFull: 'down_weighted' },
    QUARANTINE: { off: 'quarantined', offAndFull: 'blocked' },
    LOCKDOWN: { off: 'blocked', offAndFull: 'blocked' }
  }
  for (const level of LEVELS) {
    for (const isHoldFull of [false, true]) t.equal(decideInput(level, { isOffDomain: false, isHoldFull }), 'passed', level)
    t.equal(decideInput(level, { isOffDomain: true, isHoldFull: false }), table[level].off, level)
    t.equal(decideInput(level, { isOffDomain: true, isHoldFull: true }), table[level].offAndFull, level)
  }
})
