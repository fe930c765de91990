/** Letters between nodes, kept by JetStream until one of the nodes that take them has delivered each: at least once, in no order. */
import { randomUUID } from 'node:crypto'
import { isDomainError } from '../../domain/errors.js'
import type { Cancel, Clock, LetterLog, Logger } from '../../ports.js'
import { decodeMessage, encodeMessage } from '../message-codec.js'
import { unreachable, type Message, type NatsLink } from './connection.js'
import type { Exchange } from './exchange.js'
import { createLetterStream, JETSTREAM_MS_MAX, LETTER_TOPIC, NANOSECONDS, NEXT_TOPIC, readJson, type LetterStream } from './letter-stream.js'
import { HEADERS_BYTES_MAX } from './transfers.js'

type Deliver = (body: unknown) => Promise<boolean>

export interface LetterLogOptions {
  readonly link: NatsLink
  readonly exchange: Exchange
  readonly clock: Clock
  readonly logger: Logger
  readonly inboxPrefix: string
}

/** Letters that a node has in hand at the same time: half of what one actor's inbox takes. */
const LETTERS_AT_ONCE = 32

/** Milliseconds for which the server remembers that a node asked for letters, and for which the node waits to be told that it forgot. */
const ASKED_MS = 5_000
const ASKED_MS_MAX = 7_000

/** Milliseconds before a node asks again after the server refused. */
const REFUSED_MS = 500

/** Milliseconds before a letter that was not delivered comes again, doubled each time. */
const AGAIN_MS_MIN = 100
const AGAIN_MS_MAX = 30_000

/** Deliveries of one letter: eight hours of trying. */
const DELIVERIES_MAX = 1_000

/** The server's word that it forgot, in time, that letters were asked for. */
const FORGOTTEN = 408

export function createLetterLog(options: LetterLogOptions): { readonly log: LetterLog; readonly close: Cancel } {
  const { link, exchange } = options
  const stream = createLetterStream(options)
  const takers = new Set<Cancel>()

  const offer = async (id: string, data: Uint8Array): Promise<boolean> => {
    await stream.prepare()
    const ask = { topic: LETTER_TOPIC, data, headers: { 'Nats-Msg-Id': id }, waitMs: JETSTREAM_MS_MAX }
    return readJson((await exchange.ask(ask)).data).error === undefined
  }

  const log: LetterLog = {
    async append(id, body) {
      const data = encodeMessage(body)
      if (data.length > link.payloadMax - HEADERS_BYTES_MAX) throw new RangeError('A letter must fit into one message')
      try {
        if (await offer(id, data)) return
      } catch (error) {
        if (!isDomainError(error)) throw error
        stream.forget()
        // Deleted meanwhile: it is made again at once. Whether a late answer was a yes does not matter, since the id counts once.
        if (error.code === 'unreachable' && link.isReady && (await offer(id, data).catch(() => false))) return
      }
      throw unreachable()
    },
    take(deliver) {
      const stop = takeLetters(options, stream, deliver)
      takers.add(stop)
      return () => {
        takers.delete(stop)
        stop()
      }
    }
  }
  return {
    log,
    close() {
      stream.close()
      for (const stop of takers) stop()
    }
  }
}

/** Asks for as many letters as there is room for, and again when these have come, or were not to be had. */
function takeLetters(options: LetterLogOptions, stream: LetterStream, deliver: Deliver): Cancel {
  const { link, clock, inboxPrefix } = options
  const inbox = `${inboxPrefix}.${randomUUID()}`
  let isStopped = false
  let inHand = 0
  /** Letters that the server may still send for what was asked last. */
  let due = 0
  let asked = 0
  let cancelTimer: Cancel = () => {}

  const ask = async (): Promise<void> => {
    cancelTimer()
    const room = LETTERS_AT_ONCE - inHand
    if (isStopped || room <= 0) return
    due = room
    const number = ++asked
    // Also stands for a server that has lost the question, and for a connection that was lost.
    const later = (delayMs: number) => {
      if (number === asked && !isStopped) cancelTimer = clock.after(delayMs, over)
    }
    try {
      await stream.prepare()
    } catch {
      later(REFUSED_MS)
      return
    }
    const data = new TextEncoder().encode(JSON.stringify({ batch: room, expires: ASKED_MS * NANOSECONDS }))
    if (number === asked) later(link.publish(NEXT_TOPIC, data, { reply: `${inbox}.${number}` }) ? ASKED_MS_MAX : REFUSED_MS)
  }
  /** Nothing more comes of what was asked. */
  const over = () => {
    due = 0
    void ask()
  }
  const handOver = async (message: Message): Promise<void> => {
    inHand += 1
    try {
      await settle(options, message, deliver)
    } finally {
      inHand -= 1
      if (due === 0) over()
    }
  }
  const stopListening = link.subscribe(`${inbox}.*`, (message) => {
    if (message.topic === LETTER_TOPIC) {
      due = Math.max(0, due - 1)
      void handOver(message)
      if (due === 0) over()
    } else if (message.topic === `${inbox}.${asked}`) {
      if (message.status === FORGOTTEN) return over()
      // The stream may have been deleted, JetStream may be starting, or too many ask.
      stream.forget()
      cancelTimer()
      cancelTimer = clock.after(REFUSED_MS, over)
    }
  })
  const stopWatching = link.onReconnect(over)
  void ask()
  return () => {
    isStopped = true
    asked += 1
    cancelTimer()
    stopWatching()
    stopListening()
  }
}

/** Tells JetStream what has become of a letter. */
async function settle({ link, logger }: LetterLogOptions, message: Message, deliver: Deliver): Promise<void> {
  const deliveries = deliveriesOf(message.reply)
  const say = (word: string) => link.publish(message.reply, new TextEncoder().encode(word))
  const letter = readLetter(message.data)
  if (letter !== null && (await isDelivered(deliver, letter.body))) {
    say('+ACK')
  } else if (letter !== null && deliveries < DELIVERIES_MAX) {
    const delayMs = Math.min(AGAIN_MS_MAX, AGAIN_MS_MIN * 2 ** Math.min(deliveries - 1, 30))
    say(`-NAK ${JSON.stringify({ delay: delayMs * NANOSECONDS })}`)
  } else {
    logger.error({ deliveries }, letter === null ? 'A letter that no node has written was dropped' : 'A letter was dropped after too many deliveries')
    say('+TERM')
  }
}

async function isDelivered(deliver: Deliver, body: unknown): Promise<boolean> {
  try {
    return await deliver(body)
  } catch {
    return false
  }
}

/** Null for what is nobody's letter. */
function readLetter(data: Uint8Array): { readonly body: unknown } | null {
  try {
    return { body: decodeMessage(data) }
  } catch {
    return null
  }
}

/** How many times this letter was handed out, this one included: as JetStream says in where it wants the answer, in both forms there are. */
function deliveriesOf(reply: string): number {
  const tokens = reply.split('.')
  // $JS.ACK.<stream>.<consumer>.<deliveries>… or, from 2.10 on with accounts, $JS.ACK.<domain>.<account>.<stream>.<consumer>.<deliveries>…
  return Number(tokens[tokens.length > 9 ? 6 : 4]) || 1
}
