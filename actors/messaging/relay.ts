/**
 * Delivers the outbox messages of this node's actors, each at least once. A message is tried once its commit is durable and retried until
 * it is accepted or refused for good; after a crash, the node that activates the sender goes on. The sender is then told of the delivery,
 * and removes the message.
 */
import { type Address, addressKey } from '../../src/domain/address.js'
import { type ErrorCode, hasSucceeded, isDomainError } from '../../src/domain/errors.js'
import { ASK_MS_MAX } from '../../src/domain/limits.js'
import type { Cancel, Clock, Logger, OutboxLog } from '../../src/ports.js'
import { orTimeout } from '../../src/time-limit.js'
import type { AskActor } from '../asking/ask.js'
import type { OutboxMessage } from '../behaviour/behaviour.js'

/**
 * Milliseconds that a reply waits for the first try, so that its effect at the receiver is readable at once. Bounded, so that a receiver in
 * trouble does not hold up the sender: the message is durable in the sender's record, and no order across sessions is promised
 * (docs/groups.md).
 */
const FIRST_TRY_MS_MAX = 1_000

/** Back-off in milliseconds: before the first retry, doubled each time, up to the longest. */
const RETRY_MS_MIN = 100
const RETRY_MS_MAX = 30_000

/** Milliseconds in which deliveries of one sender gather, so that it removes them in one commit. */
const SETTLE_MS = 20

/** Commands delivered through the log between nodes where there is one, so that any node may deliver them. Others are asked directly. */
const DRIFT_EVENTS: ReadonlySet<string> = new Set(['cluster.noteDrift', 'region.vote'])

/** Milliseconds after which a message that the log has accepted is sent directly unless it is settled: the log may have lost it. */
const LOG_MS_MAX = 5_000

/**
 * Maximum of one subject's outbox messages from the log that a node delivers at a time: half of what a worker is handed, and a quarter of
 * what JetStream hands out. Each holds its place until its receiver answers; the log redelivers the excess.
 */
const SUBJECT_TAKEN_MAX = 8

/** Transient refusals: the receiver or its storage is in trouble, and may accept the message later. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'busy',
  'memory_exhausted',
  'unreachable',
  'not_owner',
  'draining',
  'deadline_passed',
  'outcome_unknown',
  'restart_limited',
  'fenced',
  'storage_unavailable',
  'embedder_unavailable'
])

/** Command that tells a sender which of its outbox messages were delivered. Without ids, it only activates the sender. */
export interface SettleMessages {
  readonly type: 'outbox.settle'
  readonly ids: readonly string[]
}

export interface Relay {
  /**
   * Starts the delivery of outbox messages whose commit is durable. `isRepeated`: another node may have tried them. Resolves once each
   * awaited message was tried, or the time is over that they are awaited. Never rejects.
   */
  send(sender: Address, messages: readonly OutboxMessage[], options?: { readonly isRepeated: boolean }): Promise<void>
  /**
   * Delivers an outbox message from the log between nodes. `isRepeated`: the log hands it out again. Resolves to whether the log may drop
   * it.
   */
  take(logged: LoggedMessage, options?: { readonly isRepeated: boolean }): Promise<boolean>
  /** Activates the sender as soon as possible. If its commit of unknown outcome has succeeded, its messages are then sent. */
  wake(sender: Address): void
  /** Whether the message is delivered, or refused for good, and only its sender has not removed it yet. */
  isDelivered(sender: Address, id: string): boolean
  /** Notes that messages have left the sender's record: they are delivered, by whichever node. */
  settled(sender: Address, ids: readonly string[]): void
  /** Number of messages under way. */
  readonly pending: number
  /** Stops all tries. Remaining messages are delivered after the sender's next activation. */
  stop(): void
}

interface Sending {
  readonly sender: Address
  readonly message: OutboxMessage
  readonly isRepeated: boolean
  tries: number
  cancelRetry: Cancel
  /** Ends the wait for its delivery through the log. */
  settled: () => void
}

/** Tells a sender of deliveries; retried while the sender is in trouble. */
interface Report {
  readonly sender: Address
  /** Ids of delivered messages; empty to only activate the sender. */
  readonly ids: Set<string>
  cancel: Cancel
}

/** Entry of the log between nodes. */
export interface LoggedMessage {
  readonly sender: Address
  readonly message: OutboxMessage
}

interface RelayOptions {
  readonly ask: AskActor
  readonly clock: Clock
  readonly logger: Logger
  /** Log between nodes; null where there is none. */
  readonly log: OutboxMessages | null
}

/** Log of outbox messages between nodes, each for the node that owns its receiver. See `OutboxLog`. */
export interface OutboxMessages extends Pick<OutboxLog, 'take'> {
  append(to: Address, id: string, body: unknown): Promise<void>
}

export function createRelay({ ask, clock, logger, log }: RelayOptions): Relay {
  const sendings = new Map<string, Sending>()
  /** Pending, by the sender's address key. */
  const reports = new Map<string, Report>()
  /** Number of outbox messages from the log that are being delivered, by subject. */
  const taken = new Map<string, number>()
  let isStopped = false

  async function attempt(key: string, sending: Sending): Promise<void> {
    const { sender, message } = sending
    sending.tries += 1
    if (sending.tries === 1 && (await deliverByLog(sending))) {
      sendings.delete(key)
      return
    }
    if (!(await deliver(message, sending.isRepeated || sending.tries > 1))) {
      if (isStopped) return
      sending.cancelRetry = clock.after(retryMs(sending.tries), () => void attempt(key, sending))
      return
    }
    sendings.delete(key)
    reportDelivered(sender, message.id)
  }

  /** Asks the receiver. Resolves to true if it accepted the message or refused it for good; to false if not, or once the relay stopped. */
  async function deliver({ id, to, command, trace }: OutboxMessage, isRepeated: boolean): Promise<boolean> {
    try {
      await ask(to, command, { deadlineMs: ASK_MS_MAX, requestId: id, isRepeated, trace })
    } catch (error) {
      if (isPassing(error)) return false
      // Refused for good: the receiver is gone, or knows nothing of the sender any more.
      if (!isStopped)
        logger.debug({ code: isDomainError(error) ? error.code : 'unknown', type: command.type }, 'An outbox message was refused')
    }
    return !isStopped
  }

  /** Appends the message to the log. Resolves to whether it was delivered from there, as the sender's record tells. */
  async function deliverByLog(sending: Sending): Promise<boolean> {
    const { sender, message } = sending
    if (log === null || !DRIFT_EVENTS.has(message.command.type)) return false
    const delivered = new Promise<boolean>((resolve) => {
      const cancel = clock.after(LOG_MS_MAX, () => resolve(false))
      sending.cancelRetry = cancel
      sending.settled = () => {
        cancel()
        resolve(true)
      }
    })
    const body: LoggedMessage = { sender, message }
    if (await hasSucceeded(log.append(message.to, message.id, body))) return delivered
    sending.cancelRetry()
    return false
  }

  function reportDelivered(sender: Address, ...ids: readonly string[]): void {
    const key = addressKey(sender)
    const known = reports.get(key)
    for (const id of ids) known?.ids.add(id)
    if (known !== undefined) return
    const report: Report = { sender, ids: new Set(ids), cancel: () => undefined }
    reports.set(key, report)
    report.cancel = clock.after(SETTLE_MS, () => void deliverReport(key, report))
  }

  /** Retries until the sender accepts the report, as nothing else may activate it for long. A sender that is gone has no outbox. */
  async function deliverReport(key: string, report: Report, tries = 1): Promise<void> {
    const { sender } = report
    const command: SettleMessages = { type: 'outbox.settle', ids: [...report.ids] }
    const isHeard = await ask(sender, command, { deadlineMs: ASK_MS_MAX }).then(
      () => true,
      (error: unknown) => !isPassing(error)
    )
    if (isStopped) return
    if (isHeard) for (const id of command.ids) report.ids.delete(id)
    if (isHeard && report.ids.size === 0) reports.delete(key)
    else if (isHeard) report.cancel = clock.after(SETTLE_MS, () => void deliverReport(key, report))
    else report.cancel = clock.after(retryMs(tries), () => void deliverReport(key, report, tries + 1))
  }

  return {
    get pending() {
      return sendings.size
    },
    async send(sender, messages, { isRepeated } = { isRepeated: false }) {
      const tries: Promise<void>[] = []
      let awaitedMs = 0
      for (const message of messages) {
        const key = keyOf(sender, message.id)
        if (isStopped || sendings.has(key)) continue
        const sending: Sending = { sender, message, isRepeated, tries: 0, cancelRetry: () => undefined, settled: () => undefined }
        sendings.set(key, sending)
        const first = attempt(key, sending)
        if (!message.isAwaited) continue
        tries.push(first)
        awaitedMs = Math.max(awaitedMs, message.awaitedMs ?? FIRST_TRY_MS_MAX)
      }
      if (tries.length > 0) await orTimeout(Promise.all(tries), { clock, limitMs: awaitedMs })
    },
    async take({ sender, message }, { isRepeated } = { isRepeated: false }) {
      const { subject } = sender
      const own = taken.get(subject) ?? 0
      if (isStopped || own >= SUBJECT_TAKEN_MAX) return false
      taken.set(subject, own + 1)
      const isDelivered = await deliver(message, isRepeated)
      const left = (taken.get(subject) ?? 1) - 1
      if (left === 0) taken.delete(subject)
      else taken.set(subject, left)
      if (isDelivered) reportDelivered(sender, message.id)
      return isDelivered
    },
    wake: (sender) => reportDelivered(sender),
    isDelivered: (sender, id) => reports.get(addressKey(sender))?.ids.has(id) === true,
    settled(sender, ids) {
      for (const id of ids) sendings.get(keyOf(sender, id))?.settled()
    },
    stop() {
      isStopped = true
      for (const { cancelRetry } of sendings.values()) cancelRetry()
      for (const { cancel } of reports.values()) cancel()
      sendings.clear()
      reports.clear()
    }
  }
}

/** Returns the milliseconds before the next try after `tries` tries. */
function retryMs(tries: number): number {
  return Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (tries - 1))
}

function isPassing(error: unknown): boolean {
  return isDomainError(error) && PASSING.has(error.code)
}

function keyOf(sender: Address, id: string): string {
  return `${addressKey(sender)}/${id}`
}
