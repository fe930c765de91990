/**
 * The bus between the workers of one machine, over each worker's line to the switchboard; asks and answers over those between the workers.
 * Large messages are transferred in parts.
 */
import { DomainError, hasCode, late } from '../../domain/errors.js'
import { isRefusal, toDomainError } from '../../domain/refusal.js'
import type { Clock, Logger, NodeBus, OutboxLog } from '../../ports.js'
import { decodeMessage, encodeMessage } from '../message-codec.js'
import { type Packed, unpack } from '../packing.js'
import { unreachable, withoutAnswer } from '../refusals.js'
import type { FetchOptions, Offer } from '../transfers.js'
import { type Answered, type Asked, createWorkerExchange } from './exchange.js'
import { type Content, isMatch, type ToWorker, type WorkerLine, workerOf } from './messages.js'
import { createWorkerTransfers } from './transfers.js'

interface WorkerBusOptions {
  /** Name of this worker. */
  readonly name: string
  readonly line: WorkerLine
  readonly clock: Clock
  readonly logger: Logger
  /** Maximum bytes of incoming large messages, and as many of outgoing ones. Default: see `createTransfers`. */
  readonly transferBytesMax?: number
}

/**
 * Maximum bytes of a body that is sent in one piece. What may be held for a worker that stands still is this many for each of its requests
 * under way.
 */
const WHOLE_BYTES_MAX = 256 * 1024

/** Milliseconds for the switchboard to answer a check or to keep an outbox message. */
const SWITCHBOARD_MS_MAX = 2_000

type Listener = (body: unknown, topic: string) => void

export function createWorkerBus({ name, line, clock, logger, transferBytesMax }: WorkerBusOptions): NodeBus {
  const listeners = new Map<string, Set<Listener>>()
  const exchange = createWorkerExchange({ line, clock, logger })
  const transfers = createWorkerTransfers({ exchange, clock, name, bytesMax: transferBytesMax })
  let deliver: Parameters<OutboxLog['take']>[0] | null = null
  let isClosed = false

  function toContent(packed: Packed, options: { readonly to: string; readonly keepMs: number }): { content: Content; offer: Offer | null } {
    if (packed.data.length <= WHOLE_BYTES_MAX) return { content: packed, offer: null }
    const offer = transfers.offer(packed.data, options)
    return { content: { data: offer.ticket, isDivided: packed.isDivided, isTicket: true }, offer }
  }
  async function read({ data, isDivided, isTicket }: Content, fetching: FetchOptions): Promise<unknown> {
    return unpack(clock, { data: isTicket === true ? await transfers.fetch(data, fetching) : data, isDivided })
  }
  async function readAnswer(answered: Answered, fetching: FetchOptions): Promise<unknown> {
    if (answered.isRefusal) {
      const refusal = decodeMessage(answered.data)
      throw isRefusal(refusal) ? toDomainError(refusal) : new DomainError('internal', 'Internal error')
    }
    return read(answered, fetching).catch((error: unknown) => {
      // The request was carried out, so an answer that broke off must not be reported as `unreachable`.
      throw hasCode(error, 'unreachable') ? late() : withoutAnswer(error)
    })
  }
  async function answer({ content, from, untilMs }: Asked, handler: Parameters<NodeBus['serve']>[1]): Promise<Content | null> {
    const body = await read(content, { from, untilMs })
    if (clock.monotonicMs() >= untilMs) return null
    const reply = await handler(body, from)
    try {
      const packed = await transfers.pack(reply, { to: from })
      const keepMs = untilMs - clock.monotonicMs()
      return keepMs <= 0 ? null : toContent(packed, { to: from, keepMs }).content
    } catch (error) {
      throw withoutAnswer(error)
    }
  }
  async function handOver({ id, data, isRepeated }: Extract<ToWorker, { type: 'deliver' }>): Promise<void> {
    const isDone = await Promise.resolve(deliver?.(decodeMessage(data), { isRepeated }) ?? false).catch(() => false)
    if (!isClosed) line.send({ type: 'delivered', id, isDone })
  }
  line.listen((message) => {
    if (isClosed) return
    switch (message.type) {
      case 'published':
        for (const [topic, own] of listeners)
          if (isMatch(topic, message.topic)) for (const listener of own) listener(decodeMessage(message.data), message.topic)
        break
      case 'deliver':
        void handOver(message)
        break
      default:
        exchange.hear(message)
    }
  })

  return {
    serve: (topic, handler) => exchange.serve(topic, (asked) => answer(asked, handler)),
    async request(topic, body, { deadlineMs, signal, largeAnswer }) {
      const untilMs = clock.monotonicMs() + deadlineMs
      const from = workerOf(topic)
      const packed = await transfers.pack(body, { to: from })
      const waitMs = untilMs - clock.monotonicMs()
      const { content, offer } = toContent(packed, { to: from, keepMs: waitMs })
      try {
        return await readAnswer(await exchange.ask(topic, content, { waitMs, signal }), { from, untilMs, signal, told: largeAnswer })
      } finally {
        offer?.withdraw()
      }
    },
    publish(topic, body) {
      if (!isClosed) line.send({ type: 'publish', topic, data: encodeMessage(body) })
    },
    subscribe(topic, listener) {
      const known = listeners.get(topic)
      const own = known ?? new Set<Listener>()
      listeners.set(topic, own.add(listener))
      if (known === undefined) line.send({ type: 'subscribe', topic })
      return () => {
        own.delete(listener)
        if (own.size > 0 || listeners.get(topic) !== own) return
        listeners.delete(topic)
        line.send({ type: 'unsubscribe', topic })
      }
    },
    check: () => exchange.askSwitchboard(SWITCHBOARD_MS_MAX, (number) => ({ type: 'check', number })),
    // A worker whose line to the switchboard is lost ends.
    connections: () => 1,
    outbox: {
      async append(to, id, body) {
        const data = encodeMessage(body)
        await exchange
          .askSwitchboard(SWITCHBOARD_MS_MAX, (number) => ({ type: 'keep', number, to, id, data }))
          .catch(() => {
            throw unreachable()
          })
      },
      take(own) {
        deliver = own
        line.send({ type: 'take' })
        return () => {
          if (deliver !== own) return
          deliver = null
          line.send({ type: 'leave' })
        }
      }
    },
    async close() {
      if (isClosed) return
      transfers.close()
      exchange.close()
      for (const topic of listeners.keys()) line.send({ type: 'unsubscribe', topic })
      if (deliver !== null) line.send({ type: 'leave' })
      isClosed = true
    }
  }
}
