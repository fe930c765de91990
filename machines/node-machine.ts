/**
 * Root of all actors of a process: starting, running, draining, passivating, stopped; failed when its supervisors keep giving up. Its
 * children are the supervisors and, where there are several nodes, the membership.
 */
import { type AnyActorRef, assign, type DoneActorEvent, type ErrorActorEvent, fromPromise, setup } from 'xstate'
import { DRAIN_MS_MAX } from '../src/domain/limits.js'
import { recordFailure, type RestartIntensity } from '../src/domain/nodes/restart-intensity.js'
import { MICROSTEPS_MAX, notProvided } from './setup-parts.js'

/** Three supervisors that give up within a minute mean that the process itself is at fault, and has to be replaced from outside. */
const ROOT_INTENSITY: RestartIntensity = { failuresMax: 3, windowMs: 60_000 }

/** Milliseconds between two checks of what is due by the clock: times on the wire, and the shortest intervals of clients, are seconds. */
const TICK_MS = 1_000

type NodeCommand =
  /** `limitMs`: milliseconds, at least 0, to wait for work in flight. */
  | { readonly type: 'node.drain'; readonly limitMs: number }
  /** No work is in flight any more. */
  | { readonly type: 'work.finish' }
  /** A supervisor ended. Carries the time, which XState's own event lacks. */
  | { readonly type: 'failure.note'; readonly supervisorId: string; readonly atMs: number }
  | DoneActorEvent
  | ErrorActorEvent

interface NodeInput {
  /** Milliseconds between two sweeps of the storage. */
  readonly sweepMs: number
}

interface NodeContext extends NodeInput {
  /** Monotonic milliseconds, bounded by the intensity. */
  readonly failedAtMs: readonly number[]
}

/** The machine without its effects: `provide` adds them. */
export const nodeMachine = setup({
  types: { context: {} as NodeContext, events: {} as NodeCommand, input: {} as NodeInput },
  actors: {
    /** Checks whether the node can work at all. */
    startup: fromPromise<void>(notProvided),
    /** Starts the membership as a child of the node, and waits until the others know of it. Done at once on a single node. */
    joining: fromPromise<void, { readonly node: AnyActorRef }>(notProvided),
    /** Passivates every actor, and closes what they used. */
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
    /** Removes what storage no longer needs. Actors are swept by their supervisors. */
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
      // Supervisors stop before the goodbye: no actor here works any more when another node takes over.
      exit: ['stopSupervisors', 'leaveNodes'],
      initial: 'running',
      on: {
        // Without its membership, the node no longer knows what it owns.
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
            // Joining comes after `openDoors`: asks are answered before the other nodes know of this one.
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
