/** The supervisor of a catalog's actors: its machine with its effects. */
import { type EventFromLogic, fromPromise } from 'xstate'
import { supervisorMachine } from '../../machines/supervisor-machine.js'
import type { Logger } from '../../src/ports.js'
import type { Activations } from './activations.js'

export type SupervisorLogic = typeof supervisorMachine

type SupervisorEvent = EventFromLogic<SupervisorLogic>

/** XState tells of an actor's end under a name that ends in the actor's id, here a number. Those of what a state invokes are fixed. */
const OWN_NAME = /\.\d+$/

export function createSupervisorLogic(activations: Activations, logger: Logger, sweep: () => Promise<void>): SupervisorLogic {
  const machine = supervisorMachine.provide({
    actors: { sweep: fromPromise(sweep) },
    actions: {
      adopt: ({ self }) => activations.adopt(self),
      abandon: () => activations.abandon(),
      retire: (_, { actorId, ending }) => activations.retire(actorId, ending),
      trim: () => activations.trim(),
      trimSubject: (_, { subject }) => activations.trimSubject(subject),
      reportSweepFailure: (_, { error }) => logger.error({ err: error }, 'A sweep failed')
    }
  })
  // A machine keeps for each name of an event what its states do about it, and never forgets one: a name an actor would add up for ever.
  return Object.assign(Object.create(machine) as SupervisorLogic, {
    transition: (...[snapshot, event, scope]: Parameters<SupervisorLogic['transition']>) =>
      machine.transition(snapshot, withSharedName(event), scope)
  })
}

/** Who ended stands in `actorId`. */
function withSharedName(event: SupervisorEvent): SupervisorEvent {
  return 'actorId' in event ? ({ ...event, type: event.type.replace(OWN_NAME, '.any') } as SupervisorEvent) : event
}
