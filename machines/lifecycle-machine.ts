/**
 * How an actor lives, whatever it is: absent, activating, active with its output gate
 * settled or committing, then evicted, deleted, fenced or failed. Pure decisions; the IO is in actors/lifecycle-logic.ts.
 */
import { assign, fromPromise, setup } from 'xstate'

/** More microsteps than this in one transition are an endless loop; the longest real one takes three. */
const MICROSTEPS_MAX = 20

export type LifecycleCommand =
  | { readonly type: 'actor.activate' }
  /** Runs one command of the behaviour. `job` is opaque here. */
  | { readonly type: 'step.run'; readonly job: object }
  /** A step left something that storage has not confirmed yet: changes, or a read of what may have another writer by now. */
  | { readonly type: 'changes.commit' }
  /** A step asked for the record's end. */
  | { readonly type: 'record.remove' }
  | { readonly type: 'actor.passivate' }
  /** Somebody else owns the address now: stop at once and write nothing. */
  | { readonly type: 'actor.fence' }

/** How an actor ended: the output of its machine. */
export type LifecycleReply =
  /** Nothing is stored and no command may make it. */
  | { readonly type: 'actor.missed' }
  | { readonly type: 'actor.evicted' }
  | { readonly type: 'actor.deleted' }
  | { readonly type: 'actor.fenced' }
  | { readonly type: 'actor.failed'; readonly error: unknown }

export interface LifecycleInput {
  /** Everything large or mutable lives behind this handle, outside the machine's context. */
  readonly cell: object
}

interface LifecycleContext {
  readonly cell: object
  /** What the commit under way will be followed by. A removal swallows a commit: it drops what that would write. */
  readonly following: 'nothing' | 'commit' | 'removal'
  readonly isPassivationAwaited: boolean
  readonly ending: LifecycleReply
}

interface EffectInput {
  readonly cell: object
}

const notProvided = (): Promise<never> => Promise.reject(new Error('This effect is not provided'))

/** The machine without its effects: `provide` gives them. */
export const lifecycleMachine = setup({
  types: {
    context: {} as LifecycleContext,
    events: {} as LifecycleCommand,
    input: {} as LifecycleInput,
    output: {} as LifecycleReply
  },
  actors: {
    /** Reads or makes the record; false when there is none to be had. */
    activation: fromPromise<boolean, EffectInput>(notProvided),
    commit: fromPromise<void, EffectInput>(notProvided),
    removal: fromPromise<void, EffectInput>(notProvided),
    release: fromPromise<void, EffectInput>(notProvided)
  },
  actions: {
    runStep: (_, _params: { readonly job: object }) => {},
    openMailbox: () => {},
    closeMailbox: () => {},
    /** Lets the replies go whose effects the finished write made durable. */
    releaseReplies: () => {},
    reportReleaseFailure: (_, _params: { readonly error: unknown }) => {},
    clearFollowing: assign({ following: 'nothing' }),
    noteChanges: assign({ following: ({ context }) => (context.following === 'removal' ? 'removal' : 'commit') }),
    noteRemoval: assign({ following: 'removal' }),
    notePassivation: assign({ isPassivationAwaited: true }),
    noteEnding: assign({ ending: (_, params: { readonly ending: LifecycleReply }) => params.ending }),
    noteFailure: assign({ ending: (_, params: { readonly error: unknown }) => ({ type: 'actor.failed', error: params.error }) })
  },
  guards: {
    recordIsPresent: (_, isPresent: boolean) => isPresent,
    removalIsAwaited: ({ context }) => context.following === 'removal',
    changesAreAwaited: ({ context }) => context.following === 'commit',
    passivationIsAwaited: ({ context }) => context.isPassivationAwaited,
    writerWasFenced: (_, params: { readonly error: unknown }) => codeOf(params.error) === 'fenced'
  }
}).createMachine({
  id: 'lifecycle',
  options: { maxIterations: MICROSTEPS_MAX },
  context: ({ input }) => ({ cell: input.cell, following: 'nothing', isPassivationAwaited: false, ending: { type: 'actor.evicted' } }),
  output: ({ context }) => context.ending,
  initial: 'absent',
  on: { 'actor.fence': '.fenced' },
  states: {
    absent: {
      on: { 'actor.activate': 'activating', 'actor.passivate': 'evicted' }
    },
    activating: {
      invoke: {
        src: 'activation',
        input: ({ context }) => ({ cell: context.cell }),
        onDone: [
          { guard: { type: 'recordIsPresent', params: ({ event }) => event.output }, target: 'active' },
          { target: 'missing' }
        ],
        onError: [
          { guard: { type: 'writerWasFenced', params: ({ event }) => ({ error: event.error }) }, target: 'fenced' },
          { target: 'failed', actions: { type: 'noteFailure', params: ({ event }) => ({ error: event.error }) } }
        ]
      },
      on: { 'actor.passivate': { actions: 'notePassivation' } }
    },
    active: {
      entry: 'openMailbox',
      exit: 'closeMailbox',
      initial: 'settled',
      on: { 'step.run': { actions: { type: 'runStep', params: ({ event }) => ({ job: event.job }) } } },
      states: {
        settled: {
          always: { guard: 'passivationIsAwaited', target: '#lifecycle.passivating' },
          on: {
            'changes.commit': 'committing',
            'record.remove': '#lifecycle.deleting',
            'actor.passivate': '#lifecycle.passivating'
          }
        },
        committing: {
          entry: 'clearFollowing',
          invoke: {
            src: 'commit',
            input: ({ context }) => ({ cell: context.cell }),
            onDone: [
              { guard: 'removalIsAwaited', target: '#lifecycle.deleting', actions: 'releaseReplies' },
              { guard: 'changesAreAwaited', target: 'committing', reenter: true, actions: 'releaseReplies' },
              { target: 'settled', actions: 'releaseReplies' }
            ],
            onError: [
              { guard: { type: 'writerWasFenced', params: ({ event }) => ({ error: event.error }) }, target: '#lifecycle.fenced' },
              {
                target: '#lifecycle.failed',
                actions: { type: 'noteFailure', params: ({ event }) => ({ error: event.error }) }
              }
            ]
          },
          on: {
            'changes.commit': { actions: 'noteChanges' },
            'record.remove': { actions: ['noteRemoval', 'closeMailbox'] },
            'actor.passivate': { actions: 'notePassivation' }
          }
        }
      }
    },
    passivating: {
      invoke: {
        src: 'release',
        input: ({ context }) => ({ cell: context.cell }),
        onDone: 'evicted',
        // Nothing is lost: what was acknowledged is stored, and another owner's record is not ours to release.
        onError: { target: 'evicted', actions: { type: 'reportReleaseFailure', params: ({ event }) => ({ error: event.error }) } }
      }
    },
    deleting: {
      invoke: {
        src: 'removal',
        input: ({ context }) => ({ cell: context.cell }),
        onDone: { target: 'deleted', actions: 'releaseReplies' },
        onError: [
          { guard: { type: 'writerWasFenced', params: ({ event }) => ({ error: event.error }) }, target: 'fenced' },
          { target: 'failed', actions: { type: 'noteFailure', params: ({ event }) => ({ error: event.error }) } }
        ]
      }
    },
    missing: { type: 'final', entry: { type: 'noteEnding', params: { ending: { type: 'actor.missed' } } } },
    evicted: { type: 'final', entry: { type: 'noteEnding', params: { ending: { type: 'actor.evicted' } } } },
    deleted: { type: 'final', entry: { type: 'noteEnding', params: { ending: { type: 'actor.deleted' } } } },
    fenced: { type: 'final', entry: { type: 'noteEnding', params: { ending: { type: 'actor.fenced' } } } },
    failed: { type: 'final' }
  }
})

/** The code of an expected refusal, whichever module's class it is. */
function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}
