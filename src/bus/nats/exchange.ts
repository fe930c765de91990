/** Questions and their answers: one inbox for all that a node asks, the same over every reconnection. */
import { randomUUID } from 'node:crypto'
import { DomainError } from '../../domain/errors.js'
import type { Clock } from '../../ports.js'
import { unreachable, type Headers, type Message, type NatsLink } from './connection.js'

export interface Question {
  readonly topic: string
  readonly data: Uint8Array
  readonly headers?: Headers
  readonly waitMs: number
  readonly signal?: AbortSignal | undefined
}

export interface Exchange {
  /**
   * The answer as it came. Throws `unreachable` when it was not sent or nobody listens there, `deadline_passed` when nothing came in
   * `waitMs` or before `signal` was aborted. A connection lost meanwhile is no reason to give up: the answer may come over the next.
   */
  ask(question: Question): Promise<Message>
  /** Whoever waits gets `deadline_passed`. Twice is fine. */
  close(): void
}

/** The server's answer for a topic without listeners. */
const NO_RESPONDERS = 503

export function createExchange(options: { link: NatsLink; clock: Clock; inboxPrefix: string }): Exchange {
  const { link, clock } = options
  const inbox = `${options.inboxPrefix}.${randomUUID()}`
  const waiting = new Map<string, (outcome: Message | Error) => void>()
  let asked = 0
  const stop = link.subscribe(`${inbox}.*`, (message) => {
    const isUnheard = message.status === NO_RESPONDERS && message.data.length === 0
    waiting.get(message.topic.slice(inbox.length + 1))?.(isUnheard ? unreachable() : message)
  })

  return {
    ask: ({ topic, data, headers, waitMs, signal }) =>
      new Promise((resolve, reject) => {
        if (waitMs <= 0 || signal?.aborted === true) return reject(late())
        const token = String(++asked)
        const settle = (outcome: Message | Error) => {
          waiting.delete(token)
          cancel()
          signal?.removeEventListener('abort', abort)
          if (outcome instanceof Error) reject(outcome)
          else resolve(outcome)
        }
        const abort = () => settle(late())
        const cancel = clock.after(waitMs, abort)
        waiting.set(token, settle)
        signal?.addEventListener('abort', abort)
        try {
          if (!link.publish(topic, data, { reply: `${inbox}.${token}`, ...(headers === undefined ? {} : { headers }) })) settle(unreachable())
        } catch (error) {
          settle(error instanceof Error ? error : unreachable())
        }
      }),
    close() {
      stop()
      for (const settle of [...waiting.values()]) settle(late())
    }
  }
}

/** Nothing is known about what was asked. */
export function late(): DomainError {
  return new DomainError('deadline_passed', 'No answer came in time')
}
