/**
 * Supervisor of the actors of one kind: handles each end, gives up when failures are too frequent, and triggers the sweep of idle actors
 * and the trimming to the cap. The catalog, which knows when each actor was used, chooses the actors and passivates them.
 */
import { assign, type DoneActorEvent, type ErrorActorEvent, fromPromise, setup } from 'xstate'
import { recordFailure, type RestartIntensity } from '../src/domain/nodes/restart-intensity.js'
import { MICROSTEPS_MAX, notProvided } from './setup-parts.js'
import type { LifecycleReply } from './lifecycle.js'

/** Twenty failures of any actors within 30 s are not the fault of one actor. */
export const SUPERVISOR_INTENSITY: RestartIntensity = { failuresMax: 20, windowMs: 30_000 }

type SupervisorCommand =
  /** A failure. Carries the time, which XState's own event lacks. */
  | { readonly type: 'failure.note'; readonly atMs: number }
  /** There are more actors than the cap allows. */
  | { readonly type: 'cap.exceed' }
  /** The number of actors is back within the cap. */
  | { readonly type: 'cap.keep' }
  /** One subject exceeds its own cap, in number or in bytes. */
  | { readonly type: 'share.exceed'; readonly subject: string }
  | { readonly type: 'supervisor.stop' }
  | DoneActorEvent<LifecycleReply>
  | ErrorActorEvent

/** How a supervisor ended: the output of its machine. */
type SupervisorReply = { readonly type: 'supervisor.overwhelmed' } | { readonly type: 'supervisor.stopped' }

interface SupervisorInput {
  /** Milliseconds between two sweeps for idle actors. */
  readonly sweepMs: number
}

interface SupervisorContext extends SupervisorInput {
  /** Monotonic milliseconds, bounded by the intensity. */
  readonly failedAtMs: readonly number[]
  readonly ending: SupervisorReply
}

const atMsOf = ({ event }: { readonly event: { readonly atMs: number } }) => ({ atMs: event.atMs })

/** The machine without its effects: `provide` adds them. */
export const supervisorMachine = setup({
  types: { context: {} as SupervisorContext, events: {} as SupervisorCommand, input: {} as SupervisorInput, output: {} as SupervisorReply },
  actors: {
    /** Passivates actors that have been idle for longer than their time to live. */
    sweep: fromPromise<void>(notProvided)
  },
  actions: {
    /** Makes the supervisor the parent of every actor that starts from now on. */
    adopt: () => {},
    /** Ends every actor at once, unsaved. Later activations restore them from storage. */
    abandon: () => {},
    retire: (_, _params: { readonly actorId: string; readonly ending: LifecycleReply }) => {},
    /** Passivates as many of the least recently used idle actors as exceed the cap. */
    trim: () => {},
    trimSubject: (_, _params: { readonly subject: string }) => {},
    reportSweepFailure: (_, _params: { readonly error: unknown }) => {},
    noteFailure: assign({
      failedAtMs: ({ context }, { atMs }: { readonly atMs: number }) =>
        recordFailure(context.failedAtMs, atMs, SUPERVISOR_INTENSITY).failedAtMs
    }),
    noteStopping: assign({ ending: { type: 'supervisor.stopped' } })
  },
  guards: {
    failuresAreTooMany: ({ context }, { atMs }: { readonly atMs: number }) =>
      recordFailure(context.failedAtMs, atMs, SUPERVISOR_INTENSITY).isExceeded
  },
  delays: { sweepInterval: ({ context }) => context.sweepMs, failureWindow: SUPERVISOR_INTENSITY.windowMs }
}).createMachine({
  id: 'supervisor',
  options: { maxIterations: MICROSTEPS_MAX },
  context: ({ input }) => ({ sweepMs: input.sweepMs, failedAtMs: [], ending: { type: 'supervisor.overwhelmed' } }),
  output: ({ context }) => context.ending,
  initial: 'running',
  states: {
    running: {
      entry: 'adopt',
      exit: 'abandon',
      type: 'parallel',
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
        'supervisor.stop': { target: 'stopped', actions: 'noteStopping' }
      },
      states: {
        restarting: {
          initial: 'calm',
          states: {
            calm: { on: { 'failure.note': { target: 'alarmed', actions: { type: 'noteFailure', params: atMsOf } } } },
            alarmed: {
              after: { failureWindow: 'calm' },
              on: {
                'failure.note': [
                  { guard: { type: 'failuresAreTooMany', params: atMsOf }, target: '#overwhelmed' },
                  { target: 'alarmed', reenter: true, actions: { type: 'noteFailure', params: atMsOf } }
                ]
              }
            }
          }
        },
        // Enforces the idle time.
        sweeping: {
          initial: 'resting',
          states: {
            resting: { after: { sweepInterval: 'sweeping' } },
            sweeping: {
              invoke: {
                src: 'sweep',
                onDone: 'resting',
                // Not retried: the next sweep handles the actors that are still idle.
                onError: { target: 'resting', actions: { type: 'reportSweepFailure', params: ({ event }) => ({ error: event.error }) } }
              }
            }
          }
        },
        // Enforces the caps.
        trimming: {
          initial: 'resting',
          on: { 'share.exceed': { actions: { type: 'trimSubject', params: ({ event }) => ({ subject: event.subject }) } } },
          states: {
            resting: { on: { 'cap.exceed': 'trimming' } },
            // Until the number is back within the cap: an actor that works or writes leaves later.
            trimming: { entry: 'trim', on: { 'cap.exceed': { actions: 'trim' }, 'cap.keep': 'resting' } }
          }
        }
      }
    },
    overwhelmed: { id: 'overwhelmed', type: 'final' },
    stopped: { type: 'final' }
  }
})
