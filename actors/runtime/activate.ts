/** Bringing a record to life: finding out whether there is one, taking it over, or letting a waiting command make it. */
import type { Creation, Rehydration } from '../../machines/lifecycle.js'
import { DomainError, isDomainError, unconfirmed } from '../../src/domain/errors.js'
import { ACTIVATION_MS_MAX } from '../../src/domain/limits.js'
import type { Weight } from '../../src/domain/weight.js'
import type { ActorStorage, Clock, StoredRow } from '../../src/ports.js'
import { type Delivery, type Outcome, refusal, requestOf } from '../behaviour/delivery.js'
import { loggedAnswer } from '../messaging/idempotency-log.js'
import { restoreRing } from '../messaging/idempotency-ring.js'
import { isSettleMessages } from '../messaging/outbox.js'
import type { Processor } from '../scheduling/processor.js'
import { acquirePermit, type Semaphore } from '../scheduling/semaphore.js'
import type { NodeBudget } from '../weight/node-budget.js'
import type { Cell, Entry } from './entry.js'
import { beginLife, type FirstLife, type Host, initiateLife, restoreLife, storedWeight, weightOfLife } from './host.js'

/** Rounds of reading and making before giving up: each lost one means that another writer made and removed the record between. */
const CREATE_ROUNDS_MAX = 3

export interface ActivationPorts {
  readonly host: Host
  readonly storage: ActorStorage
  readonly clock: Clock
  /** Limits how many records are read at the same time. */
  readonly activationSemaphore: Semaphore
  readonly processor: Processor
  /** Keeps memory for an actor that is about to be there: one that is made, or that comes back. Throws `memory_exhausted`. */
  readonly memory: Pick<NodeBudget, 'claim' | 'reclaim'>
  /** What an actor weighs by now. */
  readonly weighed: (entry: Entry, weight: Weight) => void
  readonly stored: <T>(call: Promise<T>, limitMs?: number) => Promise<T>
  /** Whether others make and remove records too. */
  readonly isShared: boolean
  /** See `CatalogOptions`. */
  readonly isAwake: () => boolean
}

/** Looks for the record, when the turn to read has come. True when there may be one. */
export async function read(
  cell: Cell,
  { storage, stored, activationSemaphore, isAwake }: ActivationPorts,
  signal: AbortSignal
): Promise<boolean> {
  const { address } = cell.entry
  if (cell.releasePermit === null) {
    const leave = await acquirePermit(activationSemaphore, { subject: address.subject, deadlineMs: ACTIVATION_MS_MAX })
    // The actor was stopped meanwhile: nobody else gives the place back.
    if (signal.aborted) leave()
    else cell.releasePermit = leave
  }
  requireAwake(isAwake)
  const known = await stored(storage.peek(address))
  cell.storedHead = known === null ? null : { head: known.head }
  // Where nodes keep records in their own memory, only taking one over tells for certain that there is none.
  return known !== null || !storage.isDurable
}

function requireAwake(isAwake: ActivationPorts['isAwake']): void {
  if (!isAwake()) throw new DomainError('fenced', 'Another node may own this by now')
}

/** Takes the record over. Its head was read before: what would not fit into memory is neither read nor taken over. Null: it is gone. */
export async function rehydrate(cell: Cell, ports: ActivationPorts, signal: AbortSignal): Promise<Rehydration | null> {
  const { host, storage, stored, processor, clock, memory, weighed } = ports
  const { behaviour } = host
  const { entry, storedHead } = cell
  const startedMs = clock.monotonicMs()
  cell.storedHead = null
  if (storedHead !== null) await memory.reclaim(entry, storedWeight(host, storedHead.head))
  const record = await stored(storage.activate(entry.address), ACTIVATION_MS_MAX)
  if (record === null) return null
  const life = await processor.takePieces(entry.address.subject, restoreLife(host, entry.address, record), signal)
  cell.life = life
  weighed(entry, weightOfLife(host, life))
  if (signal.aborted) behaviour.dispose?.(life.state)
  else beginLife(host, life)
  return { size: behaviour.sizeOf?.(life.state) ?? record.rows.length, durationMs: clock.monotonicMs() - startedMs }
}

/** Lets the first waiting command that may make the record do so; those that may not are refused. */
export async function create(cell: Cell, ports: ActivationPorts, signal: AbortSignal): Promise<Creation> {
  const { host, storage, stored, isShared, isAwake } = ports
  const { behaviour } = host
  const { address } = cell.entry
  // What was done to the record before it was removed, a request may only repeat: of another node, or with the key of a client.
  // Stryker disable next-line ConditionalExpression: a storage of one node that keeps nothing has no tombstones to be asked for
  const tombstone = isShared || storage.isDurable ? await stored(storage.tombstone(address)) : null
  const made = await initiate(cell, ports, { left: tombstone?.rows ?? [], signal })
  if (made === null) return 'missing'
  const { life, changes } = made.first
  // What was found of the record may be forgotten since.
  await orDispose(host, life, async () => requireAwake(isAwake))
  const epoch = isShared ? (tombstone?.epoch ?? 0) : undefined
  const creation = orDispose(host, life, () => stored(storage.create(address, changes, epoch)))
  const token = await creation.catch((error: unknown) => {
    // Only its maker may have been done: what waits behind it has not run.
    if (headOf(cell.entry, ports.clock, signal) === made.delivery) {
      discardHead(cell.entry.mailbox)
      made.delivery.settle(refusal(unconfirmed(error)))
    }
    throw error
  })
  if (token !== null) {
    made.delivery.isFresh = true
    cell.life = { token, ...life }
    disposeWhenStopped(cell, behaviour, signal)
    return 'made'
  }
  behaviour.dispose?.(life.state)
  cell.rounds += 1
  if (cell.rounds === CREATE_ROUNDS_MAX) throw new DomainError('fenced', 'Another writer keeps making and removing this record')
  return 'overtaken'
}

/** The actor was stopped meanwhile: nobody else will take apart what was made too late. */
function disposeWhenStopped({ life }: Cell, behaviour: Host['behaviour'], signal: AbortSignal): void {
  if (signal.aborted && life !== null) behaviour.dispose?.(life.state)
}

/** The first waiting command that makes a state; null when none is left. */
async function initiate(
  cell: Cell,
  { host, clock, processor, memory }: ActivationPorts,
  { left, signal }: { readonly left: readonly StoredRow[]; readonly signal: AbortSignal }
): Promise<{ delivery: Delivery; first: FirstLife } | null> {
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
        known === null ? await processor.take(address.subject, () => initiateLife(host, command, { address, ...request }, left)) : null
      if (first !== null) {
        await orDispose(host, first.life, () => memory.claim(entry, weightOfLife(host, first.life)))
        return { delivery, first }
      }
      outcome = known === null ? refusal(host.behaviour.missing(address)) : { isOk: true, reply: known.reply }
    } catch (cause) {
      cell.hasPoison = !isDomainError(cause)
      cell.isFaultForeign = cell.hasPoison && delivery.isForeign
      failure = cause
      outcome = refusal(cause)
    }
    // It may have expired meanwhile, and then it is not there any more.
    if (next() === delivery) discardHead(entry.mailbox)
    delivery.settle(outcome)
    if (cell.hasPoison) throw failure
  }
  return null
}

/** What a life that was made waits for before it is anybody's: it is taken apart when that fails. */
async function orDispose<T>({ behaviour }: Host, { state }: FirstLife['life'], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    behaviour.dispose?.(state)
    throw error
  }
}

/** The command that has waited for longest; none once the actor was stopped. */
function headOf({ mailbox }: Entry, clock: Clock, signal: AbortSignal): Delivery | undefined {
  return signal.aborted ? undefined : mailbox?.peek(clock.monotonicMs())
}

function discardHead(mailbox: Entry['mailbox']): void {
  mailbox?.take(0)
  mailbox?.finish()
}
