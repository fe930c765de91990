/**
 * Holds replies back until what they tell is durable, and gathers steps into commits: while one is
 * under way, later steps join the next. A reply waits for the last write that holds anything its step could have seen.
 * Where others may write too, what a read saw is durable but may be of yesterday: it then waits for a batch that began after it,
 * which proves that nobody else had taken over, by its commit or, when there is nothing to write, by asking.
 */
import { unconfirmed } from '../../src/domain/errors.js'
import type { RecordChanges, StoredRow } from '../../src/ports.js'
import { type Delivery, type Outcome, refusal } from '../behaviour/delivery.js'
import { gatherChanges, type GatheredChanges } from '../behaviour/record-changes.js'

interface Held {
  readonly delivery: Delivery
  readonly outcome: Outcome
  /** What the reply waits for once the write is durable. */
  readonly afterwards: (() => Promise<void>) | null
}

export interface Batch {
  /** Of no step at all where the batch holds reads only. */
  readonly changes: GatheredChanges
  readonly held: Held[]
  /** True: the record goes instead of being written. */
  isRemoval: boolean
  /** What a removal leaves. */
  left: readonly StoredRow[]
  /** The write itself, once it is under way. */
  written: Promise<unknown> | null
}

export interface OutputGate {
  /** What the next write takes. */
  gathering: Batch | null
  /** What the write under way took. */
  writing: Batch | null
}

export interface GateStep {
  readonly delivery: Delivery
  readonly outcome: Outcome
  /** Null for a read or a refusal. */
  readonly changes: RecordChanges | null
  readonly isRemoval: boolean
  /** See `StepResult`. */
  readonly left: readonly StoredRow[]
  readonly afterwards: (() => Promise<void>) | null
  /** Whether a read or a refusal waits for the proof that this writer is still the one. */
  readonly isVerified: boolean
}

/** A gate with nothing behind it. */
export function createOutputGate(): OutputGate {
  return { gathering: null, writing: null }
}

/**
 * Takes a step in, and says what has to be asked for: nothing, a commit (of no changes where there are only reads), or the removal of the
 * record.
 */
export function passGate(gate: OutputGate, step: GateStep): 'nothing' | 'commit' | 'removal' {
  const { delivery, outcome, changes, isRemoval, left, afterwards, isVerified } = step
  if (changes === null && !isRemoval && !isVerified) {
    const last = gate.gathering ?? gate.writing
    if (last === null) delivery.settle(outcome)
    else last.held.push({ delivery, outcome, afterwards: null })
    return 'nothing'
  }
  const isFirst = gate.gathering === null
  gate.gathering ??= { changes: gatherChanges(), held: [], isRemoval: false, left: [], written: null }
  gate.gathering.held.push({ delivery, outcome, afterwards: changes === null && !isRemoval ? null : afterwards })
  if (changes !== null) gate.gathering.changes.add(changes)
  if (!isRemoval) return isFirst ? 'commit' : 'nothing'
  Object.assign(gate.gathering, { isRemoval: true, left })
  return 'removal'
}

/** Moves what was gathered behind the write that `write` begins. Null when there is nothing for this sort of write. */
export function beginWrite<Result>(gate: OutputGate, isRemoval: boolean, write: (batch: Batch) => Promise<Result>): Promise<Result> | null {
  const batch = gate.gathering
  // A removal that was gathered meanwhile swallows the commit: its own write follows.
  if (batch?.isRemoval !== isRemoval) return null
  gate.gathering = null
  gate.writing = batch
  const written = write(batch)
  batch.written = written
  return written
}

/** The write is durable: its replies leave. */
export function releaseWritten(gate: OutputGate): void {
  const batch = gate.writing
  gate.writing = null
  if (batch !== null) release(batch)
}

/** The actor is over: what was only gathered is refused with `error()`, what is being written follows its write. */
export function abandonGate(gate: OutputGate, error: () => Error): void {
  const { gathering, writing } = gate
  gate.gathering = null
  gate.writing = null
  if (gathering !== null) refuse(gathering, error())
  if (writing === null) return
  if (writing.written === null) refuse(writing, error())
  else
    writing.written.then(
      () => release(writing),
      (cause: unknown) => refuse(writing, writesAny(writing) ? unconfirmed(cause) : cause)
    )
}

function release(batch: Batch): void {
  for (const { delivery, outcome, afterwards } of batch.held) {
    if (afterwards === null) delivery.settle(outcome)
    else void afterwards().then(() => delivery.settle(outcome))
  }
}

function writesAny({ changes, isRemoval }: Batch): boolean {
  return isRemoval || changes.steps > 0
}

function refuse(batch: Batch, error: unknown): void {
  const outcome = refusal(error)
  for (const { delivery } of batch.held) delivery.settle(outcome)
}
