/**
 * Messages too large for NATS. Only a ticket crosses as a message; the node that it was given to asks its giver for the parts, a few at a
 * time, at the pace at which they arrive, so that no server has more of them waiting for a node than it is ready to hold (`max_pending`,
 * 64 MB by default). A sender that dies midway is noticed by the asking, and nothing of its message stays.
 */
import { randomUUID } from 'node:crypto'
import { DomainError, isDomainError } from '../../domain/errors.js'
import type { Cancel, Clock } from '../../ports.js'
import { decodeMessage, encodeMessage } from '../message-codec.js'
import type { Message, NatsLink } from './connection.js'
import type { Exchange } from './exchange.js'
import { knockAt } from './names.js'

export interface Offer {
  /** Goes in the place of the message. */
  readonly ticket: Uint8Array
  withdraw(): void
}

export interface Transfers {
  /** Keeps `data` for the node `to`, for `keepMs` at most. Throws `limit_reached`, or `busy` when too much is kept already. */
  offer(data: Uint8Array, options: { readonly to: string; readonly keepMs: number }): Offer
  /**
   * What a ticket of the node `from` stands for. Throws `limit_reached`, `busy` when too much is on its way already, `unreachable` when
   * the sender is gone, `untilMs` (monotonic) has passed or `signal` was aborted.
   */
  fetch(ticket: Uint8Array, options: FetchOptions): Promise<Uint8Array>
  /** Drops what is kept. Twice is fine. */
  close(): void
}

export interface FetchOptions {
  readonly from: string
  readonly untilMs: number
  readonly signal?: AbortSignal | undefined
  /** Is told how many bytes there are, before any is fetched. What it throws is thrown. */
  readonly told?: ((bytes: number) => void) | undefined
}

/** Names no place: parts are asked for at its giver's own door. */
interface Ticket {
  readonly id: string
  /** The process that keeps the parts. */
  readonly process: string
  readonly bytes: number
  /** Bytes of every part but the last. */
  readonly partBytes: number
}

/**
 * Bytes of all that a node assembles, and as many of all that it keeps for others; and the share of it that one other node may take: of the
 * most, two exports of 200 MB, of 100,000 memories each. So none can keep the others from sending anything large.
 */
const TRANSFER_BYTES_MAX = 512 * 1024 * 1024
const NODE_SHARE = 400 / 512

/** Bytes of a part, unless the server's `max_payload` is smaller: other messages wait for one of them at most, some 10 ms at 50 MB/s. */
const PART_BYTES_MAX = 512 * 1024

/** Bytes: no server that is used takes so little, so that a ticket with smaller parts is nobody's. */
const PART_BYTES_MIN = 4_096

/** Parts of one message, and of all messages of a node, asked for at a time: 2 MiB and 8 MiB on their way. */
const PARTS_AT_ONCE = 4
const NODE_PARTS_AT_ONCE = 16

/** Milliseconds for one part, in which the sender may reconnect; for one try; and before the next one. */
const PART_MS_MAX = 5_000
const TRY_MS_MAX = 2_000
const PAUSE_MS = 100

/** Which part is asked for, and which one comes: id, space, number from 0 or `END`. */
const PART_HEADER = 'Engram-Part'
const END = 'end'

/** What ids look like: no part of a topic that a ticket could lead elsewhere with. */
const ID = /^[\w-]{1,64}$/

/** Bytes of a message that its headers may take. */
export const HEADERS_BYTES_MAX = 1_024

const NOTHING = new Uint8Array()

interface Kept {
  readonly data: Uint8Array
  readonly to: string
  readonly partBytes: number
  readonly drop: Cancel
}

export interface TransfersOptions {
  readonly link: NatsLink
  readonly exchange: Exchange
  readonly clock: Clock
  readonly name: string
  /** Bytes of all that this node assembles, and as many of all that it keeps; default and at most `TRANSFER_BYTES_MAX`. */
  readonly bytesMax?: number | undefined
}

export function createTransfers(options: TransfersOptions): Transfers {
  const { link, exchange, clock, name, bytesMax = TRANSFER_BYTES_MAX } = options
  const self = randomUUID()
  const kept = new Map<string, Kept>()
  const keeping = createRoom(Math.min(bytesMax, TRANSFER_BYTES_MAX))
  const assembling = createRoom(Math.min(bytesMax, TRANSFER_BYTES_MAX))
  const inTurn = createTurns(NODE_PARTS_AT_ONCE)

  const stop = exchange.serve(partsDoor(name, self), ({ from, message, answer }) => {
    const asked = message.header(PART_HEADER)
    const [id = '', number = ''] = asked.split(' ')
    const found = kept.get(id)
    const mine = found?.to === from ? found : undefined
    if (number === END) return mine?.drop()
    const at = mine === undefined ? Number.NaN : Number(number) * mine.partBytes
    // An empty part says that there is nothing any more.
    answer(mine !== undefined && at >= 0 ? mine.data.subarray(at, at + mine.partBytes) : NOTHING, { [PART_HEADER]: asked })
  })

  /** The part, asked for again while it does not come. */
  const fetchPart = async (ticket: Ticket, number: number, { from, untilMs, signal }: FetchOptions): Promise<Uint8Array> => {
    const topic = partsDoor(from, ticket.process)
    const headers = { [PART_HEADER]: `${ticket.id} ${number}` }
    const giveUpMs = Math.min(untilMs, clock.monotonicMs() + PART_MS_MAX)
    for (;;) {
      const waitMs = Math.min(TRY_MS_MAX, giveUpMs - clock.monotonicMs())
      if (waitMs <= 0 || signal?.aborted === true) throw brokenOff()
      const answer = await exchange.ask({ topic, data: NOTHING, headers, waitMs, signal }).catch(orNothing)
      if (answer?.header(PART_HEADER) === headers[PART_HEADER]) {
        const bytes = Math.min(ticket.partBytes, ticket.bytes - number * ticket.partBytes)
        if (answer.data.length === bytes) return answer.data
        throw brokenOff()
      }
      await new Promise<void>((resolve) => clock.after(PAUSE_MS, resolve))
    }
  }

  return {
    offer(data, { to, keepMs }) {
      keeping.take(to, data.length)
      const id = randomUUID()
      const partBytes = Math.max(PART_BYTES_MIN, Math.min(PART_BYTES_MAX, link.payloadMax - HEADERS_BYTES_MAX))
      const drop = () => {
        if (!kept.delete(id)) return
        cancel()
        keeping.free(to, data.length)
      }
      const cancel = clock.after(keepMs, drop)
      kept.set(id, { data, to, partBytes, drop })
      const ticket: Ticket = { id, process: self, bytes: data.length, partBytes }
      return { ticket: encodeMessage(ticket), withdraw: drop }
    },
    async fetch(ticketData, options) {
      const { from } = options
      const ticket = toTicket(ticketData)
      options.told?.(ticket.bytes)
      assembling.take(from, ticket.bytes)
      let next = 0
      const count = Math.ceil(ticket.bytes / ticket.partBytes)
      try {
        const whole = new Uint8Array(ticket.bytes)
        const fetchParts = async () => {
          while (next < count) {
            const number = next++
            whole.set(await inTurn(() => fetchPart(ticket, number, options)), number * ticket.partBytes)
          }
        }
        await Promise.all(Array.from({ length: Math.min(count, PARTS_AT_ONCE) }, fetchParts))
        return whole
      } finally {
        // After a failure the others ask for no more either.
        next = count
        assembling.free(from, ticket.bytes)
        link.publish(knockAt(partsDoor(from, ticket.process), name), NOTHING, { headers: { [PART_HEADER]: `${ticket.id} ${END}` } })
      }
    },
    close() {
      stop()
      for (const { drop } of [...kept.values()]) drop()
    }
  }
}

function partsDoor(node: string, process: string): string {
  return `engram.nodes.${node}.${process}.parts`
}

/** Bytes that may be held at the same time, in all and for each node. */
function createRoom(bytesMax: number) {
  const taken = new Map<string, number>()
  const nodeBytesMax = Math.floor(bytesMax * NODE_SHARE)
  let free = bytesMax
  return {
    take(node: string, bytes: number) {
      const its = (taken.get(node) ?? 0) + bytes
      if (bytes > nodeBytesMax) throw new DomainError('limit_reached', 'This is too large to cross between nodes')
      if (bytes > free || its > nodeBytesMax) throw new DomainError('busy', 'Too much is crossing between nodes at the moment')
      free -= bytes
      taken.set(node, its)
    },
    free(node: string, bytes: number) {
      const its = (taken.get(node) ?? 0) - bytes
      free += bytes
      // Stryker disable next-line EqualityOperator: none counts as much as nothing there.
      if (its > 0) taken.set(node, its)
      else taken.delete(node)
    }
  }
}

/** Runs so many at a time, the others as they came. */
function createTurns(places: number) {
  const waiting: (() => void)[] = []
  let free = places
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}

function toTicket(data: Uint8Array): Ticket {
  const { id, process, bytes, partBytes } = (decodeMessage(data) ?? {}) as Partial<Ticket>
  if (!(isId(id) && isId(process) && isCount(bytes) && isCount(partBytes) && partBytes >= PART_BYTES_MIN))
    throw new TypeError('Not a ticket')
  return { id, process, bytes, partBytes }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

/** Whether nobody answered or nobody listened makes no difference here: both may pass. */
function orNothing(error: unknown): Message | null {
  if (isDomainError(error)) return null
  throw error
}

function brokenOff(): DomainError {
  return new DomainError('unreachable', 'The message broke off')
}
