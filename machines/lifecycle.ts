/**
 * How an actor lives, whatever its kind: absent, reading, creating or rehydrating, active with its output gate settled or committing,
 * passivating, evicted and back again, or at one of its ends. Written once, for the machines of all kinds to be made of. Pure decisions;
 * the IO is in actors/runtime/lifecycle-logic.ts.
 *
 * What an actor is about while it is active has a chart of its own, `active` with a chart beside it is `chartedState`: a machine that
 * runs as a child for as long as the actor is active. To give a kind one: write the machine (as machines/mind-machine.ts, without a
 * context, its actions being tasks for a step); make its kind of `chartedState`; keep a `createStateChart` of it with the state, at the
 * value that the record tells; and name both in `chart` of the behaviour. A step tells it what happens (`tell`) before it changes
 * anything itself, does the actions that come back, and stores the value with the record.
 */
import { type AnyEventObject, assign, type ErrorActorEvent, fromPromise, fromTransition, setup } from 'xstate'

/** More microsteps than this in one transition are an endless loop; the longest real one takes three. */
const MICROSTEPS_MAX = 20

export type LifecycleCommand =
  | { readonly type: 'actor.activate' }
  /** Runs one command of the behaviour: the job of this number. An event holds nothing large, as the context does not. */
  | { readonly type: 'step.run'; readonly job: number }
  /** A step went wrong in a way that no refusal says: what is in memory cannot be trusted any more. */
  | { readonly type: 'step.fail'; readonly error: unknown }
  /** A step left something that storage has not confirmed yet: changes, or a read of what may have another writer by now. */
  | { readonly type: 'changes.commit' }
  /** The commit under way is durable. */
  | { readonly type: 'commit.finish' }
  | { readonly type: 'commit.fail'; readonly error: unknown }
  /** A step asked for the record's end. */
  | { readonly type: 'record.remove' }
  | { readonly type: 'actor.passivate' }
  /** Somebody waits for an actor that was evicted: it comes back, with nothing of what it had in memory. */
  | { readonly type: 'actor.revive'; readonly cell: object }
  /** Nobody does. */
  | { readonly type: 'actor.forget' }
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

/** What a rehydration brought back. */
export interface Rehydration {
  /** Memories of a session; of another kind, rows of its record. */
  readonly size: number
  readonly durationMs: number
}

/** `overtaken`: another writer made the record first. `missing`: no command that waits may make it. */
export type Creation = 'made' | 'missing' | 'overtaken'

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

/** What every kind's machine may name. Its effects are not in it: `provide` gives them. */
export const lifecycleSetup = setup({
  types: {
    context: {} as LifecycleContext,
    events: {} as LifecycleCommand,
    input: {} as LifecycleInput,
    output: {} as LifecycleReply
  },
  actors: {
    /** Looks whether there is a record, without taking it over; true when there may be one. */
    reading: fromPromise<boolean, EffectInput>(notProvided),
    /** Lets the first waiting command that may make a record do so. */
    creation: fromPromise<Creation, EffectInput>(notProvided),
    /** Takes the record over and rebuilds the state of it; null when it is gone. */
    rehydration: fromPromise<Rehydration | null, EffectInput>(notProvided),
    removal: fromPromise<void, EffectInput>(notProvided),
    release: fromPromise<void, EffectInput>(notProvided),
    /** The chart of what the actor is about. It has no end of its own. Default: one that says nothing. */
    chart: fromTransition(
      (none: null, _: AnyEventObject) => none,
      (_: { readonly input: EffectInput }) => null
    )
  },
  actions: {
    reportActivation: () => {},
    reportRehydration: (_, _params: Rehydration) => {},
    /** Gives back the place among those that read at the same time. */
    releasePermit: () => {},
    runStep: (_, _params: { readonly job: number }) => {},
    openMailbox: () => {},
    closeMailbox: () => {},
    /** Starts the write of what was gathered; `commit.finish` or `commit.fail` tells of its end. */
    beginCommit: () => {},
    /** Lets the replies go whose effects the finished write made durable. */
    releaseReplies: () => {},
    /** Drops what is in memory, and tells whether somebody waits: `actor.revive` or `actor.forget`. */
    putAway: () => {},
    reportReleaseFailure: (_, _params: { readonly error: unknown }) => {},
    clearFollowing: assign({ following: 'nothing' }),
    noteChanges: assign({ following: ({ context }) => (context.following === 'removal' ? 'removal' : 'commit') }),
    noteRemoval: assign({ following: 'removal' }),
    notePassivation: assign({ isPassivationAwaited: true }),
    beginAnew: assign({ cell: (_, params: { readonly cell: object }) => params.cell, isPassivationAwaited: false }),
    noteEnding: assign({ ending: (_, params: { readonly ending: LifecycleReply }) => params.ending }),
    noteFailure: assign({ ending: (_, params: { readonly error: unknown }) => ({ type: 'actor.failed' as const, error: params.error }) })
  },
  guards: {
    recordMayExist: (_, mayExist: boolean) => mayExist,
    recordIsPresent: (_, rehydration: Rehydration | null) => rehydration !== null,
    recordIsMade: (_, creation: Creation) => creation === 'made',
    creationWasOvertaken: (_, creation: Creation) => creation === 'overtaken',
    removalIsAwaited: ({ context }) => context.following === 'removal',
    changesAreAwaited: ({ context }) => context.following === 'commit',
    passivationIsAwaited: ({ context }) => context.isPassivationAwaited,
    writerWasFenced: (_, params: { readonly error: unknown }) => codeOf(params.error) === 'fenced'
  }
})

const cellOf = ({ context }: { readonly context: LifecycleContext }): EffectInput => ({ cell: context.cell })
const errorOf = ({ event }: { readonly event: { readonly error: unknown } | ErrorActorEvent }) => ({ error: event.error })

/** What any effect that fails ends the actor with. */
const ENDS_ON_ERROR = [
  { guard: { type: 'writerWasFenced', params: errorOf }, target: '#fenced' },
  { target: '#failed', actions: { type: 'noteFailure', params: errorOf } }
] as const

const ending = (reply: LifecycleReply) => ({ type: 'noteEnding', params: { ending: reply } }) as const

const activating = lifecycleSetup.createStateConfig({
  initial: 'reading',
  entry: 'reportActivation',
  exit: 'releasePermit',
  on: { 'actor.passivate': { actions: 'notePassivation' } },
  states: {
    reading: {
      invoke: {
        src: 'reading',
        input: cellOf,
        onDone: [{ guard: { type: 'recordMayExist', params: ({ event }) => event.output }, target: 'rehydrating' }, { target: 'creating' }],
        onError: ENDS_ON_ERROR
      }
    },
    rehydrating: {
      invoke: {
        src: 'rehydration',
        input: cellOf,
        onDone: [
          {
            guard: { type: 'recordIsPresent', params: ({ event }) => event.output },
            target: '#active',
            actions: { type: 'reportRehydration', params: ({ event }) => event.output ?? NOTHING }
          },
          { target: 'creating' }
        ],
        onError: ENDS_ON_ERROR
      }
    },
    creating: {
      invoke: {
        src: 'creation',
        input: cellOf,
        onDone: [
          { guard: { type: 'recordIsMade', params: ({ event }) => event.output }, target: '#active' },
          { guard: { type: 'creationWasOvertaken', params: ({ event }) => event.output }, target: 'reading' },
          { target: '#missing' }
        ],
        onError: ENDS_ON_ERROR
      }
    }
  }
})

const NOTHING: Rehydration = { size: 0, durationMs: 0 }

/** What is the same while an actor is active. A kind adds the charts that run meanwhile. */
export const activeState = lifecycleSetup.createStateConfig({
  id: 'active',
  entry: 'openMailbox',
  exit: 'closeMailbox',
  initial: 'settled',
  on: {
    'step.run': { actions: { type: 'runStep', params: ({ event }) => ({ job: event.job }) } },
    'step.fail': { target: '#failed', actions: { type: 'noteFailure', params: errorOf } }
  },
  states: {
    settled: {
      always: { guard: 'passivationIsAwaited', target: '#passivating' },
      on: { 'changes.commit': 'committing', 'record.remove': '#deleting', 'actor.passivate': '#passivating' }
    },
    // No effect that is invoked: that costs more than all the rest of a run, and this one ends with its actor anyway.
    committing: {
      entry: ['clearFollowing', 'beginCommit'],
      on: {
        'commit.finish': [
          { guard: 'removalIsAwaited', target: '#deleting', actions: 'releaseReplies' },
          { guard: 'changesAreAwaited', target: 'committing', reenter: true, actions: 'releaseReplies' },
          { target: 'settled', actions: 'releaseReplies' }
        ],
        'commit.fail': ENDS_ON_ERROR,
        'changes.commit': { actions: 'noteChanges' },
        'record.remove': { actions: ['noteRemoval', 'closeMailbox'] },
        'actor.passivate': { actions: 'notePassivation' }
      }
    }
  }
})

/** The same for a kind that has a chart of its own, which runs meanwhile. A chart that fails is a fault, and ends the actor. */
export const chartedState = lifecycleSetup.createStateConfig({
  ...activeState,
  invoke: { id: 'chart', src: 'chart', input: cellOf, onError: { target: '#failed', actions: { type: 'noteFailure', params: errorOf } } }
})

const passivating = lifecycleSetup.createStateConfig({
  id: 'passivating',
  invoke: {
    src: 'release',
    input: cellOf,
    onDone: '#evicted',
    // Nothing is lost: what was acknowledged is stored, and another owner's record is not ours to release.
    onError: { target: '#evicted', actions: { type: 'reportReleaseFailure', params: errorOf } }
  }
})

const deleting = lifecycleSetup.createStateConfig({
  id: 'deleting',
  invoke: { src: 'removal', input: cellOf, onDone: { target: '#deleted', actions: 'releaseReplies' }, onError: ENDS_ON_ERROR }
})

/** All states but `active`, which is each kind's own. */
export const inactiveStates = {
  absent: lifecycleSetup.createStateConfig({ on: { 'actor.activate': 'activating' } }),
  activating,
  passivating,
  // Put away. Who was sent something meanwhile comes back; of the others the address is all that stays, in the storage.
  evicted: lifecycleSetup.createStateConfig({
    id: 'evicted',
    entry: 'putAway',
    on: {
      'actor.revive': { target: 'activating', actions: { type: 'beginAnew', params: ({ event }) => ({ cell: event.cell }) } },
      'actor.forget': 'forgotten'
    }
  }),
  deleting,
  // An eviction is what an actor ends with unless something else was noted.
  forgotten: lifecycleSetup.createStateConfig({ type: 'final' }),
  missing: lifecycleSetup.createStateConfig({ id: 'missing', type: 'final', entry: ending({ type: 'actor.missed' }) }),
  deleted: lifecycleSetup.createStateConfig({ id: 'deleted', type: 'final', entry: ending({ type: 'actor.deleted' }) }),
  fenced: lifecycleSetup.createStateConfig({ id: 'fenced', type: 'final', entry: ending({ type: 'actor.fenced' }) }),
  failed: lifecycleSetup.createStateConfig({ id: 'failed', type: 'final' })
} as const

/** What a kind's machine has beside its states. */
export const lifecycleConfig = {
  options: { maxIterations: MICROSTEPS_MAX },
  context: ({ input }: { readonly input: LifecycleInput }): LifecycleContext => ({
    cell: input.cell,
    following: 'nothing',
    isPassivationAwaited: false,
    ending: { type: 'actor.evicted' }
  }),
  output: ({ context }: { readonly context: LifecycleContext }): LifecycleReply => context.ending,
  initial: 'absent',
  on: { 'actor.fence': '.fenced' }
} as const

/** The code of an expected refusal, whichever module's class it is. */
function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}
