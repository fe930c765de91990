/** Starts, ends and replaces the activations of a catalog's entries. */
import { type AnyActorRef, createActor } from 'xstate'
import type { LifecycleReply } from '../../machines/lifecycle.js'
import { DomainError, isDomainError } from '../../src/domain/errors.js'
import { internalError, refusal } from '../behaviour/delivery.js'
import { traceActor, traceSystem } from '../behaviour/trace.js'
import type { Actors } from './actors.js'
import { type Activation, createActivation, type Entry, giveUpJobs, releasePermit } from './entry.js'
import { close, evict, isEvictable, isIrreplaceable, leaveRecord, setDormant, tidy } from './eviction.js'
import { createJobs, type Jobs } from './jobs.js'
import { createLifecycleLogic, dropState } from './lifecycle-logic.js'
import { abandonGate } from './output-gate.js'
import { createRestartLimiter, type RestartLimiter } from './restart-limiter.js'

export interface Activations {
  /** Makes `supervisor` the parent of all actors that start from now on. */
  adopt(supervisor: AnyActorRef): void
  /** Runs the entry's waiting commands: starts an actor if there is none, or refuses the commands if none may start. */
  serve(entry: Entry): void
  /** Handles an actor's end, and starts the next activation when commands wait for one. */
  retire(actorId: string, ending: LifecycleReply): void
  /** Refuses every command that has not run, and all that come from now on: this node is shutting down. */
  close(): void
  /** Ends every actor at once, unsaved. Commands that arrive before the next `adopt` are refused. */
  abandon(): void
}

interface Runtime {
  readonly actors: Actors
  readonly limiter: RestartLimiter
  readonly logic: ReturnType<typeof createLifecycleLogic>
  readonly jobs: Jobs
  /** Entries by the id of their actor. Ids are numbers, so that no address gets into XState's messages. */
  readonly running: Map<string, Entry>
  actorsStarted: number
  isClosed: boolean
}

/** `opening`: see `createLifecycleLogic`. */
export function createActivations(actors: Actors, opening: (entry: Entry) => void): Activations {
  const { options, registry } = actors
  const jobs = createJobs(actors)
  const logic = createLifecycleLogic(actors, jobs, opening)
  const runtime: Runtime = { actors, limiter: createRestartLimiter(), logic, jobs, running: new Map(), actorsStarted: 0, isClosed: false }
  options.budget.add({
    *candidates() {
      for (const entry of registry.entries()) if (isEvictable(entry) && !isIrreplaceable(actors, entry)) yield entry
    },
    evict: (entry: Entry) => evict(actors, entry)
  })
  return {
    adopt(supervisor) {
      // A supervisor that ended with an exception left its actors behind.
      abandon(runtime)
      Object.assign(actors, { supervisor, isOverCap: false, isTrimWaiting: false })
      actors.subjectsWaiting.clear()
      traceSystem(options.tracer, 'supervisor.started', { supervisor: options.behaviour.kind })
    },
    serve: serve.bind(null, runtime),
    retire: retire.bind(null, runtime),
    close() {
      runtime.isClosed = true
      for (const entry of [...registry.entries()]) serve(runtime, entry)
    },
    abandon: abandon.bind(null, runtime)
  }
}

function serve(runtime: Runtime, entry: Entry): void {
  const { limiter, jobs, actors } = runtime
  const { options, supervisor } = actors
  if (runtime.isClosed) refuseWaiting(actors, entry, new DomainError('draining', 'This node is shutting down'))
  else if (entry.activation !== null) jobs.pump(entry)
  else if (limiter.isRefused(entry.key, options.clock.monotonicMs())) {
    traceActor(options.tracer, 'actor.restart_limited', entry.address)
    const reason = `This ${entry.address.kind} failed repeatedly and is not restarted for a while`
    refuseWaiting(actors, entry, new DomainError('restart_limited', reason))
  } else if (supervisor === null) refuseWaiting(actors, entry, new DomainError('busy', 'The service is restarting'))
  else start(runtime, entry, supervisor)
}

function start(runtime: Runtime, entry: Entry, supervisor: AnyActorRef): void {
  setDormant(runtime.actors, entry, false)
  // Stryker disable next-line UpdateOperator: any unique number will do
  const id = String(runtime.actorsStarted++)
  const activation = createActivation(entry)
  const ref = createActor(runtime.logic, { parent: supervisor, id, input: { activation } })
  activation.ref = ref
  entry.activation = activation
  runtime.running.set(id, entry)
  ref.start()
  ref.send({ type: 'actor.activate' })
}

function retire(runtime: Runtime, actorId: string, ending: LifecycleReply): void {
  const { actors, limiter, running } = runtime
  const { options } = actors
  const activation = running.get(actorId)?.activation
  running.delete(actorId)
  if (activation == null) return
  const { entry } = activation
  disposeActivation(actors, activation, () => errorOf(ending))
  // An eviction is traced by `putAway`.
  if (ending.type !== 'actor.evicted') traceActor(options.tracer, ending.type, entry.address, detailsOf(ending))
  leaveRecord(actors, entry, { hasFailed: ending.type === 'actor.failed' })
  // The waiting commands were sent before the other writer was noticed: run after it, they might be done twice.
  if (ending.type === 'actor.fenced') refuseWaiting(actors, entry, errorOf(ending))
  if (ending.type === 'actor.failed') {
    if (!isDomainError(ending.error)) {
      const nowMs = options.clock.monotonicMs()
      options.logger.error({ err: ending.error, kind: entry.address.kind }, 'An actor failed')
      limiter.noteFailure(entry.key, nowMs)
      // Another node may send anything. A command of its that fails ends the actor it is for, and does not count against the supervisor.
      if (activation.poison?.isForeign !== true) actors.supervisor?.send({ type: 'failure.note', atMs: nowMs })
    }
    // An immediate retry would fail in the same way, unless a poison message caused the failure: that one has been answered.
    if (activation.poison === null) refuseWaiting(actors, entry, errorOf(ending))
  }
  if (entry.mailbox !== null && entry.mailbox.size() > 0) serve(runtime, entry)
  else tidy(actors, entry)
}

/** Disposes of an ended activation. Its commands that have not run wait for the next one. */
function disposeActivation(actors: Actors, activation: Activation, error: () => DomainError): void {
  activation.entry.activation = null
  // A machine that ends with an exception does not run the exit actions of its states.
  close(actors, activation)
  releasePermit(activation)
  dropState(actors, activation)
  abandonGate(activation.gate, error)
}

function abandon(runtime: Runtime): void {
  const { actors, running } = runtime
  const error = new DomainError('busy', 'The service is restarting')
  const lost = [...running.values()]
  running.clear()
  actors.supervisor = null
  for (const entry of lost) {
    const activation = entry.activation
    if (activation === null) continue
    disposeActivation(actors, activation, () => internalError(error))
    activation.ref?.send({ type: 'actor.fence' })
    leaveRecord(actors, entry, { hasFailed: true })
    refuseWaiting(actors, entry, error)
    tidy(actors, entry)
  }
}

function refuseWaiting({ options }: Actors, entry: Entry, error: DomainError): void {
  if (entry.activation !== null) giveUpJobs(entry.activation)
  const next = () => entry.mailbox?.take(options.clock.monotonicMs())
  for (let delivery = next(); delivery !== undefined; delivery = next()) {
    entry.mailbox?.finish()
    delivery.settle(refusal(error))
  }
}

function detailsOf(ending: LifecycleReply): { readonly code?: string } {
  if (ending.type !== 'actor.failed') return {}
  return { code: isDomainError(ending.error) ? ending.error.code : 'failure' }
}

/** Returns the error for the callers of an ended actor. */
function errorOf(ending: LifecycleReply): DomainError {
  if (ending.type !== 'actor.failed') return new DomainError('fenced', 'Another activation took this over')
  return isDomainError(ending.error) ? ending.error : internalError(ending.error)
}
