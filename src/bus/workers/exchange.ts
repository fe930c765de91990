/**
 * Asks and answers of one worker: over its line to the worker asked, or, before there is one and once that has ended, over the switchboard,
 * which knows who is there. A process costs less where none passes its messages on.
 */
import { deadlinePassed, DomainError, isDomainError, late } from '../../domain/errors.js'
import { toRefusal } from '../../domain/refusal.js'
import type { Cancel, Clock, Logger } from '../../ports.js'
import { encodeMessage } from '../message-codec.js'
import { unreachable } from '../refusals.js'
import { type Content, doesNotKeepUp, type FromWorker, type ToWorker, type WorkerAnswer, type WorkerLine, workerOf } from './messages.js'
import { createPeerLine, type PeerLine } from './peer-line.js'

export type Answered = Extract<ToWorker, { type: 'answered' }>
type Settled = Extract<ToWorker, { type: 'answered' | 'done' | 'unreachable' }>
type AskedMessage = Extract<ToWorker, { type: 'asked' }>

export interface Asked {
  readonly content: Content
  readonly from: string
  /** Monotonic milliseconds until which its sender waits. */
  readonly untilMs: number
}

/** Resolves with null when no answer is due. */
type AskHandler = (asked: Asked) => Promise<Content | null>

interface WaitOptions {
  readonly waitMs: number
  readonly signal?: AbortSignal | undefined
}

export interface WorkerExchange {
  /**
   * Throws `unreachable` when nobody serves the topic, `busy` when its worker does not read, `deadline_passed` after `waitMs` or once
   * `signal` was aborted.
   */
  ask(topic: string, content: Content, options: WaitOptions): Promise<Answered>
  /** Sends a message with a number to the switchboard itself, and resolves once it says that it is done. Throws as `ask` does. */
  askSwitchboard(waitMs: number, message: (number: number) => FromWorker): Promise<void>
  serve(topic: string, handler: AskHandler): Cancel
  /** Handles what the switchboard said of an ask. */
  hear(message: AskedMessage | Settled): void
  /** Serves nothing any more; waiting callers get `deadline_passed`. */
  close(): void
}

interface ExchangeOptions {
  readonly line: Pick<WorkerLine, 'send' | 'meet'>
  readonly clock: Clock
  readonly logger: Logger
}

export function createWorkerExchange({ line, clock, logger }: ExchangeOptions): WorkerExchange {
  const handlers = new Map<string, AskHandler>()
  const waiting = new Map<number, (settled: Settled | DomainError) => void>()
  const peers = new Map<string, PeerLine>()
  let numbers = 0
  let isClosed = false

  /** Resolves with the reply to a message of this number. The message is withdrawn after `waitMs`, or once `signal` is aborted. */
  function settled({ waitMs, signal }: WaitOptions, send: (number: number) => void): Promise<Settled> {
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
        // Of what was sent to a worker itself, the switchboard knows nothing; its answer is dropped here.
        line.send({ type: 'withdraw', number })
        settle(late())
      }
      const cancel = clock.after(waitMs, giveUp)
      signal?.addEventListener('abort', giveUp)
      waiting.set(number, settle)
      send(number)
    })
  }
  async function answer({ number, topic, from, leftMs, ...message }: AskedMessage, reply: (answer: WorkerAnswer) => void): Promise<void> {
    const { type: _, ...content } = message
    try {
      const handler = isClosed ? undefined : handlers.get(topic)
      if (handler === undefined) throw unreachable()
      const answered = await handler({ content, from, untilMs: clock.monotonicMs() + leftMs })
      if (answered !== null) reply({ type: 'answer', number, ...answered, isRefusal: false })
    } catch (error) {
      if (!isDomainError(error)) logger.error({ err: error }, 'A request from another worker failed')
      reply({ type: 'answer', number, data: encodeMessage(toRefusal(error)), isDivided: false, isRefusal: true })
    }
  }

  line.meet?.((name, socket) => {
    const peer = createPeerLine(socket, {
      hear(message) {
        if (message.type === 'answer') waiting.get(message.number)?.({ ...message, type: 'answered' })
        else void answer({ ...message, type: 'asked', from: name }, (answered) => (peer.isFull() ? undefined : peer.send(answered)))
      },
      ended() {
        if (peers.get(name) === peer) peers.delete(name)
      }
    })
    peers.set(name, peer)
  })

  return {
    async ask(topic, content, options) {
      const peer = peers.get(workerOf(topic))
      if (peer?.isFull() === true) throw doesNotKeepUp()
      const { send } = peer ?? line
      const reply = await settled(options, (number) => send({ type: 'ask', number, topic, leftMs: options.waitMs, ...content }))
      // Nothing else is said of an ask.
      return reply as Answered
    },
    async askSwitchboard(waitMs, message) {
      await settled({ waitMs }, (number) => line.send(message(number)))
    },
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
    hear(message) {
      if (message.type === 'asked') void answer(message, line.send)
      else waiting.get(message.number)?.(message)
    },
    close() {
      for (const topic of handlers.keys()) line.send({ type: 'unserve', topic })
      isClosed = true
      for (const settle of [...waiting.values()]) settle(late())
    }
  }
}
