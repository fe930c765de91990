/** Supervisor of a catalog's actors: the state machine with its effects. */
import { type EventFromLogic, fromPromise } from 'xstate'
import { supervisorMachine } from '../../machines/supervisor-machine.js'
import type { Activations } from './activations.js'
import type { Actors } from './actors.js'
import { trim, trimSubject } from './eviction.js'
import { sweepIdle } from './sweep.js'

export type SupervisorLogic = typeof supervisorMachine

type SupervisorEvent = EventFromLogic<SupervisorLogic>

/** Id of the ended actor, a number, at the end of XState's event type. The end events of invoked children have fixed types. */
const OWN_NAME = /\.\d+$/

export function createSupervisorLogic(actors: Actors, activations: Activations): SupervisorLogic {
  const machine = supervisorMachine.provide({
    actors: { sweep: fromPromise(() => sweepIdle(actors)) },
    actions: {
      adopt: ({ self }) => activations.adopt(self),
      abandon: () => activations.abandon(),
      retire: (_, { actorId, ending }) => activations.retire(actorId, ending),
      trim: () => trim(actors),
      trimSubject: (_, { subject }) => trimSubject(actors, subject),
      reportSweepFailure: (_, { error }) => actors.options.logger.error({ err: error }, 'A sweep failed')
    }
  })
  // XState caches the transitions of each state by event type and never evicts them: a type per actor would grow without bound.
  return Object.assign(Object.create(machine) as SupervisorLogic, {
    transition: (...[snapshot, event, scope]: Parameters<SupervisorLogic['transition']>) =>
      machine.transition(snapshot, withSharedName(event), scope)
  })
}

/** Gives the end events of all actors the same type. The event's `actorId` says which actor ended. */
function withSharedName(event: SupervisorEvent): SupervisorEvent {
  return 'actorId' in event ? ({ ...event, type: event.type.replace(OWN_NAME, '.any') } as SupervisorEvent) : event
}
