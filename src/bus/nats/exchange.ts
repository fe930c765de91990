/**
 * Requests and answers. Each request has a token that only its addressee learns, and an inbox that only its addressee may publish to. So a
 * node can answer a request once if it was asked, and no other node can.
 */
import { deadlinePassed, late } from '../../domain/errors.js'
import { randomBytes } from 'node:crypto'
import type { Cancel, Clock } from '../../ports.js'
import { unreachable } from '../refusals.js'
import type { Headers, Message, NatsLink } from './connection.js'
import { inbox, isInbox, requestTopic, nodeOf, senderOf, SERVER } from './names.js'
import { createRecentAnswers } from './recent-answers.js'

export interface Question {
  readonly topic: string
  readonly data: Uint8Array
  readonly headers?: Headers
  readonly waitMs: number
  readonly signal?: AbortSignal | undefined
  /** See `Bus.request`. */
  readonly lineLost?: (() => void) | undefined
}

/** A request that arrived at a door of this node. */
export interface Asked {
  /** The node that asks. */
  readonly from: string
  readonly message: Message
  answer(data: Uint8Array, headers?: Headers): void
}

export interface Exchange {
  /**
   * Sends a request to the node whose door `topic` is, and resolves with its answer. Throws `unreachable` when the request was not sent or
   * nobody listens there, and `deadline_passed` when no answer came within `waitMs` or before `signal` was aborted. After a lost connection
   * it keeps waiting, since the answer may come over the next one; where `lineLost` is given, only for AGAIN_MS after the reconnection.
   */
  ask(question: Question): Promise<Message>
  /** Sends a request to the server itself, on a topic of its own. */
  askServer(question: Question): Promise<Message>
  /**
   * Listens at a door of this node. Messages whose reply topic does not belong to their sender are ignored. Answers of the last seconds are
   * repeated after a reconnection.
   */
  serve(door: string, listener: (asked: Asked) => void): Cancel
  /** Waiting callers get `deadline_passed`. Idempotent. */
  close(): void
}

/** Status that the server sends for a topic without listeners. */
const NO_RESPONDERS = 503

/**
 * Milliseconds to wait for an answer after a reconnection: twice the time between attempts to connect, so that the responder is back and
 * repeats it.
 */
const AGAIN_MS = 500

/** Bytes of a request's token: 128 bits cannot be guessed. */
const TOKEN_BYTES = 16

/** Door that an answer comes from. It includes the process, so an answer of another incarnation is ignored. */
const DOOR_HEADER = 'Engram-Door'

interface Waiting {
  /** Null when the server is asked, whose answers name no door. */
  readonly door: string | null
  readonly lineLost: (() => void) | undefined
  readonly settle: (outcome: Message | Error) => void
}

export function createExchange(options: { link: NatsLink; clock: Clock; name: string }): Exchange {
  const { link, clock, name } = options
  const waiting = new Map<string, Waiting>()
  const stop = link.subscribe(inbox(name, '*', '*'), (message) => {
    const asked = waiting.get(message.topic)
    if (asked === undefined) return
    if (message.status === NO_RESPONDERS && message.data.length === 0) asked.settle(unreachable())
    else if (asked.door === null || message.header(DOOR_HEADER) === asked.door) asked.settle(message)
  })
  const answers = createRecentAnswers({ link, clock })
  const stopLooking = link.onReconnect(() => {
    const before = [...waiting.entries()].filter(([, { lineLost }]) => lineLost !== undefined)
    if (before.length === 0) return
    clock.after(AGAIN_MS, () => {
      for (const [reply, asked] of before) {
        if (waiting.get(reply) !== asked) continue
        asked.lineLost?.()
        asked.settle(late())
      }
    })
  })

  const send = (
    subject: string,
    responder: string,
    { data, headers, waitMs, signal, lineLost }: Question,
    door: string | null
  ): Promise<Message> =>
    new Promise((resolve, reject) => {
      if (waitMs <= 0 || signal?.aborted === true) return reject(deadlinePassed())
      const reply = inbox(name, responder, randomBytes(TOKEN_BYTES).toString('base64url'))
      const settle = (outcome: Message | Error) => {
        waiting.delete(reply)
        cancel()
        signal?.removeEventListener('abort', abort)
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      }
      const abort = () => settle(late())
      const cancel = clock.after(waitMs, abort)
      waiting.set(reply, { door, lineLost, settle })
      signal?.addEventListener('abort', abort)
      try {
        if (!link.publish(subject, data, { reply, ...(headers === undefined ? {} : { headers }) })) settle(unreachable())
      } catch (error) {
        settle(error instanceof Error ? error : unreachable())
      }
    })

  return {
    ask: async (question) => send(requestTopic(question.topic, name), nodeOf(question.topic), question, question.topic),
    askServer: (question) => send(question.topic, SERVER, question, null),
    serve: (door, listener) =>
      link.subscribe(requestTopic(door, '*'), (message) => {
        const from = senderOf(message.topic, door)
        if (from === null || (message.reply !== '' && !isInbox(message.reply, from, name))) return
        const answer = (data: Uint8Array, headers: Headers = {}) => {
          if (message.reply !== '') answers.give({ reply: message.reply, data, headers: { ...headers, [DOOR_HEADER]: door } })
        }
        listener({ from, message, answer })
      }),
    close() {
      stop()
      stopLooking()
      answers.close()
      for (const { settle } of [...waiting.values()]) settle(late())
    }
  }
}
