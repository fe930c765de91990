/** The bus between the workers of one machine, over each worker's line to the switchboard. */
import { deadlinePassed, DomainError, isDomainError, late } from '../../domain/errors.js'
import { isRefusal, toDomainError, toRefusal } from '../../domain/refusal.js'
import type { Clock, Logger, NodeBus, OutboxLog } from '../../ports.js'
import { decodeMessage, encodeMessage } from '../message-codec.js'
import { pack, type Packed, unpack } from '../packing.js'
import { unreachable } from '../refusals.js'
import { isMatch, type ToWorker, type WorkerLine } from './messages.js'

export interface WorkerBusOptions {
  readonly line: WorkerLine
  readonly clock: Clock
  readonly logger: Logger
}

/** Bytes from which the receiver of an answer is asked first whether it has room. */
const LARGE_BYTES = 1024 * 1024

/** Milliseconds for the switchboard to answer a check or to keep an outbox message. */
const SWITCHBOARD_MS_MAX = 2_000

type Handler = (body: unknown, from: string) => Promise<unknown>
type Listener = (body: unknown, topic: string) => void
type Settled = Extract<ToWorker, { type: 'answered' | 'done' | 'unreachable' }>
type Asked = Extract<ToWorker, { type: 'asked' }>

export function createWorkerBus({ line, clock, logger }: WorkerBusOptions): NodeBus {
  const handlers = new Map<string, Handler>()
  const listeners = new Map<string, Set<Listener>>()
  const waiting = new Map<number, (settled: Settled | DomainError) => void>()
  let deliver: Parameters<OutboxLog['take']>[0] | null = null
  let numbers = 0
  let isClosed = false

  /** Resolves with the reply to a message of this number. The message is withdrawn after `waitMs`, or once `signal` is aborted. */
  function settled(waitMs: number, signal: AbortSignal | undefined, send: (number: number) => void): Promise<Settled> {
    return new Promise((resolve, reject) => {
      if (isClosed) return reject(unreachable())
      if (waitMs <= 0 || signal?.aborted === true) return reject(deadlinePassed())
      const number = ++numbers
      const settle = (outcome: Settled | DomainError): void => {
        waiting.delete(number)
        cancel()
        signal?.removeEventListener('abort', giveUp)
        if (outcome instanceof DomainError) reject(outcome)
        else if (outcome.type === 'unreachable') reject(unreachable())
        else resolve(outcome)
      }
      const giveUp = (): void => {
        line.send({ type: 'withdraw', number })
        settle(late())
      }
      const cancel = clock.after(waitMs, giveUp)
      signal?.addEventListener('abort', giveUp)
      waiting.set(number, settle)
      send(number)
    })
  }
  async function answer({ number, topic, from, leftMs, ...packed }: Asked): Promise<void> {
    const untilMs = clock.monotonicMs() + leftMs
    const reply = ({ data, isDivided }: Packed, isRefusal: boolean) => line.send({ type: 'answer', number, data, isDivided, isRefusal })
    try {
      const handler = handlers.get(topic)
      if (handler === undefined) throw unreachable()
      const body = await unpack(clock, packed)
      if (clock.monotonicMs() < untilMs) reply(await pack(clock, await handler(body, from)), false)
    } catch (error) {
      if (!isDomainError(error)) logger.error({ err: error }, 'A request from another worker failed')
      reply({ data: encodeMessage(toRefusal(error)), isDivided: false }, true)
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
      case 'asked':
        void answer(message)
        break
      case 'deliver':
        void handOver(message)
        break
      default:
        waiting.get(message.number)?.(message)
    }
  })

  return {
    serve(topic, handler) {
      if (handlers.has(topic)) throw new Error('This topic is served already')
      handlers.set(topic, handler)
      line.send({ type: 'serve', topic })
      return () => {
        if (handlers.get(topic) !== handler) return
        handlers.delete(topic)
        line.send({ type: 'unserve', topic })
      }
    },
    async request(topic, body, { deadlineMs, signal, largeAnswer }) {
      const untilMs = clock.monotonicMs() + deadlineMs
      const packed = await pack(clock, body)
      const leftMs = untilMs - clock.monotonicMs()
      const found = await settled(leftMs, signal, (number) => line.send({ type: 'ask', number, topic, leftMs, ...packed }))
      return found.type === 'answered' ? readAnswer(clock, found, largeAnswer) : undefined
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
    async check() {
      await settled(SWITCHBOARD_MS_MAX, undefined, (number) => line.send({ type: 'check', number }))
    },
    // A worker whose line to the switchboard is lost ends.
    connections: () => 1,
    outbox: {
      async append(to, id, body) {
        const data = encodeMessage(body)
        await settled(SWITCHBOARD_MS_MAX, undefined, (number) => line.send({ type: 'keep', number, to, id, data })).catch(() => {
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
      for (const topic of handlers.keys()) line.send({ type: 'unserve', topic })
      for (const topic of listeners.keys()) line.send({ type: 'unsubscribe', topic })
      if (deliver !== null) line.send({ type: 'leave' })
      isClosed = true
      for (const settle of [...waiting.values()]) settle(late())
    }
  }
}

type LargeAnswer = ((bytes: number) => void) | undefined

async function readAnswer(clock: Clock, answered: Extract<ToWorker, { type: 'answered' }>, largeAnswer: LargeAnswer): Promise<unknown> {
  if (answered.isRefusal) {
    const refusal = decodeMessage(answered.data)
    throw isRefusal(refusal) ? toDomainError(refusal) : new DomainError('internal', 'Internal error')
  }
  if (answered.data.length > LARGE_BYTES) largeAnswer?.(answered.data.length)
  return unpack(clock, answered)
}
