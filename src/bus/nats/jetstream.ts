/** Requests to JetStream and its JSON answers. */
import { unlessAnswered, unreachable } from '../refusals.js'
import type { Exchange } from './exchange.js'

export interface JetStreamAnswer {
  readonly error?: { readonly err_code?: number }
  readonly config?: Readonly<Record<string, unknown>>
  /** The stream that kept a message. */
  readonly stream?: string
  /** Names of streams. */
  readonly streams?: readonly string[]
}

export interface JetStream {
  /** Throws `unreachable` when this node's account has no JetStream, `deadline_passed` when it does not answer. */
  call(name: string, body?: object): Promise<JetStreamAnswer>
  /** Stores a message; messages with the same `id` are stored once. Throws as `call` does. */
  keep(topic: string, id: string, data: Uint8Array): Promise<JetStreamAnswer>
  /** Whether any stream keeps messages of this topic. Stores nothing. Also false when JetStream does not answer. */
  keeps(topic: string): Promise<boolean>
}

/** Expected stream of a probe. No stream has this name, so one that keeps the topic refuses the message with this error. */
const OTHER_STREAM = 'NONE'
const MEANT_FOR_OTHER = 10_060

/** Per millisecond: JetStream's unit of time. */
export const NANOSECONDS = 1_000_000

/** Milliseconds for one answer of JetStream, which writes to its disk first. */
const ANSWER_MS_MAX = 2_000

const NOTHING = new Uint8Array()

export function createJetStream(exchange: Pick<Exchange, 'askServer'>): JetStream {
  return {
    async call(name, body) {
      const data = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body))
      return readAnswer((await exchange.askServer({ topic: `$JS.API.${name}`, data, waitMs: ANSWER_MS_MAX })).data)
    },
    async keeps(topic) {
      const headers = { 'Nats-Expected-Stream': OTHER_STREAM }
      const answer = await exchange
        .askServer({ topic, data: NOTHING, headers, waitMs: ANSWER_MS_MAX })
        .then(({ data }) => readAnswer(data))
        .catch(unlessAnswered)
      return answer?.error?.err_code === MEANT_FOR_OTHER
    },
    async keep(topic, id, data) {
      return readAnswer((await exchange.askServer({ topic, data, headers: { 'Nats-Msg-Id': id }, waitMs: ANSWER_MS_MAX })).data)
    }
  }
}

function readAnswer(data: Uint8Array): JetStreamAnswer {
  try {
    return JSON.parse(new TextDecoder().decode(data)) as JetStreamAnswer
  } catch {
    throw unreachable()
  }
}
