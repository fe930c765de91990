/** Effects of the lifecycle machine: reads, changes, commits, removes and releases an actor's record. And the end of each step. */
import { fromPromise } from 'xstate'
import { kindMachines } from '../../machines/kinds.js'
import type { Rehydration } from '../../machines/lifecycle.js'
import type { Address } from '../../src/domain/address.js'
import { hasCode, isDomainError, takenOver } from '../../src/domain/errors.js'
import { STORAGE_MS_MAX } from '../../src/domain/limits.js'
import type { Weight } from '../../src/domain/fairness/weight.js'
import type { RecordChanges, WriteToken } from '../../src/ports.js'
import { during, type Spans } from '../../src/spans.js'
import { fromStorage } from '../../src/time-limit.js'
import { refusal } from '../behaviour/delivery.js'
import { chartLogic } from '../behaviour/state-chart.js'
import { traceActor } from '../behaviour/trace.js'
import { writtenBytes } from '../behaviour/written-size.js'
import { OUTBOX } from '../messaging/outbox.js'
import { processorOf } from '../scheduling/processor.js'
import type { Semaphore } from '../scheduling/semaphore.js'
import { type ActivationPorts, read, rehydrate } from './activate.js'
import { create } from './create.js'
import { type Cell, type Entry, type Job, releasePermit, removeJob, send } from './entry.js'
import { type EvictionState, tellSubjectCap } from './eviction.js'
import { weightOfLiveState } from './host.js'
import { createJobs } from './jobs.js'
import { type Batch, beginWrite, type GateStep, passGate, releaseWritten } from './output-gate.js'

interface LifecycleOptions {
  readonly eviction: EvictionState
  /** Limits how many records are read at the same time. */
  readonly activationSemaphore: Semaphore
  /** Called when the actor begins to read or to create its record. */
  readonly activating: (entry: Entry) => void
  /** Called when the actor was restored from its record. */
  readonly rehydrated: (entry: Entry, rehydration: Rehydration) => void
  /** Drops the state of an actor whose record is released. Returns a new cell if commands wait, so that it is activated again at once. */
  readonly putAway: (cell: Cell) => Cell | null
  /** Called when steps may run. */
  readonly opened: (entry: Entry) => void
  /** Called when steps may no longer run: once for each `opened`. */
  readonly closed: (entry: Entry) => void
}

/** Provides the machine of the behaviour's kind with its effects, and runs the jobs. Both serve every actor of a kind. */
export function createLifecycleLogic(options: LifecycleOptions) {
  const { eviction } = options
  const host = eviction.options
  const { storage, clock, logger, tracer, isShared } = host
  const { kind, chart } = host.behaviour
  const weighed = (entry: Entry, weight: Weight): void => {
    host.budget.set(entry, weight)
    tellSubjectCap(eviction, entry)
  }
  const processor = processorOf(clock)
  const stored = <T>(call: Promise<T>, limitMs = STORAGE_MS_MAX) => fromStorage(call, { clock, limitMs })
  const write: ActivationPorts['write'] = (address, batch, call) =>
    inSpan(host.spans, batch, () => writeChanges(address, batch.changes.merged(), call))
  const writeChanges = async <Result>(
    address: Address,
    changes: RecordChanges,
    call: (changes: RecordChanges) => Promise<Result>
  ): Promise<Result> => {
    const startedMs = clock.monotonicMs()
    // The processor schedules the synchronous part: storage encodes the changes before it waits.
    const written = processor.take(address.subject, () => stored(call(changes)))
    const result = await written.catch((error: unknown) => {
      // The write may have succeeded all the same: the record then holds outbox messages that this node does not know of.
      if (!hasCode(error, 'fenced') && changes.put.some(({ collection }) => collection === OUTBOX)) host.relay.wake(address)
      throw error
    })
    if (tracer.isEnabled) {
      const { head, put, remove } = changes
      const durationMs = clock.monotonicMs() - startedMs
      traceActor(tracer, 'store.written', address, {
        rowsPut: put.length,
        rowsRemoved: remove.length,
        bytes: writtenBytes([head, put]),
        durationMs
      })
    }
    return result
  }
  const verify = async (address: Address, token: WriteToken): Promise<WriteToken> => {
    if (await stored(storage.verify(address, token))) return token
    throw takenOver()
  }
  const noteFenced = (error: unknown): void => {
    if (hasCode(error, 'fenced')) host.fenced()
  }
  const close = (cell: Cell) => {
    if (!cell.isOpen) return
    cell.isOpen = false
    options.closed(cell.entry)
  }
  const writeGathered = async ({ entry, gate, life }: Cell): Promise<void> => {
    if (life === null) return
    const { address } = entry
    const written = beginWrite(gate, false, (batch) =>
      batch.changes.steps === 0
        ? inSpan(host.spans, batch, () => verify(address, life.token))
        : write(address, batch, (changes) => storage.commit(address, life.token, changes))
    )
    if (written !== null) life.token = await written
  }
  /** Takes a step that has run to the output gate. The machine is told only what follows from it: nothing, of most reads. */
  const endStep = (cell: Cell, job: Job): void => {
    removeJob(cell, job)
    const step = endOf(cell, job)
    if ('failure' in step) {
      // The state may be half changed: no further step runs on it.
      close(cell)
      send(cell, { type: 'step.fail', error: step.failure })
      return
    }
    step.delivery.reservation.release()
    if (step.changes !== null && cell.life !== null) weighed(cell.entry, weightOfLiveState(host, cell.life))
    const asked = passGate(cell.gate, { isVerified: isShared, ...step })
    if (asked === 'nothing') return
    if (asked === 'removal') close(cell)
    send(cell, { type: asked === 'commit' ? 'changes.commit' : 'record.remove' })
  }
  const jobs = createJobs(host, endStep)
  const ports: ActivationPorts = {
    options: host,
    activationSemaphore: options.activationSemaphore,
    weighed,
    jobs,
    write,
    stored
  }

  const machine = kindMachines[kind].provide({
    actors: {
      reading: fromPromise(({ input, signal }) => read(cellOf(input), ports, signal)),
      rehydration: fromPromise(({ input, signal }) => rehydrate(cellOf(input), ports, signal)),
      creation: fromPromise(({ input, signal }) => create(cellOf(input), ports, signal)),
      removal: fromPromise(async ({ input }) => {
        const { entry, gate, life } = cellOf(input)
        if (life === null) return
        try {
          await beginWrite(gate, true, ({ left }) => stored(storage.remove(entry.address, life.token, left)))
        } catch (error) {
          noteFenced(error)
          throw error
        }
      }),
      release: fromPromise(async ({ input }) => {
        const { entry, life } = cellOf(input)
        if (life !== null) await stored(storage.release(entry.address, life.token))
      }),
      ...(chart !== undefined && { chart: chartLogic(chart.machine, (cell) => chart.of((cell as Cell).life?.state)) as never })
    },
    actions: {
      reportActivation: ({ context }) => options.activating(cellOf(context).entry),
      reportRehydration: ({ context }, rehydration) => options.rehydrated(cellOf(context).entry, rehydration),
      releasePermit: ({ context }) => releasePermit(cellOf(context)),
      openMailbox: ({ context }) => {
        const cell = cellOf(context)
        cell.isOpen = true
        options.opened(cell.entry)
      },
      closeMailbox: ({ context }) => close(cellOf(context)),
      beginCommit: ({ context, self }) => {
        writeGathered(cellOf(context)).then(
          () => self.send({ type: 'commit.finish' }),
          (error: unknown) => {
            noteFenced(error)
            self.send({ type: 'commit.fail', error })
          }
        )
      },
      releaseReplies: ({ context }) => releaseWritten(cellOf(context).gate),
      putAway: ({ context, self }) => {
        const cell = options.putAway(cellOf(context))
        self.send(cell === null ? { type: 'actor.forget' } : { type: 'actor.revive', cell })
      },
      reportReleaseFailure: (_, { error }) => {
        if (!hasCode(error, 'fenced')) logger.warn({ err: error }, 'An evicted record could not be released')
      }
    }
  })
  return { machine, jobs }
}

/** Casts a machine's opaque handle to the cell: the catalog makes both, in one place. */
function cellOf(holder: { readonly cell: object }): Cell {
  return holder.cell as Cell
}

/** Runs a write in a span; without a collector in none. The span is part of the first held reply's trace, and links to all others'. */
function inSpan<Result>(spans: Spans | undefined, batch: Batch, write: () => Promise<Result>): Promise<Result> {
  if (spans === undefined) return write()
  const [parent, ...links] = batch.held.flatMap(({ delivery: { trace } }) => trace ?? [])
  return during({ spans, name: 'storage commit', kind: 'client', parent, links }, write)
}

type StepEnd = Omit<GateStep, 'isVerified'> | { readonly failure: unknown }

/** Evaluates a step that has run. A refusal is an outcome like a reply. A failure is answered here, and ends the actor. */
function endOf(cell: Cell, { delivery, stepped, refused }: Job): StepEnd {
  if (stepped?.isOk === true) {
    const { reply, changes, isRemoval = false, left = [], afterwards = null } = stepped.result
    return { delivery, outcome: { isOk: true, reply }, changes, isRemoval, left, afterwards }
  }
  const error = refused ?? stepped?.error
  if (isDomainError(error)) return { delivery, outcome: refusal(error), changes: null, isRemoval: false, left: [], afterwards: null }
  cell.poison = delivery
  delivery.settle(refusal(error))
  return { failure: error }
}
