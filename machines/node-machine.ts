/**
 * The root of all actors of a process: starting, running, draining, passivating, stopped; failed when its supervisors keep giving up.
 * Beneath it are the supervisors and, of one of several nodes, the membership among them.
 */
import { type AnyActorRef, assign, type DoneActorEvent, type ErrorActorEvent, fromPromise, setup } from 'xstate'
import { DRAIN_MS_MAX } from '../src/domain/limits.js'
import { recordFailure, type RestartIntensity } from '../src/domain/restart-intensity.js'

/** Three supervisors giving up within a minute: the process is sick, and its own supervisor has to replace it. */
const ROOT_INTENSITY: RestartIntensity = { failuresMax: 3, windowMs: 60_000 }

/** Milliseconds between two looks at what is due: times on the wire are seconds, and so are the shortest intervals asked for. */
const TICK_MS = 1_000

/** More microsteps than this in one transition are an endless loop; the longest real one takes two. */
const MICROSTEPS_MAX = 20

export type NodeCommand =
  /** `limitMs`: milliseconds, at least 0, that work in flight is waited for. */
  | { readonly type: 'node.drain'; readonly limitMs: number }
  /** Nothing is in flight any more. */
  | { readonly type: 'work.finish' }
  /** A supervisor ended, with the time that XState's own report does not carry. */
  | { readonly type: 'failure.note'; readonly supervisorId: string; readonly atMs: number }
  | DoneActorEvent
  | ErrorActorEvent

export interface NodeInput {
  /** Milliseconds between two sweeps of the storage. */
  readonly sweepMs: number
}

interface NodeContext extends NodeInput {
  /** Monotonic milliseconds, bounded by the intensity. */
  readonly failedAtMs: readonly number[]
}

const notProvided = (): Promise<never> => Promise.reject(new Error('This effect is not provided'))

/** The machine without its effects: `provide` gives them. */
export const nodeMachine = setup({
  types: { context: {} as NodeContext, events: {} as NodeCommand, input: {} as NodeInput },
  actors: {
    /** Finds out whether the node can work at all. */
    startup: fromPromise<void>(notProvided),
    /** Starts the membership beneath the node, and awaits that the others know of it. One that is alone is done at once. */
    joining: fromPromise<void, { readonly node: AnyActorRef }>(notProvided),
    /** Ends every actor and whatever they used. */
    passivation: fromPromise<void>(notProvided)
  },
  actions: {
    startSupervisors: () => {},
    stopSupervisors: () => {},
    /** Says goodbye to the other nodes. */
    leaveNodes: () => {},
    restartSupervisor: (_, _params: { readonly supervisorId: string }) => {},
    reportSupervisorEnd: (_, _params: { readonly supervisorId: string }) => {},
    reportFailure: (_, _params: { readonly error: unknown }) => {},
    openDoors: () => {},
    closeDoors: () => {},
    awaitWork: () => {},
    tick: () => {},
    /** Clears what the storage need not keep any longer. The actors are swept by their supervisors. */
    sweepStorage: () => {},
    noteFailure: assign({
      failedAtMs: ({ context }, { atMs }: { readonly atMs: number }) => recordFailure(context.failedAtMs, atMs, ROOT_INTENSITY).failedAtMs
    })
  },
  guards: {
    failuresAreTooMany: ({ context }, { atMs }: { readonly atMs: number }) =>
      recordFailure(context.failedAtMs, atMs, ROOT_INTENSITY).isExceeded
  },
  delays: {
    tickInterval: TICK_MS,
    sweepInterval: ({ context }) => context.sweepMs,
    drainLimit: ({ event }) => (event.type === 'node.drain' ? event.limitMs : DRAIN_MS_MAX)
  }
}).createMachine({
  id: 'node',
  options: { maxIterations: MICROSTEPS_MAX },
  context: ({ input }) => ({ sweepMs: input.sweepMs, failedAtMs: [] }),
  initial: 'starting',
  states: {
    starting: {
      invoke: {
        src: 'startup',
        onDone: 'serving',
        onError: { target: 'failed', actions: { type: 'reportFailure', params: ({ event }) => ({ error: event.error }) } }
      },
      on: { 'node.drain': 'stopped' }
    },
    serving: {
      entry: 'startSupervisors',
      // The node that takes over what is here finds nobody at work at it.
      exit: ['stopSupervisors', 'leaveNodes'],
      initial: 'running',
      on: {
        // Without its membership it knows no more what is its own.
        'xstate.error.actor.membership': {
          target: 'failed',
          actions: { type: 'reportFailure', params: ({ event }) => ({ error: event.error }) }
        },
        'xstate.done.actor.*': { actions: { type: 'reportSupervisorEnd', params: ({ event }) => ({ supervisorId: event.actorId }) } },
        'xstate.error.actor.*': { actions: { type: 'reportSupervisorEnd', params: ({ event }) => ({ supervisorId: event.actorId }) } },
        'failure.note': [
          { guard: { type: 'failuresAreTooMany', params: ({ event }) => ({ atMs: event.atMs }) }, target: 'failed' },
          {
            actions: [
              { type: 'noteFailure', params: ({ event }) => ({ atMs: event.atMs }) },
              { type: 'restartSupervisor', params: ({ event }) => ({ supervisorId: event.supervisorId }) }
            ]
          }
        ]
      },
      states: {
        running: {
          entry: 'openDoors',
          exit: 'closeDoors',
          on: { 'node.drain': 'draining' },
          type: 'parallel',
          states: {
            // The doors are open before the others hear of them.
            belonging: {
              initial: 'joining',
              states: {
                joining: {
                  invoke: {
                    src: 'joining',
                    input: ({ self }) => ({ node: self }),
                    onDone: 'joined',
                    onError: { target: '#node.failed', actions: { type: 'reportFailure', params: ({ event }) => ({ error: event.error }) } }
                  }
                },
                joined: {}
              }
            },
            ticking: {
              initial: 'resting',
              states: { resting: { after: { tickInterval: { target: 'resting', reenter: true, actions: 'tick' } } } }
            },
            sweeping: {
              initial: 'resting',
              states: { resting: { after: { sweepInterval: { target: 'resting', reenter: true, actions: 'sweepStorage' } } } }
            }
          }
        },
        draining: {
          entry: 'awaitWork',
          on: { 'work.finish': 'passivating' },
          after: { drainLimit: 'passivating' }
        },
        passivating: {
          invoke: {
            src: 'passivation',
            onDone: '#node.stopped',
            onError: { target: '#node.failed', actions: { type: 'reportFailure', params: ({ event }) => ({ error: event.error }) } }
          }
        }
      }
    },
    stopped: { type: 'final' },
    failed: { type: 'final' }
  }
})
