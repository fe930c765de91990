/**
 * Lifecycle of an actor of any kind: absent, reading, creating or rehydrating, active with its output gate settled or committing,
 * passivating, evicted and possibly revived, or at one of its ends. The machines of all kinds are built from these parts. Pure decisions;
 * the IO is in actors/runtime/lifecycle-logic.ts.
 *
 * A kind may have a chart of its domain state: a machine that runs as a child while the actor is active (`chartedState`). To add one: write
 * the machine (like machines/mind-machine.ts: without a context, its actions being tasks for a step); use `chartedState` for the kind's
 * `active` state; keep a `StateChart` of it in the actor's state, at the value that the record tells; and name both in `chart` of the
 * behaviour. A step sends its events to the chart (`tell`) before it changes anything itself, carries out the returned tasks, and stores
 * the chart's value in the record.
 */
import { type AnyEventObject, assign, type ErrorActorEvent, fromPromise, fromTransition, setup } from 'xstate'
import { MICROSTEPS_MAX, notProvided } from './setup-parts.js'

/** Events, like the context, hold nothing large. A step runs outside the machine, which is told what follows from it. */
export type LifecycleCommand =
  | { readonly type: 'actor.activate' }
  /** A step failed other than by a refusal: the state in memory cannot be trusted any more. */
  | { readonly type: 'step.fail'; readonly error: unknown }
  /** A step has left something that storage has to confirm: changes, or a read of a record that may have another writer by now. */
  | { readonly type: 'changes.commit' }
  /** The commit under way is durable. */
  | { readonly type: 'commit.finish' }
  | { readonly type: 'commit.fail'; readonly error: unknown }
  /** A step requested the removal of the record. */
  | { readonly type: 'record.remove' }
  | { readonly type: 'actor.passivate' }
  /** Commands wait for an evicted actor: it is activated again, with nothing of its former state in memory. */
  | { readonly type: 'actor.revive'; readonly activation: object }
  /** No commands wait for an evicted actor. */
  | { readonly type: 'actor.forget' }
  /** Another owner has the address now: stop at once and write nothing. */
  | { readonly type: 'actor.fence' }

/** How an actor ended: the output of its machine. */
export type LifecycleReply =
  /** There is no record, and no waiting command may create one. */
  | { readonly type: 'actor.missed' }
  | { readonly type: 'actor.evicted' }
  | { readonly type: 'actor.deleted' }
  | { readonly type: 'actor.fenced' }
  | { readonly type: 'actor.failed'; readonly error: unknown }

interface LifecycleInput {
  /** Everything large or mutable lives behind this handle, outside the machine's context. */
  readonly activation: object
}

/** Measures of a rehydration. */
export interface Rehydration {
  /** Number of memories of a session; for other kinds, number of rows of the record. */
  readonly size: number
  readonly durationMs: number
}

/** `overtaken`: another writer created the record first. `missing`: no waiting command may create it. */
export type Creation = 'made' | 'missing' | 'overtaken'

interface LifecycleContext extends LifecycleInput {
  /** Write that follows the commit under way. A removal replaces a commit, whose changes it would drop. */
  readonly following: 'nothing' | 'commit' | 'removal'
  readonly isPassivationAwaited: boolean
  readonly ending: LifecycleReply
}

/** Setup of every kind's machine, without effects: `provide` adds them. */
export const lifecycleSetup = setup({
  types: {
    context: {} as LifecycleContext,
    events: {} as LifecycleCommand,
    input: {} as LifecycleInput,
    output: {} as LifecycleReply
  },
  actors: {
    /** Checks whether there may be a record, without taking it over. */
    reading: fromPromise<boolean, LifecycleInput>(notProvided),
    /** Creates the record with the first waiting command that may create it, and with what that command does. */
    creation: fromPromise<Creation, LifecycleInput>(notProvided),
    /** Takes the record over and rebuilds the state from it; null if it is gone. */
    rehydration: fromPromise<Rehydration | null, LifecycleInput>(notProvided),
    removal: fromPromise<void, LifecycleInput>(notProvided),
    release: fromPromise<void, LifecycleInput>(notProvided),
    /** Chart of the actor's domain state. Does not end by itself. Default: a no-op. */
    chart: fromTransition(
      (none: null, _: AnyEventObject) => none,
      (_: { readonly input: LifecycleInput }) => null
    )
  },
  actions: {
    reportActivation: () => {},
    reportRehydration: (_, _params: Rehydration) => {},
    /** Releases the permit to read a record. */
    releasePermit: () => {},
    openMailbox: () => {},
    closeMailbox: () => {},
    /** Starts the write of the gathered changes; `commit.finish` or `commit.fail` reports its end. */
    beginCommit: () => {},
    /** Sends the replies whose effects the finished write made durable. */
    releaseReplies: () => {},
    /** Drops the state in memory, and reports whether commands wait: `actor.revive` or `actor.forget`. */
    putAway: () => {},
    reportReleaseFailure: (_, _params: { readonly error: unknown }) => {},
    clearFollowing: assign({ following: 'nothing' }),
    noteChanges: assign({ following: ({ context }) => (context.following === 'removal' ? 'removal' : 'commit') }),
    noteRemoval: assign({ following: 'removal' }),
    notePassivation: assign({ isPassivationAwaited: true }),
    beginAnew: assign({ activation: (_, params: { readonly activation: object }) => params.activation, isPassivationAwaited: false }),
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

const activationOf = ({ context }: { readonly context: LifecycleContext }): LifecycleInput => ({ activation: context.activation })
const errorOf = ({ event }: { readonly event: { readonly error: unknown } | ErrorActorEvent }) => ({ error: event.error })

/** Transitions of every effect that fails: they end the actor. */
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
        input: activationOf,
        onDone: [{ guard: { type: 'recordMayExist', params: ({ event }) => event.output }, target: 'rehydrating' }, { target: 'creating' }],
        onError: ENDS_ON_ERROR
      }
    },
    rehydrating: {
      invoke: {
        src: 'rehydration',
        input: activationOf,
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
    // Not counted among the reads: the command may wait for its preparation.
    creating: {
      entry: 'releasePermit',
      invoke: {
        src: 'creation',
        input: activationOf,
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

/** `active` state of a kind without a chart. */
export const activeState = lifecycleSetup.createStateConfig({
  id: 'active',
  entry: 'openMailbox',
  exit: 'closeMailbox',
  initial: 'settled',
  on: { 'step.fail': { target: '#failed', actions: { type: 'noteFailure', params: errorOf } } },
  states: {
    settled: {
      always: { guard: 'passivationIsAwaited', target: '#passivating' },
      on: { 'changes.commit': 'committing', 'record.remove': '#deleting', 'actor.passivate': '#passivating' }
    },
    // An action, not an invoked effect, which would cost more than all the rest of a run. The commit ends with its actor anyway.
    committing: {
      entry: 'beginCommit',
      on: {
        'commit.finish': [
          { guard: 'removalIsAwaited', target: '#deleting', actions: 'releaseReplies' },
          { guard: 'changesAreAwaited', target: 'committing', reenter: true, actions: ['releaseReplies', 'clearFollowing'] },
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

/** `active` state of a kind with a chart, which runs as a child. A failure of the chart ends the actor. */
export const chartedState = lifecycleSetup.createStateConfig({
  ...activeState,
  invoke: {
    id: 'chart',
    src: 'chart',
    input: activationOf,
    onError: { target: '#failed', actions: { type: 'noteFailure', params: errorOf } }
  }
})

const passivating = lifecycleSetup.createStateConfig({
  id: 'passivating',
  invoke: {
    src: 'release',
    input: activationOf,
    onDone: '#evicted',
    // Nothing is lost: acknowledged changes are stored, and a record with another owner need not be released here.
    onError: { target: '#evicted', actions: { type: 'reportReleaseFailure', params: errorOf } }
  }
})

const deleting = lifecycleSetup.createStateConfig({
  id: 'deleting',
  invoke: { src: 'removal', input: activationOf, onDone: { target: '#deleted', actions: 'releaseReplies' }, onError: ENDS_ON_ERROR }
})

/** All states except `active`, which depends on the kind. */
export const inactiveStates = {
  absent: lifecycleSetup.createStateConfig({ on: { 'actor.activate': 'activating' } }),
  activating,
  passivating,
  // Evicted. An actor that was sent commands meanwhile is activated again; of others only the record stays, in storage.
  evicted: lifecycleSetup.createStateConfig({
    id: 'evicted',
    entry: 'putAway',
    on: {
      'actor.revive': { target: 'activating', actions: { type: 'beginAnew', params: ({ event }) => ({ activation: event.activation }) } },
      'actor.forget': 'forgotten'
    }
  }),
  deleting,
  // The ending is `actor.evicted` unless another one was noted.
  forgotten: lifecycleSetup.createStateConfig({ type: 'final' }),
  missing: lifecycleSetup.createStateConfig({ id: 'missing', type: 'final', entry: ending({ type: 'actor.missed' }) }),
  deleted: lifecycleSetup.createStateConfig({ id: 'deleted', type: 'final', entry: ending({ type: 'actor.deleted' }) }),
  fenced: lifecycleSetup.createStateConfig({ id: 'fenced', type: 'final', entry: ending({ type: 'actor.fenced' }) }),
  failed: lifecycleSetup.createStateConfig({ id: 'failed', type: 'final' })
} as const

/** Configuration of a kind's machine without its states. */
export const lifecycleConfig = {
  options: { maxIterations: MICROSTEPS_MAX },
  context: ({ input }: { readonly input: LifecycleInput }): LifecycleContext => ({
    activation: input.activation,
    following: 'nothing',
    isPassivationAwaited: false,
    ending: { type: 'actor.evicted' }
  }),
  output: ({ context }: { readonly context: LifecycleContext }): LifecycleReply => context.ending,
  initial: 'absent',
  on: { 'actor.fence': '.fenced' }
} as const

/** Returns the code of an expected refusal, without depending on its class. */
function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}
