/**
 * The bus between nodes, over NATS. A request and its answer are one message each; large ones are transferred in parts (`transfers.ts`).
 */
import { DomainError, isDomainError, late } from '../../domain/errors.js'
import { ASK_MS_MAX } from '../../domain/limits.js'
import type { BusRequestOptions } from '../../domain/nodes/bus-request.js'
import { isRefusal, toDomainError, toRefusal } from '../../domain/refusal.js'
import type { Cancel, Clock, Logger, NodeBus } from '../../ports.js'
import { decodeMessage, encodeMessage } from '../message-codec.js'
import { unpack as unpackBody } from '../packing.js'
import { unreachable, withoutAnswer } from '../refusals.js'
import type { FetchOptions, Transfers } from '../transfers.js'
import { connectNats, type Headers, type Message, type NatsLink } from './connection.js'
import { type Asked, createExchange, type Exchange } from './exchange.js'
import { nodeOf } from './names.js'
import { createOutboxLog } from './outbox.js'
import { createTransfers, HEADERS_BYTES_MAX } from './transfers.js'

export interface NatsBus extends NodeBus {
  /** Whether there is a connection now. */
  readonly isConnected: boolean
}

interface NatsBusOptions {
  /** `nats://user:password@host:port`, or `tls://`; several separated by commas. */
  readonly url: string
  /** The node's id: letters, digits, _ and -. Under `nats.conf` also its user name. */
  readonly name: string
  readonly clock: Clock
  readonly logger: Logger
  /** Maximum bytes of incoming large messages, and as many of outgoing ones. Default: see `createTransfers`. */
  readonly transferBytesMax?: number
}

/** Milliseconds that the asking node still waits. A request without it does not come from a node of this service. */
const LEFT_HEADER = 'Engram-Left-Ms'

/** Form of a message's data when it is not the body itself: a ticket or a refusal. */
const FORM_HEADER = 'Engram-Form'
const TICKET: Headers = { [FORM_HEADER]: 'ticket' }
const REFUSAL: Headers = { [FORM_HEADER]: 'refusal' }

/** Marks a message whose long lists were packed separately. */
const DIVIDED_HEADER = 'Engram-Divided'
const DIVIDED: Headers = { [DIVIDED_HEADER]: '1' }

/** Milliseconds for a server to answer a check. By then, heartbeats of half a second have gone missing. */
const CHECK_MS_MAX = 2_000

interface Parts {
  readonly link: NatsLink
  readonly exchange: Exchange
  readonly transfers: Transfers
  readonly clock: Clock
  readonly logger: Logger
}

/** Connects. Throws as `connectNats` does, and a plain Error with a sentence when the stream of outbox messages must not be used. */
export async function createNatsBus(options: NatsBusOptions): Promise<NatsBus> {
  const { clock, logger, name } = options
  const link = await connectNats(options)
  const exchange = createExchange({ link, clock, name })
  const transfers = createTransfers({ link, exchange, clock, name, bytesMax: options.transferBytesMax })
  const parts: Parts = { link, exchange, transfers, clock, logger }
  const messages = createOutboxLog({ link, exchange, clock, logger, name })
  try {
    await messages.check()
  } catch (error) {
    await link.close()
    throw error
  }
  const served = new Set<string>()
  let closing: Promise<void> | undefined

  return {
    get isConnected() {
      return link.isReady
    },
    connections: () => link.connections(),
    serve(topic, handler) {
      if (served.has(topic)) throw new Error('This topic is served already')
      served.add(topic)
      return once(
        exchange.serve(topic, (asked) => void answer(parts, asked, handler)),
        () => served.delete(topic)
      )
    },
    request: (topic, body, { deadlineMs, ...options }) =>
      request(parts, topic, body, { ...options, untilMs: clock.monotonicMs() + deadlineMs }),
    publish(topic, body) {
      const data = encodeMessage(body)
      if (isTooLarge(link, data)) throw new RangeError('What is published must fit into one message')
      link.publish(topic, data)
    },
    subscribe: (topic, listener) => link.subscribe(topic, (message) => listener(decodeMessage(message.data), message.topic)),
    async check() {
      await link.flush(CHECK_MS_MAX)
    },
    outbox: messages.log,
    close() {
      closing ??= (async () => {
        await messages.close()
        await link.close()
        transfers.close()
        exchange.close()
      })()
      return closing
    }
  }
}

interface Asking extends Omit<BusRequestOptions, 'deadlineMs'> {
  /** Monotonic milliseconds. */
  readonly untilMs: number
}

async function request(parts: Parts, topic: string, body: unknown, { untilMs, signal, largeAnswer, lineLost }: Asking): Promise<unknown> {
  const { link, exchange, transfers, clock } = parts
  if (!link.isReady) throw unreachable()
  const from = nodeOf(topic)
  const { data, form } = await pack(parts, body, from)
  const waitMs = untilMs - clock.monotonicMs()
  const left = { ...form, [LEFT_HEADER]: String(Math.floor(waitMs)) }
  const offer = isTooLarge(link, data) ? transfers.offer(data, { to: from, keepMs: waitMs }) : null
  try {
    const headers = offer === null ? left : { ...left, ...TICKET }
    const message = await exchange.ask({ topic, data: offer?.ticket ?? data, headers, waitMs, signal, lineLost })
    return await readAnswer(parts, message, { from, untilMs, signal, told: largeAnswer })
  } finally {
    offer?.withdraw()
  }
}

async function readAnswer(parts: Parts, message: Message, fetching: FetchOptions): Promise<unknown> {
  const form = message.header(FORM_HEADER)
  try {
    if (form === REFUSAL[FORM_HEADER]) throw toRefused(decodeMessage(message.data))
    return await unpack(parts, message, fetching)
  } catch (error) {
    // No cause is attached: the codec's errors quote the unreadable bytes.
    if (!isDomainError(error)) throw new DomainError('internal', 'Internal error')
    if (form !== TICKET[FORM_HEADER]) throw error
    // The request was carried out, so a broken answer must not be reported as `unreachable`.
    throw error.code === 'unreachable' ? late() : withoutAnswer(error)
  }
}

/** A body that is no refusal counts as an unreadable answer. */
function toRefused(body: unknown): Error {
  return isRefusal(body) ? toDomainError(body) : new TypeError('Not a refusal')
}

/** Passes a request to its handler and sends the answer. Never throws. */
async function answer(parts: Parts, asked: Asked, handler: (body: unknown, from: string) => Promise<unknown>): Promise<void> {
  const { clock, logger } = parts
  const { message, from } = asked
  // Nobody waits longer than this, so nothing is kept longer either.
  const leftMs = Math.min(ASK_MS_MAX, Number(message.header(LEFT_HEADER)))
  // Nobody waits any more, or it is not a request of this service.
  if (message.reply === '' || !(leftMs > 0)) return
  const untilMs = clock.monotonicMs() + leftMs
  try {
    const read = await readRequest(parts, message, { from, untilMs })
    if (read === null || clock.monotonicMs() >= untilMs) return
    await giveAnswer(parts, asked, { reply: await handler(read.body, from), untilMs })
  } catch (error) {
    if (!isDomainError(error)) logger.error({ err: error }, 'A request from another node failed')
    asked.answer(encodeMessage(toRefusal(error)), REFUSAL)
  }
}

/** Packs the reply and sends it, while its caller waits. */
async function giveAnswer(parts: Parts, { from, answer }: Asked, { reply, untilMs }: { reply: unknown; untilMs: number }): Promise<void> {
  try {
    const { data, form } = await pack(parts, reply, from)
    const keepMs = untilMs - parts.clock.monotonicMs()
    if (keepMs <= 0) return
    if (isTooLarge(parts.link, data)) answer(parts.transfers.offer(data, { to: from, keepMs }).ticket, { ...form, ...TICKET })
    else answer(data, form)
  } catch (error) {
    throw withoutAnswer(error)
  }
}

/** Returns null for bytes that are no request. */
async function readRequest(parts: Parts, message: Message, fetching: FetchOptions): Promise<{ readonly body: unknown } | null> {
  try {
    return { body: await unpack(parts, message, fetching) }
  } catch (error) {
    if (isDomainError(error)) throw error
    parts.logger.warn({}, 'A message that no node has sent was dropped')
    return null
  }
}

async function pack({ transfers }: Parts, body: unknown, to: string): Promise<{ readonly data: Uint8Array; readonly form: Headers }> {
  const { data, isDivided } = await transfers.pack(body, { to })
  return { data, form: isDivided ? DIVIDED : {} }
}

/** Returns the body of a message, fetched by its ticket if it has one. */
async function unpack({ transfers, clock }: Parts, message: Message, fetching: FetchOptions): Promise<unknown> {
  const isTicket = message.header(FORM_HEADER) === TICKET[FORM_HEADER]
  const data = isTicket ? await transfers.fetch(message.data, fetching) : message.data
  return unpackBody(clock, { data, isDivided: message.header(DIVIDED_HEADER) !== '' })
}

function isTooLarge(link: NatsLink, data: Uint8Array): boolean {
  return data.length > link.payloadMax - HEADERS_BYTES_MAX
}

/** Calls both, on the first call only. */
function once(cancel: Cancel, also: () => void): Cancel {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    cancel()
    also()
  }
}
