/** Starts, ends and replaces the activations of a catalog's entries. */
import { type AnyActorRef, createActor } from 'xstate'
import type { LifecycleReply, Rehydration } from '../../machines/lifecycle.js'
import { DomainError, isDomainError } from '../../src/domain/errors.js'
import { ACTIVATIONS_MAX, SUBJECT_ACTIVATIONS_MAX } from '../../src/domain/limits.js'
import { internalError, refusal } from '../behaviour/delivery.js'
import { traceActor, traceSystem } from '../behaviour/trace.js'
import { createSemaphore } from '../scheduling/semaphore.js'
import type { CatalogOptions } from './catalog-options.js'
import { type Cell, createCell, type Entry, releasePermit } from './entry.js'
import {
  evict,
  isEvictable,
  isIrreplaceable,
  leaveRecord,
  type EvictionState,
  setDormant,
  tellCap,
  tellSubjectCap,
  tidy
} from './eviction.js'
import type { Jobs } from './jobs.js'
import { createLifecycleLogic } from './lifecycle-logic.js'
import { abandonGate } from './output-gate.js'
import { createRegistry } from './registry.js'
import { createRestartLimiter, type RestartLimiter } from './restart-limiter.js'

export interface Activations {
  readonly eviction: EvictionState
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
  readonly options: CatalogOptions
  readonly eviction: EvictionState
  readonly limiter: RestartLimiter
  readonly logic: ReturnType<typeof createLifecycleLogic>['machine']
  readonly jobs: Jobs
  /** Entries by the id of their actor. Ids are numbers, so that no address gets into XState's messages. */
  readonly running: Map<string, Entry>
  actorsStarted: number
  isClosed: boolean
}

/** `opening` is called before an activated entry's waiting commands run, and may put others in front of them. */
export function createActivations(options: CatalogOptions, opening: (entry: Entry) => void): Activations {
  const { behaviour, clock, tracer, budget } = options
  const registry = createRegistry()
  const eviction: EvictionState = {
    options,
    registry,
    supervisor: null,
    dormantCount: 0,
    isOverCap: false,
    isTrimWaiting: false,
    subjectsWaiting: new Set()
  }
  const { machine, jobs } = createLifecycleLogic({
    eviction,
    activationSemaphore: createSemaphore({
      clock,
      permitsMax: ACTIVATIONS_MAX,
      subjectMax: SUBJECT_ACTIVATIONS_MAX,
      full: 'Too many records are being read'
    }),
    activating: (entry) => traceActor(tracer, 'actor.activating', entry.address),
    rehydrated: (entry, rehydration) => reportRehydration(options, entry, rehydration),
    putAway: (cell) => putAway(runtime, cell),
    opened(entry) {
      registry.noteOpened(entry)
      traceActor(tracer, 'actor.activated', entry.address)
      opening(entry)
      pump(runtime, entry)
      tellCap(eviction)
      tellSubjectCap(eviction, entry)
    },
    closed(entry) {
      registry.noteClosed(entry)
      tellCap(eviction)
    }
  })
  const runtime: Runtime = {
    options,
    eviction,
    limiter: createRestartLimiter(),
    logic: machine,
    jobs,
    running: new Map(),
    actorsStarted: 0,
    isClosed: false
  }
  budget.add({
    *candidates() {
      for (const entry of registry.entries()) if (isEvictable(entry) && !isIrreplaceable(eviction, entry)) yield entry
    },
    evict: (entry: Entry) => evict(eviction, entry)
  })
  return {
    eviction,
    adopt(supervisor) {
      // A supervisor that ended with an exception left its actors behind.
      abandon(runtime)
      eviction.supervisor = supervisor
      eviction.isOverCap = false
      eviction.isTrimWaiting = false
      eviction.subjectsWaiting.clear()
      traceSystem(tracer, 'supervisor.started', { supervisor: behaviour.kind })
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
  const { limiter, options, eviction } = runtime
  if (runtime.isClosed) refuseWaiting(runtime, entry, new DomainError('draining', 'This node is shutting down'))
  else if (entry.activation !== null) pump(runtime, entry)
  else if (limiter.isRefused(entry.key, options.clock.monotonicMs())) {
    traceActor(options.tracer, 'actor.restart_limited', entry.address)
    refuseWaiting(
      runtime,
      entry,
      new DomainError('restart_limited', `This ${entry.address.kind} failed repeatedly and is not restarted for a while`)
    )
  } else if (eviction.supervisor === null) refuseWaiting(runtime, entry, new DomainError('busy', 'The service is restarting'))
  else start(runtime, entry, eviction.supervisor)
}

function start(runtime: Runtime, entry: Entry, supervisor: AnyActorRef): void {
  setDormant(runtime.eviction, entry, false)
  // Stryker disable next-line UpdateOperator: any unique number will do
  const id = String(runtime.actorsStarted++)
  const cell = createCell(entry)
  const ref = createActor(runtime.logic, { parent: supervisor, id, input: { cell } })
  entry.activation = { ref, cell }
  runtime.running.set(id, entry)
  ref.start()
  ref.send({ type: 'actor.activate' })
}

/** Starts the preparation of all waiting commands. */
function pump({ options, jobs }: Runtime, entry: Entry): void {
  const cell = entry.activation?.cell
  if (cell?.isOpen !== true) return
  for (;;) {
    const delivery = entry.mailbox?.take(options.clock.monotonicMs())
    if (delivery === undefined) return
    jobs.start(cell, delivery)
  }
}

function retire(runtime: Runtime, actorId: string, ending: LifecycleReply): void {
  const { options, limiter, running } = runtime
  const cell = running.get(actorId)?.activation?.cell
  running.delete(actorId)
  if (cell === undefined) return
  const { entry } = cell
  disposeActivation(runtime, entry, cell, () => errorOf(ending))
  // An eviction is traced by `putAway`.
  if (ending.type !== 'actor.evicted')
    traceActor(
      options.tracer,
      ending.type,
      entry.address,
      ending.type === 'actor.failed' ? { code: isDomainError(ending.error) ? ending.error.code : 'failure' } : {}
    )
  leaveRecord(runtime.eviction, entry, { hasFailed: ending.type === 'actor.failed' })
  // The waiting commands were sent before the other writer was noticed: run after it, they might be done twice.
  if (ending.type === 'actor.fenced') refuseWaiting(runtime, entry, errorOf(ending))
  if (ending.type === 'actor.failed') {
    if (!isDomainError(ending.error)) {
      const nowMs = options.clock.monotonicMs()
      options.logger.error({ err: ending.error, kind: entry.address.kind }, 'An actor failed')
      limiter.noteFailure(entry.key, nowMs)
      // Another node may send anything. A command of its that fails ends the actor it is for, and does not count against the supervisor.
      if (cell.poison?.isForeign !== true) runtime.eviction.supervisor?.send({ type: 'failure.note', atMs: nowMs })
    }
    // An immediate retry would fail in the same way, unless a poison message caused the failure: that one has been answered.
    if (cell.poison === null) refuseWaiting(runtime, entry, errorOf(ending))
  }
  if (entry.mailbox !== null && entry.mailbox.size() > 0) serve(runtime, entry)
  else tidy(runtime.eviction, entry)
}

/** Disposes of an ended activation. Its commands that have not run wait for the next one. */
function disposeActivation(runtime: Runtime, entry: Entry, cell: Cell, error: () => DomainError): void {
  entry.activation = null
  // A machine that ends with an exception does not run the exit actions of its states.
  if (cell.isOpen) {
    cell.isOpen = false
    runtime.eviction.registry.noteClosed(entry)
  }
  releasePermit(cell)
  empty(runtime, cell)
  abandonGate(cell.gate, error)
}

/** Drops the cell's state. Its commands that have not run go back to the mailbox. */
function empty({ options, jobs }: Runtime, cell: Cell): void {
  jobs.giveUp(cell)
  if (cell.life !== null) options.behaviour.dispose?.(cell.life.state)
  cell.life = null
}

/** Drops an evicted actor's state. Returns a new cell for the next activation if commands wait for it, else null. */
function putAway(runtime: Runtime, cell: Cell): Cell | null {
  const { entry } = cell
  empty(runtime, cell)
  traceActor(runtime.options.tracer, 'actor.evicted', entry.address)
  leaveRecord(runtime.eviction, entry, { hasFailed: false })
  const { activation, mailbox } = entry
  if (activation === null || mailbox === null || mailbox.size() === 0 || runtime.eviction.supervisor === null) return null
  const next = createCell(entry)
  entry.activation = { ref: activation.ref, cell: next }
  return next
}

function reportRehydration(
  { behaviour: { kind }, tracer, logger, counters }: CatalogOptions,
  { address }: Entry,
  { size, durationMs }: Rehydration
): void {
  traceActor(tracer, 'actor.rehydrated', address, { size, durationMs })
  counters.count({ name: 'rehydration', kind, size, durationMs })
  logger.info({ kind, size, durationMs }, 'An actor was brought back from storage')
}

function abandon(runtime: Runtime): void {
  const error = new DomainError('busy', 'The service is restarting')
  const lost = [...runtime.running.values()]
  runtime.running.clear()
  runtime.eviction.supervisor = null
  for (const entry of lost) {
    const activation = entry.activation
    if (activation === null) continue
    disposeActivation(runtime, entry, activation.cell, () => internalError(error))
    activation.ref.send({ type: 'actor.fence' })
    leaveRecord(runtime.eviction, entry, { hasFailed: true })
    refuseWaiting(runtime, entry, error)
    tidy(runtime.eviction, entry)
  }
}

function refuseWaiting({ options, jobs }: Runtime, entry: Entry, error: DomainError): void {
  const cell = entry.activation?.cell
  if (cell !== undefined) jobs.giveUp(cell)
  const next = () => entry.mailbox?.take(options.clock.monotonicMs())
  for (let delivery = next(); delivery !== undefined; delivery = next()) {
    entry.mailbox?.finish()
    delivery.settle(refusal(error))
  }
}

/** Returns the error for the callers of an ended actor. */
function errorOf(ending: LifecycleReply): DomainError {
  if (ending.type !== 'actor.failed') return new DomainError('fenced', 'Another activation took this over')
  return isDomainError(ending.error) ? ending.error : internalError(ending.error)
}
