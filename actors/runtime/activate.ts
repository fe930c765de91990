/** Activation of an actor that may have a record: reads it, and takes it over. A new one is made by create.ts. */
import type { Rehydration } from '../../machines/lifecycle.js'
import { DomainError } from '../../src/domain/errors.js'
import { ACTIVATION_MS_MAX } from '../../src/domain/limits.js'
import { fromStorage } from '../../src/time-limit.js'
import { processorOf } from '../scheduling/processor.js'
import { acquirePermit } from '../scheduling/semaphore.js'
import type { Actors, CatalogOptions } from './actors.js'
import type { Activation } from './entry.js'
import { noteWeight } from './eviction.js'
import { restoreLiveState, startLiveState, storedWeight, weightOfLiveState } from './host.js'

/** Looks for the record once a permit to read is free. Returns whether there may be one. */
export async function read({ options, reads }: Actors, activation: Activation, signal: AbortSignal): Promise<boolean> {
  const { address } = activation.entry
  const { storage } = options
  if (activation.releasePermit === null) {
    const leave = await acquirePermit(reads, { subject: address.subject, deadlineMs: ACTIVATION_MS_MAX })
    // The actor was stopped meanwhile: nobody else would release the permit.
    if (signal.aborted) leave()
    else activation.releasePermit = leave
  }
  requireAwake(options)
  const known = await fromStorage(storage.peek(address), options)
  activation.storedHead = known === null ? null : { head: known.head }
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
export async function rehydrate(actors: Actors, activation: Activation, signal: AbortSignal): Promise<Rehydration | null> {
  const { options } = actors
  const { behaviour, storage, clock, budget } = options
  const { entry, storedHead } = activation
  const startedMs = clock.monotonicMs()
  activation.storedHead = null
  if (storedHead !== null) await budget.reclaim(entry, storedWeight(options, storedHead.head))
  const record = await fromStorage(storage.activate(entry.address), { clock, limitMs: ACTIVATION_MS_MAX })
  if (record === null) return null
  const life = await processorOf(clock).takePieces(entry.address.subject, restoreLiveState(options, entry.address, record), signal)
  activation.life = life
  noteWeight(actors, entry, weightOfLiveState(options, life))
  if (signal.aborted) behaviour.dispose?.(life.state)
  else startLiveState(options, life)
  return { size: behaviour.sizeOf?.(life.state) ?? record.rows.length, durationMs: clock.monotonicMs() - startedMs }
}
