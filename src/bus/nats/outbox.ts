/** Outbox messages between nodes. JetStream keeps each until the receiving node has delivered it: at least once, in no order. */
import { isDomainError } from '../../domain/errors.js'
import type { Cancel, Clock, Logger, OutboxLog } from '../../ports.js'
import { decodeMessage, encodeMessage } from '../message-codec.js'
import { unreachable } from '../refusals.js'
import type { Message, NatsLink } from './connection.js'
import type { Exchange } from './exchange.js'
import { createJetStream, type JetStream, NANOSECONDS } from './jetstream.js'
import { deliveryTopic, ensureOutbox, isSettling, MESSAGES_AT_ONCE, MissingStream, outboxTopic, streamOf } from './outbox-stream.js'
import { HEADERS_BYTES_MAX } from './transfers.js'

type Deliver = Parameters<OutboxLog['take']>[0]

interface OutboxLogOptions {
  readonly link: NatsLink
  readonly exchange: Exchange
  readonly clock: Clock
  readonly logger: Logger
  /** Name of the node. */
  readonly name: string
}

interface NatsOutbox {
  readonly log: OutboxLog
  /** Resolves when outbox messages can be kept, as far as is known. Throws an Error with a sentence when the stream must not be used. */
  check(): Promise<void>
  /** Resolves once undelivered messages are returned to the stream, if there is a connection. Idempotent. */
  close(): Promise<void>
}

/** Milliseconds for the server to stop sending. */
const STOP_MS_MAX = 1_000

/** Milliseconds between two checks of the stream and its consumer, and before the next one when JetStream did not answer. */
const LOOK_MS = 30_000
const LOOK_AGAIN_MS = 1_000

/** Milliseconds before an undelivered outbox message is redelivered, doubled each time. */
const REDELIVERY_MS_MIN = 100
const REDELIVERY_MS_MAX = 30_000

export function createOutboxLog(options: OutboxLogOptions): NatsOutbox {
  const { link, exchange, name } = options
  const jetStream = createJetStream(exchange)
  const takers = new Set<Taker>()
  let stopLooking: Cancel = () => undefined

  const log: OutboxLog = {
    async append(to, id, body) {
      const data = encodeMessage(body)
      if (data.length > link.payloadMax - HEADERS_BYTES_MAX) throw new RangeError('An outbox message must fit into one message')
      const kept = await jetStream.keep(outboxTopic(to, name), id, data).catch((error: unknown) => {
        if (isDomainError(error)) throw unreachable()
        throw error
      })
      if (kept.stream !== streamOf(to)) throw unreachable()
    },
    take(deliver) {
      const taker = takeMessages(options, deliver)
      takers.add(taker)
      if (takers.size === 1) stopLooking = keepEnsuring(options, jetStream)
      return taker.stop
    }
  }
  return {
    log,
    async check() {
      // JetStream may still be starting, or an operator be late: until it works, senders deliver outbox messages themselves.
      await ensureOutbox(jetStream, name).catch((error: unknown) => {
        if (!isDomainError(error) && !(error instanceof MissingStream)) throw error
      })
    },
    async close() {
      stopLooking()
      await Promise.all(Array.from(takers, (taker) => taker.stopped()))
      for (const { giveBack } of takers) giveBack()
      takers.clear()
    }
  }
}

/** Ensures the stream now, after each reconnection, and periodically: it may have been deleted. */
function keepEnsuring({ link, clock, logger, name }: OutboxLogOptions, jetStream: JetStream): Cancel {
  let isStopped = false
  // Stryker disable next-line StringLiteral: no problem has the text that would replace it.
  let known = ''
  let cancelLook: Cancel = () => undefined
  const look = async (): Promise<void> => {
    cancelLook()
    let delayMs = LOOK_MS
    try {
      await ensureOutbox(jetStream, name)
      known = ''
    } catch (error) {
      const problem = isDomainError(error) || !(error instanceof Error) ? '' : error.message
      if (problem === '') delayMs = LOOK_AGAIN_MS
      // Logged once, not with every check.
      else if (problem !== known) logger.error({ problem }, 'Outbox messages for this node cannot be kept')
      known = problem
    }
    cancelLook()
    if (!isStopped) cancelLook = clock.after(delayMs, () => void look())
  }
  const stopWatching = link.onReconnect(() => void look())
  void look()
  return () => {
    isStopped = true
    cancelLook()
    stopWatching()
  }
}

interface Taker {
  /** Takes no more outbox messages and returns unsettled ones to the stream, for the node's next process. Idempotent. */
  readonly stop: Cancel
  /** Resolves once that is done, if there is a connection. */
  stopped(): Promise<void>
  /** Also returns messages whose delivery is in progress. */
  giveBack(): void
}

/** An outbox message that JetStream waits to hear about. */
interface Handed {
  readonly message: Message
  /** The acknowledgement to send; null while the message is being delivered. */
  word: string | null
}

/**
 * Takes messages from the server and delivers them; the consumer limits how many at once. A message that the server sends before it notices
 * that the node no longer listens is lost until its delivery times out. So a node that stops first withholds its acknowledgements, which
 * stops further deliveries, and only then stops listening.
 */
function takeMessages(options: OutboxLogOptions, deliver: Deliver): Taker {
  const { link, clock, logger, name } = options
  const inHand = new Set<Handed>()
  /** Outbox messages that were still pending on the server when it delivered the last one. */
  let behind = 0
  let isListening = true
  let stopping: Promise<void> | null = null
  let isQuiet: () => void = () => undefined

  const tell = (handed: Handed): void => {
    if (handed.word === null || (stopping !== null && isListening)) return
    inHand.delete(handed)
    link.publish(handed.message.reply, new TextEncoder().encode(handed.word))
  }
  const take = async (handed: Handed): Promise<void> => {
    inHand.add(handed)
    handed.word = stopping === null ? await settle(logger, handed.message, deliver) : GIVEN_BACK
    tell(handed)
  }
  const stopListening = link.subscribe(
    deliveryTopic(name),
    (message) => {
      // Only the server delivers outbox messages; the reply address proves that it did.
      if (!message.topic.startsWith(outboxTopic(name, '')) || !isSettling(message.reply, name)) return
      behind = countsOf(message.reply).behind
      void take({ message, word: null })
      if (isAllHere()) isQuiet()
    },
    { isDrained: true }
  )
  const isAllHere = (): boolean => behind === 0 || inHand.size >= MESSAGES_AT_ONCE
  const stop = async (): Promise<void> => {
    if (!isAllHere()) {
      await new Promise<void>((resolve) => {
        isQuiet = resolve
        clock.after(STOP_MS_MAX, resolve)
      })
    }
    stopListening()
    // By then everything has arrived that the server sent before it knew.
    await link.flush(STOP_MS_MAX).catch(() => undefined)
    isListening = false
    for (const handed of [...inHand]) tell(handed)
  }
  return {
    stop: () => void (stopping ??= stop()),
    stopped: () => (stopping ??= stop()),
    giveBack() {
      for (const handed of [...inHand]) {
        handed.word ??= GIVEN_BACK
        tell(handed)
      }
    }
  }
}

const GIVEN_BACK = '-NAK'

/** Delivers an outbox message and returns the acknowledgement for JetStream. */
async function settle(logger: Logger, message: Message, deliver: Deliver): Promise<string> {
  const read = readMessage(message.data)
  if (read === null) {
    logger.error({}, 'An outbox message that no node has written was dropped')
    return '+TERM'
  }
  const { deliveries } = countsOf(message.reply)
  if (await isDelivered(() => deliver(read.body, { isRepeated: deliveries > 1 }))) return '+ACK'
  const delayMs = Math.min(REDELIVERY_MS_MAX, REDELIVERY_MS_MIN * 2 ** Math.min(deliveries - 1, 30))
  return `-NAK ${JSON.stringify({ delay: delayMs * NANOSECONDS })}`
}

async function isDelivered(deliver: () => Promise<boolean>): Promise<boolean> {
  try {
    return await deliver()
  } catch {
    return false
  }
}

/** Returns null for bytes that are no outbox message. */
function readMessage(data: Uint8Array): { readonly body: unknown } | null {
  try {
    return { body: decodeMessage(data) }
  } catch {
    return null
  }
}

/**
 * How often this message was delivered, including this time, and how many are still pending. Both follow the consumer's name in the reply
 * topics that `isSettling` accepts.
 */
function countsOf(reply: string): { readonly deliveries: number; readonly behind: number } {
  const tokens = reply.split('.')
  const at = tokens.length > 9 ? 6 : 4
  return { deliveries: Number(tokens[at]) || 1, behind: Number(tokens[at + 4]) || 0 }
}
