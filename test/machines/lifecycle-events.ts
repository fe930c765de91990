/** All events that the machine of a kind may receive, including the reports of its effects. */
import type { EventFromLogic } from 'xstate'
import type { kindMachines } from '../../machines/kinds.js'
import { DomainError } from '../../src/domain/errors.js'
import * as report from './walk.js'

export type Event = EventFromLogic<typeof kindMachines.session>

export const BACK = { size: 3, durationMs: 12 }
export const FENCED = new DomainError('fenced', 'Another writer')
export const LOST = new DomainError('storage_unavailable', 'Gone')
export const BUG = new TypeError('Bug')
export const REVIVE: Event = { type: 'actor.revive', activation: { isNew: true } }

const COMMANDS: Event[] = [
  { type: 'actor.activate' },
  { type: 'step.fail', error: BUG },
  { type: 'changes.commit' },
  { type: 'commit.finish' },
  { type: 'commit.fail', error: FENCED },
  { type: 'commit.fail', error: LOST },
  { type: 'record.remove' },
  { type: 'actor.passivate' },
  REVIVE,
  { type: 'actor.forget' },
  { type: 'actor.fence' }
]

/** Events for the machine with this id. */
export function eventsOf(machine: string): Event[] {
  const ends: [string, unknown][] = [
    ['reading', true],
    ['reading', false],
    ['rehydrating', BACK],
    ['rehydrating', null],
    ...['made', 'missing', 'overtaken'].map((creation): [string, unknown] => ['creating', creation]),
    ['passivating', undefined],
    ['deleting', undefined]
  ]
  const failures = ['reading', 'rehydrating', 'creating', 'passivating', 'deleting'].flatMap((state) =>
    [FENCED, LOST].map((error) => failed(state, error, machine))
  )
  return [...COMMANDS, ...ends.map(([state, output]) => done(state, output, machine)), ...failures, failedChart(BUG)]
}

/** The states in which effects run: a state with an id, or one inside such a state. */
const PLACES: Readonly<Record<string, string>> = {
  reading: 'activating.reading',
  rehydrating: 'activating.rehydrating',
  creating: 'activating.creating'
}

export function done(state: string, output?: unknown, machine = 'session'): Event {
  return named(report.done(machine, PLACES[state] ?? state, output), state)
}

export function failed(state: string, error: unknown, machine = 'session'): Event {
  return named(report.failed(machine, PLACES[state] ?? state, error), state)
}

/** Failure of a chart, which a kind without a chart never receives. */
function failedChart(error: unknown): Event {
  const told: report.Report = { type: 'xstate.error.actor.chart', error, actorId: 'chart' }
  return told as Event
}

/** Names the report as XState does: after the id of the state, if it has one. */
function named({ type, ...rest }: report.Report, state: string): Event {
  const ids: Readonly<Record<string, string>> = { passivating: '0.passivating', deleting: '0.deleting' }
  const actorId = ids[state] ?? rest.actorId
  return { ...rest, actorId, type: type.replace(rest.actorId, actorId) } as Event
}
