/** Activation of an actor: reads its record and takes it over, or lets a waiting command create it. */
import type { Creation, Rehydration } from '../../machines/lifecycle.js'
import { DomainError, isDomainError, unconfirmed } from '../../src/domain/errors.js'
import { ACTIVATION_MS_MAX } from '../../src/domain/limits.js'
import type { Weight } from '../../src/domain/fairness/weight.js'
import type { ActorStorage, Clock, StoredRow } from '../../src/ports.js'
import { type Delivery, type Outcome, refusal, requestOf } from '../behaviour/delivery.js'
import { loggedAnswer } from '../messaging/idempotency-log.js'
import { restoreRing } from '../messaging/idempotency-ring.js'
import { isSettleMessages } from '../messaging/outbox.js'
import type { Processor } from '../scheduling/processor.js'
import { acquirePermit, type Semaphore } from '../scheduling/semaphore.js'
import type { NodeBudget } from '../weight/node-budget.js'
import type { Cell, Entry } from './entry.js'
import {
  startLiveState,
  type InitialLiveState,
  type Host,
  initiateLiveState,
  restoreLiveState,
  storedWeight,
  weightOfLiveState
} from './host.js'

/** Rounds of reading and creating before giving up. Each lost round means that another writer created and removed the record meanwhile. */
const CREATE_ROUNDS_MAX = 3

export interface ActivationPorts {
  readonly host: Host
  readonly storage: ActorStorage
  readonly clock: Clock
  /** Limits how many records are read at the same time. */
  readonly activationSemaphore: Semaphore
  readonly processor: Processor
  /** Reserves memory for an actor that is created (`claim`) or rehydrated (`reclaim`). Throws `memory_exhausted`. */
  readonly memory: Pick<NodeBudget, 'claim' | 'reclaim'>
  /** Notes the present weight of an actor. */
  readonly weighed: (entry: Entry, weight: Weight) => void
  /** Bounds a call of storage in time. */
  readonly stored: <T>(call: Promise<T>, limitMs?: number) => Promise<T>
  /** Whether other processes create and remove records in the same storage. */
  readonly isShared: boolean
  /** See `CatalogOptions`. */
  readonly isAwake: () => boolean
}

/** Looks for the record once a permit to read is free. Returns whether there may be one. */
export async function read(
  cell: Cell,
  { storage, stored, activationSemaphore, isAwake }: ActivationPorts,
  signal: AbortSignal
): Promise<boolean> {
  const { address } = cell.entry
  if (cell.releasePermit === null) {
    const leave = await acquirePermit(activationSemaphore, { subject: address.subject, deadlineMs: ACTIVATION_MS_MAX })
    // The actor was stopped meanwhile: nobody else would release the permit.
    if (signal.aborted) leave()
    else cell.releasePermit = leave
  }
  requireAwake(isAwake)
  const known = await stored(storage.peek(address))
  cell.storedHead = known === null ? null : { head: known.head }
  // Where nodes keep records in their own memory, only an attempt to take the record over tells for certain that there is none.
  return known !== null || !storage.isDurable
}

function requireAwake(isAwake: ActivationPorts['isAwake']): void {
  if (!isAwake()) throw new DomainError('fenced', 'Another node may own this by now')
}

/**
 * Takes the record over and restores the actor. Memory is reserved first, from the weight in the head that `read` found: a record that does
 * not fit is neither read nor taken over. Returns null if the record is gone.
 */
export async function rehydrate(cell: Cell, ports: ActivationPorts, signal: AbortSignal): Promise<Rehydration | null> {
  const { host, storage, stored, processor, clock, memory, weighed } = ports
  const { behaviour } = host
  const { entry, storedHead } = cell
  const startedMs = clock.monotonicMs()
  cell.storedHead = null
  if (storedHead !== null) await memory.reclaim(entry, storedWeight(host, storedHead.head))
  const record = await stored(storage.activate(entry.address), ACTIVATION_MS_MAX)
  if (record === null) return null
  const life = await processor.takePieces(entry.address.subject, restoreLiveState(host, entry.address, record), signal)
  cell.life = life
  weighed(entry, weightOfLiveState(host, life))
  if (signal.aborted) behaviour.dispose?.(life.state)
  else startLiveState(host, life)
  return { size: behaviour.sizeOf?.(life.state) ?? record.rows.length, durationMs: clock.monotonicMs() - startedMs }
}

/** Creates the record with the first waiting command that may create it. Commands before it are refused, or answered from the tombstone. */
export async function create(cell: Cell, ports: ActivationPorts, signal: AbortSignal): Promise<Creation> {
  const { host, storage, stored, isShared, isAwake } = ports
  const { behaviour } = host
  const { address } = cell.entry
  // The tombstone tells which requests were done before a removal: another node, or a client with a key, may repeat one of them.
  // Stryker disable next-line ConditionalExpression: storage in the memory of a single node has no tombstones
  const tombstone = isShared || storage.isDurable ? await stored(storage.tombstone(address)) : null
  const made = await initiate(cell, ports, { left: tombstone?.rows ?? [], signal })
  if (made === null) return 'missing'
  const { life, changes } = made.first
  // If the node has stood still since, what storage said of the record may be out of date.
  await orDispose(host, life, async () => requireAwake(isAwake))
  const epoch = isShared ? (tombstone?.epoch ?? 0) : undefined
  const creation = orDispose(host, life, () => stored(storage.create(address, changes, epoch)))
  const token = await creation.catch((error: unknown) => {
    // Only the creating command may have taken effect: those behind it have not run.
    if (headOf(cell.entry, ports.clock, signal) === made.delivery) {
      discardHead(cell.entry.mailbox)
      made.delivery.settle(refusal(unconfirmed(error)))
    }
    throw error
  })
  if (token !== null) {
    made.delivery.isFresh = true
    made.delivery.createdIn = cell
    cell.life = { token, ...life }
    disposeWhenStopped(cell, behaviour, signal)
    return 'made'
  }
  behaviour.dispose?.(life.state)
  cell.rounds += 1
  if (cell.rounds === CREATE_ROUNDS_MAX) throw new DomainError('fenced', 'Another writer keeps making and removing this record')
  return 'overtaken'
}

/** Disposes of a state that was made after the actor was stopped: nobody else would. */
function disposeWhenStopped({ life }: Cell, behaviour: Host['behaviour'], signal: AbortSignal): void {
  if (signal.aborted && life !== null) behaviour.dispose?.(life.state)
}

/** Tries the waiting commands in order until one creates a state. Answers those before it. Returns null when none is left. */
async function initiate(
  cell: Cell,
  { host, clock, processor, memory }: ActivationPorts,
  { left, signal }: { readonly left: readonly StoredRow[]; readonly signal: AbortSignal }
): Promise<{ delivery: Delivery; first: InitialLiveState } | null> {
  const { entry } = cell
  const { address } = entry
  const next = () => headOf(entry, clock, signal)
  for (let delivery = next(); delivery !== undefined; delivery = next()) {
    let outcome: Outcome
    let failure: unknown
    try {
      const { command } = delivery
      const request = requestOf(delivery, clock)
      const known = isSettleMessages(command) ? null : loggedAnswer(restoreRing(left), command, request)
      const first =
        known === null ? await processor.take(address.subject, () => initiateLiveState(host, command, { address, ...request }, left)) : null
      if (first !== null) {
        await orDispose(host, first.life, () => memory.claim(entry, weightOfLiveState(host, first.life)))
        return { delivery, first }
      }
      outcome = known === null ? refusal(host.behaviour.missing(address)) : { isOk: true, reply: known.reply }
    } catch (cause) {
      cell.hasPoison = !isDomainError(cause)
      cell.isFaultForeign = cell.hasPoison && delivery.isForeign
      failure = cause
      outcome = refusal(cause)
    }
    // It may have expired meanwhile, and has then left the mailbox.
    if (next() === delivery) discardHead(entry.mailbox)
    delivery.settle(outcome)
    if (cell.hasPoison) throw failure
  }
  return null
}

/** Runs `work` and disposes of the new state if it fails. */
async function orDispose<T>({ behaviour }: Host, { state }: InitialLiveState['life'], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    behaviour.dispose?.(state)
    throw error
  }
}

/** Returns the command that has waited longest; undefined once the actor was stopped. */
function headOf({ mailbox }: Entry, clock: Clock, signal: AbortSignal): Delivery | undefined {
  return signal.aborted ? undefined : mailbox?.peek(clock.monotonicMs())
}

function discardHead(mailbox: Entry['mailbox']): void {
  mailbox?.take(0)
  mailbox?.finish()
}
