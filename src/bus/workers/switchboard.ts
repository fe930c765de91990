/** Passes messages between the workers of one machine. It runs in the process that starts them, and outlives each of them. */
import { toRefusal } from '../../domain/refusal.js'
import type { Clock } from '../../ports.js'
import { encodeMessage } from '../message-codec.js'
import { createKeptMessages } from './kept-messages.js'
import { doesNotKeepUp, type FromWorker, isMatch, type ToWorker, UNREAD_BYTES_MAX, type WorkerAsk } from './messages.js'

/** Bytes of a message without its body. */
const HEAD_BYTES = 256

export interface Switchboard {
  /** Connects the process of a worker. The previous process of that name has ended. `send` calls `written` once the message has left. */
  plugIn(name: string, send: (message: ToWorker, written: () => void) => void): Plug
}

interface Plug {
  receive(message: FromWorker): void
  /** Disconnects the process, which has ended. Idempotent. */
  pullOut(): void
}

interface Worker {
  readonly name: string
  readonly send: (message: ToWorker) => void
  /** Whether too many bytes wait for it. */
  readonly isFull: () => boolean
  readonly subscribed: Set<string>
  /** Keys of its pending requests in the switchboard, by the number that it gave them. */
  readonly asked: Map<number, number>
}

interface Pending {
  readonly asker: Worker
  /** Number that the asker gave the request. */
  readonly number: number
  readonly answerer: Worker
}

/** Refusal of an ask that was not passed on. */
const FULL = { data: encodeMessage(toRefusal(doesNotKeepUp())), isDivided: false, isRefusal: true } as const

export function createSwitchboard({ clock }: { readonly clock: Clock }): Switchboard {
  const workers = new Set<Worker>()
  const served = new Map<string, Worker>()
  const pending = new Map<number, Pending>()
  const kept = createKeptMessages({ clock })
  let asks = 0

  function pass(asker: Worker, { number, topic, ...message }: WorkerAsk): void {
    const answerer = served.get(topic)
    if (answerer === undefined) return asker.send({ type: 'unreachable', number })
    if (answerer.isFull()) return asker.send({ type: 'answered', number, ...FULL })
    asks += 1
    asker.asked.set(number, asks)
    pending.set(asks, { asker, number, answerer })
    answerer.send({ ...message, type: 'asked', number: asks, topic, from: asker.name })
  }
  function end(key: number, { asker, number }: Pending): void {
    pending.delete(key)
    asker.asked.delete(number)
  }
  /** Accepts one answer, from the worker that was asked. */
  function answer(answerer: Worker, message: Extract<FromWorker, { type: 'answer' }>): void {
    const asked = pending.get(message.number)
    if (asked?.answerer !== answerer) return
    end(message.number, asked)
    if (!asked.asker.isFull()) asked.asker.send({ ...message, type: 'answered', number: asked.number })
  }
  function withdraw(asker: Worker, number: number): void {
    const key = asker.asked.get(number)
    const asked = key === undefined ? undefined : pending.get(key)
    if (key !== undefined && asked !== undefined) end(key, asked)
  }
  function receive(worker: Worker, message: FromWorker): void {
    switch (message.type) {
      case 'serve':
        served.set(message.topic, worker)
        break
      case 'unserve':
        if (served.get(message.topic) === worker) served.delete(message.topic)
        break
      case 'subscribe':
        worker.subscribed.add(message.topic)
        break
      case 'unsubscribe':
        worker.subscribed.delete(message.topic)
        break
      case 'publish': {
        const { topic, data } = message
        for (const { subscribed, send, isFull } of workers)
          if (!isFull() && [...subscribed].some((known) => isMatch(known, topic))) send({ type: 'published', topic, data })
        break
      }
      case 'ask':
        pass(worker, message)
        break
      case 'withdraw':
        withdraw(worker, message.number)
        break
      case 'answer':
        answer(worker, message)
        break
      case 'check':
        worker.send({ type: 'done', number: message.number })
        break
      case 'keep':
        worker.send({ type: kept.keep(message) ? 'done' : 'unreachable', number: message.number })
        break
      case 'take':
        kept.take(worker.name, worker.send)
        break
      case 'leave':
        kept.leave(worker.name, worker.send)
        break
      case 'delivered':
        kept.settle(worker.name, message)
        break
    }
  }

  return {
    plugIn(name, write) {
      let unreadBytes = 0
      const send = (message: ToWorker): void => {
        const bytes = HEAD_BYTES + ('data' in message ? message.data.length : 0)
        unreadBytes += bytes
        write(message, () => (unreadBytes -= bytes))
      }
      const worker: Worker = { name, send, isFull: () => unreadBytes >= UNREAD_BYTES_MAX, subscribed: new Set(), asked: new Map() }
      workers.add(worker)
      return {
        receive: (message) => receive(worker, message),
        pullOut() {
          workers.delete(worker)
          for (const [topic, server] of served) if (server === worker) served.delete(topic)
          // The askers learn from the membership that it is gone. The requests it had may have been carried out.
          for (const [key, asked] of pending) if (asked.asker === worker || asked.answerer === worker) end(key, asked)
          kept.leave(name, send)
        }
      }
    }
  }
}
