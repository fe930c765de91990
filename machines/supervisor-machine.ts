/**
 * Watches the actors of one kind: takes note of each end, gives up when failures come too thick, and holds them to the idle time and to
 * the cap. The catalog knows when each was used; it puts away those that this machine names.
 */
import { assign, type DoneActorEvent, type ErrorActorEvent, fromPromise, setup } from 'xstate'
import { recordFailure, type RestartIntensity } from '../src/domain/restart-intensity.js'
import type { LifecycleReply } from './lifecycle.js'

/** Twenty failures of any actors in 30 s are not one actor's fault. */
export const SUPERVISOR_INTENSITY: RestartIntensity = { failuresMax: 20, windowMs: 30_000 }

/** More microsteps than this in one transition are an endless loop; the longest real one takes two. */
const MICROSTEPS_MAX = 20

export type SupervisorCommand =
  /** A failure, with the time that XState's own report does not carry. */
  | { readonly type: 'failure.note'; readonly atMs: number }
  /** There are more actors than the cap allows. */
  | { readonly type: 'cap.exceed' }
  /** There are no more than that again. */
  | { readonly type: 'cap.keep' }
  /** One subject has more, in number or bytes, than its own cap allows. */
  | { readonly type: 'share.exceed'; readonly subject: string }
  | { readonly type: 'supervisor.stop' }
  | DoneActorEvent<LifecycleReply>
  | ErrorActorEvent

/** How a supervisor ended: the output of its machine. */
export type SupervisorReply = { readonly type: 'supervisor.overwhelmed' } | { readonly type: 'supervisor.stopped' }

export interface SupervisorInput {
  /** Milliseconds between two sweeps for idle actors. */
  readonly sweepMs: number
}

interface SupervisorContext extends SupervisorInput {
  /** Monotonic milliseconds, bounded by the intensity. */
  readonly failedAtMs: readonly number[]
  readonly ending: SupervisorReply
}

const notProvided = (): Promise<never> => Promise.reject(new Error('This effect is not provided'))
const atMsOf = ({ event }: { readonly event: { readonly atMs: number } }) => ({ atMs: event.atMs })

/** The machine without its effects: `provide` gives them. */
export const supervisorMachine = setup({
  types: { context: {} as SupervisorContext, events: {} as SupervisorCommand, input: {} as SupervisorInput, output: {} as SupervisorReply },
  actors: {
    /** Puts away actors that have been idle for longer than their time to live. */
    sweep: fromPromise<void>(notProvided)
  },
  actions: {
    /** Makes the supervisor the parent of every actor started from now on. */
    adopt: () => {},
    /** Stops every actor where it is; their records are taken up again from storage. */
    abandon: () => {},
    retire: (_, _params: { readonly actorId: string; readonly ending: LifecycleReply }) => {},
    /** Puts the least recently used idle actors away, as many as there are too many. */
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
        // How long an actor may be idle.
        sweeping: {
          initial: 'resting',
          states: {
            resting: { after: { sweepInterval: 'sweeping' } },
            sweeping: {
              invoke: {
                src: 'sweep',
                onDone: 'resting',
                // Actors that are still idle at the next one go then.
                onError: { target: 'resting', actions: { type: 'reportSweepFailure', params: ({ event }) => ({ error: event.error }) } }
              }
            }
          }
        },
        // How many there may be.
        trimming: {
          initial: 'resting',
          on: { 'share.exceed': { actions: { type: 'trimSubject', params: ({ event }) => ({ subject: event.subject }) } } },
          states: {
            resting: { on: { 'cap.exceed': 'trimming' } },
            // Until those that have to go are gone: an actor that works or writes takes its time.
            trimming: { entry: 'trim', on: { 'cap.exceed': { actions: 'trim' }, 'cap.keep': 'resting' } }
          }
        }
      }
    },
    overwhelmed: { id: 'overwhelmed', type: 'final' },
    stopped: { type: 'final' }
  }
})
