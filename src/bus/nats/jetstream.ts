/** JetStream's own questions and answers, which are JSON. */
import { isDomainError } from '../../domain/errors.js'
import { unreachable } from '../refusals.js'
import type { Exchange } from './exchange.js'

export interface JetStreamAnswer {
  readonly error?: { readonly err_code?: number }
  readonly config?: Readonly<Record<string, unknown>>
  /** The stream that took a message. */
  readonly stream?: string
  /** Names of streams. */
  readonly streams?: readonly string[]
}

export interface JetStream {
  /** Throws `unreachable` when there is no JetStream in this node's account, `deadline_passed` when it does not answer. */
  call(name: string, body?: object): Promise<JetStreamAnswer>
  /** Gives it a message to keep; an `id` counts once. Throws likewise. */
  keep(topic: string, id: string, data: Uint8Array): Promise<JetStreamAnswer>
  /** Whether any stream would keep what is called so; nothing is kept by asking. False as well when JetStream does not answer. */
  keeps(topic: string): Promise<boolean>
}

/** A stream refuses what is meant for another one, with this error; none is called so. */
const OTHER_STREAM = 'NONE'
const MEANT_FOR_OTHER = 10_060

/** JetStream counts in these. */
export const NANOSECONDS = 1_000_000

/** Milliseconds for one answer of JetStream, which writes to its disk before it. */
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
        .catch(orNothing)
      return answer?.error?.err_code === MEANT_FOR_OTHER
    },
    async keep(topic, id, data) {
      return readAnswer((await exchange.askServer({ topic, data, headers: { 'Nats-Msg-Id': id }, waitMs: ANSWER_MS_MAX })).data)
    }
  }
}

function orNothing(error: unknown): null {
  if (isDomainError(error)) return null
  throw error
}

function readAnswer(data: Uint8Array): JetStreamAnswer {
  try {
    return JSON.parse(new TextDecoder().decode(data)) as JetStreamAnswer
  } catch {
    throw unreachable()
  }
}
