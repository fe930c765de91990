/** The effects of an actor's life: reading, stepping, committing, removing and releasing its record. */
import { fromPromise } from 'xstate'
import type { Behaviour } from './behaviour.js'
import { refusal, requestOf, type ActorCommand, type Delivery, type Outcome } from './delivery.js'
import type { Cell, Entry, Job } from './entry.js'
import { beginWrite, passGate, releaseWritten, type GateStep } from './output-gate.js'
import { takePlace, type Places } from './places.js'
import { leave } from './preparation.js'
import { processorOf, type Processor } from './processor.js'
import { withTimeLimit } from './time-limit.js'
import { traceActor } from './trace.js'
import { writtenBytes } from './written-size.js'
import { lifecycleMachine } from '../machines/lifecycle-machine.js'
import type { Address } from '../src/domain/address.js'
import { DomainError, isDomainError } from '../src/domain/errors.js'
import { ACTIVATION_MS_MAX, STORAGE_MS_MAX } from '../src/domain/limits.js'
import { WEIGHTLESS, type Weight } from '../src/domain/weight.js'
import type { ActorStorage, Clock, Logger, RecordChanges, StoredRow, Tracer, WriteToken } from '../src/ports.js'

/** Rounds of reading and making before giving up: each lost one means that another writer made and removed the record between. */
const CREATE_ROUNDS_MAX = 3

export interface LifecycleOptions {
  readonly behaviour: Behaviour<unknown, ActorCommand, unknown, unknown>
  readonly storage: ActorStorage
  readonly clock: Clock
  readonly logger: Logger
  readonly tracer: Tracer
  /** Limits how many records are read at the same time. */
  readonly activations: Places
  /** Keeps memory for an actor that is about to be there. Throws `memory_exhausted`. */
  readonly claim: (entry: Entry, weight: Weight) => Promise<void>
  /** What an actor weighs by now. */
  readonly weighed: (entry: Entry, weight: Weight) => void
  /** Steps may run from now on. */
  readonly opened: (entry: Entry) => void
  /** Steps may not run any more. Called once for each `opened`. */
  readonly closed: (entry: Entry) => void
  /** True: no reply leaves before storage has confirmed that nobody else has taken the record over. For storage that nodes share. */
  readonly verifiesReads?: boolean
  /** A commit, a removal or a verified read found that somebody else has taken the record over. */
  readonly fenced?: () => void
  /** Whether this node has not stood still since: what waits for a record that is yet to be taken over may be somebody else's by now. Default: it has not. */
  readonly isAwake?: () => boolean
}

/** The lifecycle machine with its effects; one logic serves every actor of a kind. */
export function createLifecycleLogic(options: LifecycleOptions) {
  const { behaviour, storage, clock, logger, tracer, claim, weighed, verifiesReads = false } = options
  const processor = processorOf(clock)
  const stored = <T>(call: Promise<T>, limitMs = STORAGE_MS_MAX) => withTimeLimit(call, { clock, limitMs, late: storageLate })
  const commit = async (address: Address, token: WriteToken, changes: RecordChanges): Promise<WriteToken> => {
    const startedMs = clock.monotonicMs()
    // What a storage does before it waits is to pack what is written.
    const next = await processor.take(address.subject, () => stored(storage.commit(address, token, changes)))
    if (tracer.isEnabled) {
      const { head, put, remove } = changes
      const durationMs = clock.monotonicMs() - startedMs
      traceActor(tracer, 'store.written', address, { rowsPut: put.length, rowsRemoved: remove.length, bytes: writtenBytes([head, put]), durationMs })
    }
    return next
  }
  const verify = async (address: Address, token: WriteToken): Promise<WriteToken> => {
    if (await stored(storage.verify(address, token))) return token
    throw new DomainError('fenced', 'The record has another writer')
  }
  const noteFenced = (error: unknown): void => {
    if (isDomainError(error) && error.code === 'fenced') options.fenced?.()
  }
  const close = (cell: Cell) => {
    if (!cell.isOpen) return
    cell.isOpen = false
    options.closed(cell.entry)
  }

  return lifecycleMachine.provide({
    actors: {
      activation: fromPromise(async ({ input, signal }) => {
        const cell = cellOf(input)
        const { subject } = cell.entry.address
        const leavePlace = await takePlace(options.activations, { subject, deadlineMs: ACTIVATION_MS_MAX })
        try {
          if (options.isAwake?.() === false) throw new DomainError('fenced', 'Another node may own this by now')
          return await activate(cell, { behaviour, storage, clock, stored, processor, signal, claim, weighed, isShared: verifiesReads })
        } finally {
          leavePlace()
          // The actor was stopped meanwhile: nobody else will take apart what was made too late.
          if (signal.aborted && cell.life !== null) behaviour.dispose?.(cell.life.state)
        }
      }),
      commit: fromPromise(async ({ input }) => {
        const { entry, gate, life } = cellOf(input)
        if (life === null) return
        const write = beginWrite(gate, false, ({ changes }) =>
          changes.steps === 0 ? verify(entry.address, life.token) : commit(entry.address, life.token, changes.merged()),
        )
        if (write === null) return
        try {
          life.token = await write
        } catch (error) {
          noteFenced(error)
          throw error
        }
      }),
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
      })
    },
    actions: {
      runStep: ({ context, self }, { job }) => {
        const cell = cellOf(context)
        // A closed cell's jobs are delivered to the next incarnation.
        if (!cell.isOpen || !leave(cell, job as Job)) return
        const step = endStep(cell, job as Job)
        if (step.changes !== null) weighed(cell.entry, weightOf(behaviour, cell))
        const asked = passGate(cell.gate, { ...step, isVerified: verifiesReads })
        if (asked === 'nothing') return
        if (asked === 'removal') close(cell)
        self.send({ type: asked === 'commit' ? 'changes.commit' : 'record.remove' })
      },
      openMailbox: ({ context }) => {
        const cell = cellOf(context)
        cell.isOpen = true
        options.opened(cell.entry)
      },
      closeMailbox: ({ context }) => close(cellOf(context)),
      releaseReplies: ({ context }) => releaseWritten(cellOf(context).gate),
      reportReleaseFailure: (_, { error }) => {
        if (!isDomainError(error) || error.code !== 'fenced') logger.warn({ err: error }, 'An evicted record could not be released')
      }
    }
  })
}

/** Everything behind a machine's handle is a cell: the catalog makes both, in one place. */
function cellOf(holder: { readonly cell: object }): Cell {
  return holder.cell as Cell
}

function storageLate(): DomainError {
  return new DomainError('storage_unavailable', 'The storage did not answer in time')
}

function weightOf(behaviour: LifecycleOptions['behaviour'], { life }: Cell): Weight {
  return life === null ? WEIGHTLESS : (behaviour.weigh?.(life.state) ?? WEIGHTLESS)
}

interface ActivationPorts extends Pick<LifecycleOptions, 'claim' | 'weighed'> {
  readonly behaviour: LifecycleOptions['behaviour']
  readonly storage: ActorStorage
  readonly clock: Clock
  readonly stored: <T>(call: Promise<T>, limitMs?: number) => Promise<T>
  readonly processor: Processor
  /** Aborted when the actor was stopped: what waits is then another incarnation's. */
  readonly signal: AbortSignal
  /** Whether others make and remove records too. */
  readonly isShared: boolean
}

/**
 * Takes the record over, or lets the first waiting command that may make one do so; those that may not are refused. The record's head
 * is read first: what would not fit into memory is neither read nor taken over.
 */
async function activate(cell: Cell, ports: ActivationPorts): Promise<boolean> {
  const { behaviour, storage, stored, processor, signal, claim, weighed, isShared } = ports
  const { address } = cell.entry
  for (let round = 0; round < CREATE_ROUNDS_MAX; round++) {
    const known = await stored(storage.peek(address))
    if (known !== null) await claim(cell.entry, behaviour.storedWeight?.(known.head) ?? WEIGHTLESS)
    // Where nodes keep records in their own memory, only taking one over tells for certain that there is none.
    const isAbsent = known === null && storage.isDurable
    const record = isAbsent ? null : await stored(storage.activate(address), ACTIVATION_MS_MAX)
    if (record !== null) {
      cell.life = { state: await processor.takePieces(address.subject, behaviour.restore(address, record), signal), token: record.token }
      weighed(cell.entry, weightOf(behaviour, cell))
      return true
    }
    // What others did to the record before it was removed, a request may only repeat.
    const tombstone = isShared ? await stored(storage.tombstone(address)) : null
    const made = await initiate(cell, ports, tombstone?.rows ?? [])
    if (made === null) return false
    const token = await stored(storage.create(address, made.first.changes, isShared ? (tombstone?.epoch ?? 0) : undefined))
    if (token !== null) {
      made.delivery.isFresh = true
      cell.life = { state: made.first.state, token }
      return true
    }
    behaviour.dispose?.(made.first.state)
  }
  throw new DomainError('fenced', 'Another writer keeps making and removing this record')
}

type First = NonNullable<Awaited<ReturnType<LifecycleOptions['behaviour']['initiate']>>>

/** The first waiting command that makes a state; null when none is left. */
async function initiate(
  cell: Cell,
  { behaviour, clock, processor, signal, claim }: ActivationPorts,
  left: readonly StoredRow[]
): Promise<{ delivery: Delivery; first: First } | null> {
  const { entry } = cell
  const { address } = entry
  const next = () => (signal.aborted ? undefined : entry.mailbox?.peek(clock.monotonicMs()))
  for (let delivery = next(); delivery !== undefined; delivery = next()) {
    let outcome: Outcome
    let failure: unknown
    try {
      const { command } = delivery
      const request = requestOf(delivery, clock)
      const known = behaviour.recall?.(command, request, left) ?? null
      const first = known === null ? await processor.take(address.subject, () => behaviour.initiate(address, command, { address, ...request }, left)) : null
      if (first !== null) {
        await claimFirst(behaviour, first.state, (weight) => claim(entry, weight))
        return { delivery, first }
      }
      outcome = known === null ? refusal(behaviour.missing(address)) : { isOk: true, reply: known.reply }
    } catch (cause) {
      cell.hasCulprit = !isDomainError(cause)
      cell.isFaultForeign = cell.hasCulprit && delivery.isForeign
      failure = cause
      outcome = refusal(cause)
    }
    // It may have expired meanwhile, and then it is not there any more.
    if (next() === delivery) discardHead(entry.mailbox)
    delivery.settle(outcome)
    if (cell.hasCulprit) throw failure
  }
  return null
}

async function claimFirst(behaviour: LifecycleOptions['behaviour'], state: unknown, claim: (weight: Weight) => Promise<void>): Promise<void> {
  try {
    await claim(behaviour.weigh?.(state) ?? WEIGHTLESS)
  } catch (error) {
    behaviour.dispose?.(state)
    throw error
  }
}

function discardHead(mailbox: Cell['entry']['mailbox']): void {
  mailbox?.take(0)
  mailbox?.finish()
}

/** What comes of a step that was run. A refusal is an outcome; a failure is answered and thrown, which ends the actor. */
function endStep(cell: Cell, { delivery, stepped, refused }: Job): Omit<GateStep, 'isVerified'> {
  if (stepped?.isOk === true) {
    const { reply, changes, isRemoval = false, left = [], afterwards = null } = stepped.result
    return { delivery, outcome: { isOk: true, reply }, changes, isRemoval, left, afterwards }
  }
  const error = refused ?? stepped?.error
  if (isDomainError(error)) return { delivery, outcome: refusal(error), changes: null, isRemoval: false, left: [], afterwards: null }
  cell.hasCulprit = true
  cell.isFaultForeign = delivery.isForeign
  delivery.settle(refusal(error))
  throw error
}
