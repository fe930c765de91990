/** The stream that keeps letters and the consumer that all nodes share: made as they should be, in JetStream's own JSON. */
import type { Cancel, Logger } from '../../ports.js'
import { unreachable, type NatsLink } from './connection.js'
import type { Exchange } from './exchange.js'

export const LETTER_TOPIC = 'engram.letters'
const STREAM = 'ENGRAM_LETTERS'
const CONSUMER = 'relay'

/** Where a node asks for letters. */
export const NEXT_TOPIC = `$JS.API.CONSUMER.MSG.NEXT.${STREAM}.${CONSUMER}`

/** JetStream counts in these. */
export const NANOSECONDS = 1_000_000

/** Milliseconds for one answer of JetStream, which writes to its disk before it. */
export const JETSTREAM_MS_MAX = 2_000

/** Milliseconds for one delivery before another node gets the letter: a little more than the longest that an actor's work may take. */
const ACK_MS_MAX = 65_000

/** Letters that all nodes together may have in hand: eight nodes' worth. */
const IN_HAND_MAX = 256

/** Milliseconds for which a letter is kept: a day's outage of whoever it is for. */
const AGE_MS_MAX = 86_400_000

/** Milliseconds in which an id counts once. */
const DUPLICATES_MS = 120_000

/** Bytes on the server's disk. The oldest go first: what is kept here was acknowledged to nobody. */
const BYTES_MAX = 256 * 1024 * 1024

const STREAM_CONFIG = {
  name: STREAM,
  subjects: [LETTER_TOPIC],
  retention: 'workqueue',
  storage: 'file',
  discard: 'old',
  max_age: AGE_MS_MAX * NANOSECONDS,
  max_bytes: BYTES_MAX,
  duplicate_window: DUPLICATES_MS * NANOSECONDS
} as const

const CONSUMER_CONFIG = {
  durable_name: CONSUMER,
  ack_policy: 'explicit',
  ack_wait: ACK_MS_MAX * NANOSECONDS,
  max_ack_pending: IN_HAND_MAX
} as const

/** JetStream's error for a stream that is not there. */
const STREAM_MISSING = 10_059

interface Answer {
  readonly error?: { readonly err_code?: number }
  readonly config?: Readonly<Record<string, unknown>>
}

export interface LetterStream {
  /** Resolves once both exist, looked for once a connection and after `forget`. Throws `unreachable`. Any number of nodes may do so at once. */
  prepare(): Promise<void>
  /** They may be gone: the next `prepare` looks again. */
  forget(): void
  close: Cancel
}

export function createLetterStream({ link, exchange, logger }: { link: NatsLink; exchange: Exchange; logger: Logger }): LetterStream {
  let prepared: Promise<void> | undefined

  const call = async (name: string, body: object | null): Promise<Answer> => {
    const data = new TextEncoder().encode(body === null ? '' : JSON.stringify(body))
    const { data: answer } = await exchange.ask({ topic: `$JS.API.${name}`, data, waitMs: JETSTREAM_MS_MAX })
    return readJson(answer)
  }
  const demand = async (name: string, body: object): Promise<void> => {
    const { error } = await call(name, body)
    if (error === undefined) return
    logger.error({ code: error.err_code, call: name }, 'JetStream cannot keep letters')
    throw unreachable()
  }
  const make = async (): Promise<void> => {
    const { error, config } = await call(`STREAM.INFO.${STREAM}`, null)
    if (error?.err_code === STREAM_MISSING) await demand(`STREAM.CREATE.${STREAM}`, STREAM_CONFIG)
    // Its other settings, the number of its replicas above all, are the operator's.
    else if (config !== undefined && !isAsConfigured(config)) await demand(`STREAM.UPDATE.${STREAM}`, { ...config, ...STREAM_CONFIG })
    await demand(`CONSUMER.DURABLE.CREATE.${STREAM}.${CONSUMER}`, { stream_name: STREAM, config: CONSUMER_CONFIG })
  }
  const forget = () => {
    prepared = undefined
  }

  return {
    prepare() {
      if (prepared !== undefined) return prepared
      const mine = make().catch((error: unknown) => {
        if (prepared === mine) forget()
        throw error
      })
      prepared = mine
      return mine
    },
    forget,
    close: link.onReconnect(forget)
  }
}

/** An answer of JetStream. Throws `unreachable` when it is none. */
export function readJson(data: Uint8Array): Answer {
  try {
    return JSON.parse(new TextDecoder().decode(data)) as Answer
  } catch {
    throw unreachable()
  }
}

function isAsConfigured(config: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(STREAM_CONFIG).every(([name, value]) => JSON.stringify(config[name]) === JSON.stringify(value))
}
