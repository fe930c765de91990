/** Activation of an actor that may have a record: reads it, and takes it over. A new one is made by create.ts. */
import type { Rehydration } from '../../machines/lifecycle.js'
import type { Address } from '../../src/domain/address.js'
import { DomainError } from '../../src/domain/errors.js'
import { ACTIVATION_MS_MAX } from '../../src/domain/limits.js'
import type { Weight } from '../../src/domain/fairness/weight.js'
import type { RecordChanges } from '../../src/ports.js'
import { processorOf } from '../scheduling/processor.js'
import { acquirePermit, type Semaphore } from '../scheduling/semaphore.js'
import type { CatalogOptions } from './catalog-options.js'
import type { Cell, Entry } from './entry.js'
import { restoreLiveState, startLiveState, storedWeight, weightOfLiveState } from './host.js'
import type { Jobs } from './jobs.js'
import type { Batch } from './output-gate.js'

export interface ActivationPorts {
  readonly options: CatalogOptions
  /** Limits how many records are read at the same time. */
  readonly activationSemaphore: Semaphore
  /** Notes the present weight of an actor. */
  readonly weighed: (entry: Entry, weight: Weight) => void
  /** Jobs of the actors, for the command that creates the record. */
  readonly jobs: Pick<Jobs, 'add'>
  /** Writes a batch to the record of an address with `call`, bounded in time, and traces it. */
  readonly write: <Result>(address: Address, batch: Batch, call: (changes: RecordChanges) => Promise<Result>) => Promise<Result>
  /** Bounds a call of storage in time. */
  readonly stored: <T>(call: Promise<T>, limitMs?: number) => Promise<T>
}

/** Looks for the record once a permit to read is free. Returns whether there may be one. */
export async function read(cell: Cell, { options, stored, activationSemaphore }: ActivationPorts, signal: AbortSignal): Promise<boolean> {
  const { address } = cell.entry
  const { storage } = options
  if (cell.releasePermit === null) {
    const leave = await acquirePermit(activationSemaphore, { subject: address.subject, deadlineMs: ACTIVATION_MS_MAX })
    // The actor was stopped meanwhile: nobody else would release the permit.
    if (signal.aborted) leave()
    else cell.releasePermit = leave
  }
  requireAwake(options)
  const known = await stored(storage.peek(address))
  cell.storedHead = known === null ? null : { head: known.head }
  // Where nodes keep records in their own memory, only an attempt to take the record over tells for certain that there is none.
  return known !== null || !storage.isDurable
}

/** Throws `fenced` when this node has stood still: what storage said of the record may be out of date. */
export function requireAwake({ isAwake }: CatalogOptions): void {
  if (!isAwake()) throw new DomainError('fenced', 'Another node may own this by now')
}

/**
 * Takes the record over and restores the actor. Memory is reserved first, from the weight in the head that `read` found: a record that does
 * not fit is neither read nor taken over. Returns null if the record is gone.
 */
export async function rehydrate(cell: Cell, ports: ActivationPorts, signal: AbortSignal): Promise<Rehydration | null> {
  const { options, stored, weighed } = ports
  const { behaviour, storage, clock, budget } = options
  const { entry, storedHead } = cell
  const startedMs = clock.monotonicMs()
  cell.storedHead = null
  if (storedHead !== null) await budget.reclaim(entry, storedWeight(options, storedHead.head))
  const record = await stored(storage.activate(entry.address), ACTIVATION_MS_MAX)
  if (record === null) return null
  const life = await processorOf(clock).takePieces(entry.address.subject, restoreLiveState(options, entry.address, record), signal)
  cell.life = life
  weighed(entry, weightOfLiveState(options, life))
  if (signal.aborted) behaviour.dispose?.(life.state)
  else startLiveState(options, life)
  return { size: behaviour.sizeOf?.(life.state) ?? record.rows.length, durationMs: clock.monotonicMs() - startedMs }
}
