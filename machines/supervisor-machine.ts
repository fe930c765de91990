/** Watches the actors of one kind: takes note of each end, and gives up when failures come too thick. */
import { assign, setup, type DoneActorEvent, type ErrorActorEvent } from 'xstate'
import type { LifecycleReply } from './lifecycle-machine.js'
import { recordFailure, type RestartIntensity } from '../src/domain/restart-intensity.js'

/** Twenty failures of any actors in 30 s are not one actor's fault. */
export const SUPERVISOR_INTENSITY: RestartIntensity = { failuresMax: 20, windowMs: 30_000 }

/** More microsteps than this in one transition are an endless loop; the longest real one takes two. */
const MICROSTEPS_MAX = 20

export type SupervisorCommand =
  /** A failure, with the time that XState's own report does not carry. */
  | { readonly type: 'failure.note'; readonly atMs: number }
  | { readonly type: 'supervisor.stop' }
  | DoneActorEvent<LifecycleReply>
  | ErrorActorEvent

/** How a supervisor ended: the output of its machine. */
export type SupervisorReply = { readonly type: 'supervisor.overwhelmed' } | { readonly type: 'supervisor.stopped' }

interface SupervisorContext {
  /** Monotonic milliseconds, bounded by the intensity. */
  readonly failedAtMs: readonly number[]
  readonly ending: SupervisorReply
}

/** The machine without its effects: `provide` gives them. */
export const supervisorMachine = setup({
  types: { context: {} as SupervisorContext, events: {} as SupervisorCommand, output: {} as SupervisorReply },
  actions: {
    /** Makes the supervisor the parent of every actor started from now on. */
    adopt: () => {},
    /** Stops every actor where it is; their records are taken up again from storage. */
    abandon: () => {},
    retire: (_, _params: { readonly actorId: string; readonly ending: LifecycleReply }) => {},
    noteFailure: assign({
      failedAtMs: ({ context }, { atMs }: { readonly atMs: number }) =>
        recordFailure(context.failedAtMs, atMs, SUPERVISOR_INTENSITY).failedAtMs
    }),
    noteStopping: assign({ ending: { type: 'supervisor.stopped' } })
  },
  guards: {
    failuresAreTooMany: ({ context }, { atMs }: { readonly atMs: number }) =>
      recordFailure(context.failedAtMs, atMs, SUPERVISOR_INTENSITY).isExceeded
  }
}).createMachine({
  id: 'supervisor',
  options: { maxIterations: MICROSTEPS_MAX },
  context: { failedAtMs: [], ending: { type: 'supervisor.overwhelmed' } },
  output: ({ context }) => context.ending,
  initial: 'running',
  states: {
    running: {
      entry: 'adopt',
      exit: 'abandon',
      on: {
        'xstate.done.actor.*': {
          actions: { type: 'retire', params: ({ event }) => ({ actorId: event.actorId, ending: event.output }) }
        },
        'xstate.error.actor.*': {
          actions: {
            type: 'retire',
            params: ({ event }) => ({ actorId: event.actorId, ending: { type: 'actor.failed', error: event.error } })
          }
        },
        'failure.note': [
          {
            guard: { type: 'failuresAreTooMany', params: ({ event }) => ({ atMs: event.atMs }) },
            target: 'overwhelmed'
          },
          { actions: { type: 'noteFailure', params: ({ event }) => ({ atMs: event.atMs }) } }
        ],
        'supervisor.stop': { target: 'stopped', actions: 'noteStopping' }
      }
    },
    overwhelmed: { type: 'final' },
    stopped: { type: 'final' }
  }
})
