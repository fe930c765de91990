/**
 * Holds replies back until the state they tell of is durable, and gathers steps into commits: while one commit is under way, later steps
 * join the next. A reply waits for the last write that holds anything its step could have seen. Where other nodes may write too, a read may
 * have seen durable but outdated state. It then waits for a batch that begins after it, which proves that no other node had taken over: by
 * its commit or, with nothing to write, by a verification.
 */
import { unconfirmed } from '../../src/domain/errors.js'
import type { StoredRow } from '../../src/ports.js'
import type { StepResult } from '../behaviour/behaviour.js'
import { type Delivery, type Outcome, refusal } from '../behaviour/delivery.js'
import { gatherChanges, type GatheredChanges } from '../behaviour/record-changes.js'

interface Held {
  readonly delivery: Delivery
  readonly outcome: Outcome
  /** Work that the reply waits for after the write is durable. */
  readonly afterwards: (() => Promise<void>) | null
}

export interface Batch {
  /** Empty where the batch holds only reads. */
  readonly changes: GatheredChanges
  readonly held: Held[]
  /** True: the record is removed instead of written. */
  isRemoval: boolean
  /** Rows that a removal leaves in the tombstone. */
  left: readonly StoredRow[]
  /** Result of the write, once it is under way. */
  written: Promise<unknown> | null
}

export interface OutputGate {
  /** Batch of the next write. */
  gathering: Batch | null
  /** Batch of the write under way. */
  writing: Batch | null
}

/** How a step ended. */
export type Stepped = { readonly isOk: true; readonly result: StepResult<unknown> } | { readonly isOk: false; readonly error: unknown }

interface GateStep {
  readonly delivery: Delivery
  readonly stepped: Stepped
  /** Whether a read or a refusal waits for the proof that this writer still owns the record. */
  readonly isVerified: boolean
}

/** What a refusal has written. */
const NOTHING: Omit<StepResult<unknown>, 'reply'> = { changes: null }

/** Creates an empty gate. */
export function createOutputGate(): OutputGate {
  return { gathering: null, writing: null }
}

/**
 * Adds an ended step. Returns what the actor's machine has to be told: null, that a commit is due (without changes where there are only
 * reads), or the removal of the record.
 */
export function passGate(gate: OutputGate, { delivery, stepped, isVerified }: GateStep): 'changes.commit' | 'record.remove' | null {
  const outcome = stepped.isOk ? ({ isOk: true, reply: stepped.result.reply } as const) : refusal(stepped.error)
  const { changes, isRemoval = false, left, afterwards = null } = stepped.isOk ? stepped.result : NOTHING
  if (changes === null && !isRemoval && !isVerified) {
    const last = gate.gathering ?? gate.writing
    if (last === null) delivery.settle(outcome)
    else last.held.push({ delivery, outcome, afterwards: null })
    return null
  }
  const isFirst = gate.gathering === null
  gate.gathering ??= { changes: gatherChanges(), held: [], isRemoval: false, left: [], written: null }
  gate.gathering.held.push({ delivery, outcome, afterwards: changes === null && !isRemoval ? null : afterwards })
  if (changes !== null) gate.gathering.changes.add(changes)
  if (!isRemoval) return isFirst ? 'changes.commit' : null
  Object.assign(gate.gathering, { isRemoval: true, left: left ?? [] })
  return 'record.remove'
}

/** Starts the write of the gathered batch with `write`. Returns null when no batch of this sort, commit or removal, is gathered. */
export function beginWrite<Result>(gate: OutputGate, isRemoval: boolean, write: (batch: Batch) => Promise<Result>): Promise<Result> | null {
  const batch = gate.gathering
  // A removal gathered meanwhile replaces the commit: its own write follows.
  if (batch?.isRemoval !== isRemoval) return null
  gate.gathering = null
  gate.writing = batch
  const written = write(batch)
  batch.written = written
  return written
}

/** Sends the replies of the batch whose write has become durable. */
export function releaseWritten(gate: OutputGate): void {
  const batch = gate.writing
  gate.writing = null
  if (batch !== null) release(batch)
}

/** Takes back the commands of the batch whose write has changed nothing. They have to run again. */
export function withdraw(gate: OutputGate): Delivery[] {
  const held = gate.writing?.held ?? []
  gate.writing = null
  return held.map(({ delivery }) => delivery)
}

/** Empties the gate of an ended actor: the gathered batch is refused with `error()`, the batch under way is answered as its write ends. */
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

/** Whether the batch changes the record. */
function writesAny(batch: Batch | null): boolean {
  return batch !== null && (batch.isRemoval || batch.changes.steps > 0)
}

function refuse(batch: Batch, error: unknown): void {
  const outcome = refusal(error)
  for (const { delivery } of batch.held) delivery.settle(outcome)
}
