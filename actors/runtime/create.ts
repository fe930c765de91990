/**
 * Creation of an actor's record, with the first waiting command that may create it. One write holds the new record and all that the command
 * does: nobody finds a record whose creating command is yet to run, or was refused.
 */
import type { Creation } from '../../machines/lifecycle.js'
import { DomainError, hasCode, isDomainError, takenOver } from '../../src/domain/errors.js'
import type { StoredRow } from '../../src/ports.js'
import { type Outcome, refusal, requestOf } from '../behaviour/delivery.js'
import { gatherChanges } from '../behaviour/record-changes.js'
import { loggedAnswer } from '../messaging/idempotency-log.js'
import { restoreRing } from '../messaging/idempotency-ring.js'
import { isSettleMessages } from '../messaging/outbox.js'
import { processorOf } from '../scheduling/processor.js'
import { type ActivationPorts, requireAwake } from './activate.js'
import { type Cell, type Job, removeJob } from './entry.js'
import { initiateLiveState, type UnstoredState, weightOfLiveState } from './host.js'
import { stepFirst } from './jobs.js'
import { beginWrite, passGate, releaseWritten, withdraw } from './output-gate.js'

/** Rounds of reading and creating before giving up. Each lost round means that another writer created and removed the record meanwhile. */
const CREATE_ROUNDS_MAX = 3

/** Tries the waiting commands in order until one creates the record. Those before it are refused, or answered from the tombstone. */
export async function create(cell: Cell, ports: ActivationPorts, signal: AbortSignal): Promise<Creation> {
  const { storage, clock, isShared } = ports.options
  const { mailbox, address } = cell.entry
  // The tombstone tells which requests were done before a removal: another node, or a client with a key, may repeat one of them.
  // Stryker disable next-line ConditionalExpression: storage in the memory of a single node has no tombstones
  const tombstone = isShared || storage.isDurable ? await ports.stored(storage.tombstone(address)) : null
  const next = () => (signal.aborted ? undefined : mailbox?.take(clock.monotonicMs()))
  for (let delivery = next(); delivery !== undefined; delivery = next()) {
    const job = ports.jobs.add(cell, delivery)
    const life = await Promise.race([begin(cell, ports, { job, left: tombstone?.rows ?? [] }), untilGivenUp(job)])
    if (life !== null) return store(cell, ports, { life, signal, epoch: isShared ? (tombstone?.epoch ?? 0) : undefined })
  }
  return 'missing'
}

/** Resolves once the job was refused for its deadline, or given up with its actor. */
function untilGivenUp({ preparation: { signal } }: Job): Promise<null> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))
}

interface FirstJob {
  readonly job: Job
  /** Rows that a removed record left. */
  readonly left: readonly StoredRow[]
}

/**
 * Makes the state for the job's command, runs its step, and passes both to the output gate. Answers the command and resolves to null if it
 * creates nothing or is refused. Rejects with what makes it fail.
 */
async function begin(cell: Cell, ports: ActivationPorts, first: FirstJob): Promise<UnstoredState | null> {
  const { behaviour, clock } = ports.options
  const { job, left } = first
  const { delivery } = job
  const answer = (outcome: Outcome): boolean => {
    const isWaiting = removeJob(cell, job)
    if (isWaiting) delivery.settle(outcome)
    return isWaiting
  }
  try {
    const { command } = delivery
    const known = isSettleMessages(command) ? null : loggedAnswer(restoreRing(left), command, requestOf(delivery, clock))
    const life = known === null ? await runFirst(cell, ports, first) : null
    if (life === null) answer(known === null ? refusal(behaviour.missing(cell.entry.address)) : { isOk: true, reply: known.reply })
    return life
  } catch (error) {
    if (answer(refusal(error)) && !isDomainError(error)) {
      cell.poison = delivery
      throw error
    }
    return null
  }
}

/** Runs the command's step on a new state. Resolves to null if the command creates none, rejects with its refusal. */
async function runFirst(cell: Cell, ports: ActivationPorts, { job, left }: FirstJob): Promise<UnstoredState | null> {
  const { options, weighed } = ports
  const { clock, budget, behaviour } = options
  const { entry, gate } = cell
  const { delivery, preparation } = job
  const meta = { address: entry.address, ...requestOf(delivery, clock) }
  const made = await processorOf(clock).take(meta.address.subject, () => initiateLiveState(options, delivery.command, meta, left))
  if (made === null) return null
  const { life } = made
  try {
    preparation.signal.throwIfAborted()
    await budget.claim(entry, weightOfLiveState(options, life))
    preparation.signal.throwIfAborted()
    const result = await stepFirst(options, life, job)
    preparation.signal.throwIfAborted()
    const changes = gatherChanges()
    for (const some of [made.changes, result.changes]) if (some !== null) changes.add(some)
    removeJob(cell, job)
    delivery.reservation.release()
    weighed(entry, weightOfLiveState(options, life))
    const { reply, afterwards = null } = result
    const outcome = { isOk: true, reply } as const
    passGate(gate, { delivery, outcome, changes: changes.merged(), isRemoval: false, left: [], afterwards, isVerified: false })
    return life
  } catch (error) {
    behaviour.dispose?.(life.state)
    throw error
  }
}

interface Unstored {
  readonly life: UnstoredState
  readonly signal: AbortSignal
  /** Epoch of the tombstone; undefined: any. */
  readonly epoch: number | undefined
}

/** Writes the new record, and releases the reply of the command that created it. */
async function store(cell: Cell, ports: ActivationPorts, { life, signal, epoch }: Unstored): Promise<Creation> {
  const { behaviour, storage } = ports.options
  const { entry, gate } = cell
  const { address } = entry
  try {
    requireAwake(ports.options)
    const token = await beginWrite(gate, false, async (batch) => {
      const created = await ports.write(address, batch, (changes) => storage.create(address, changes, epoch))
      if (created === null) throw takenOver()
      return created
    })
    // The actor was stopped before the write.
    if (token === null || signal.aborted) behaviour.dispose?.(life.state)
    if (token !== null) cell.life = Object.assign(life, { token })
    releaseWritten(gate)
    return 'made'
  } catch (error) {
    behaviour.dispose?.(life.state)
    if (!hasCode(error, 'fenced') || signal.aborted || gate.writing === null) throw error
    // Another writer has created the record first: the command runs on that one.
    for (const delivery of withdraw(gate)) entry.mailbox?.putBack(delivery)
    cell.rounds += 1
    if (cell.rounds === CREATE_ROUNDS_MAX) throw new DomainError('fenced', 'Another writer keeps making and removing this record')
    return 'overtaken'
  }
}
