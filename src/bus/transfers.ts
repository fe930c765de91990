/**
 * Transfers of messages that are too large for one message of a bus. The message is replaced by a ticket. The receiver requests the parts
 * from the sender, a few at a time and as fast as they arrive, so that the process that passes them on never queues more than these for a
 * node. If the sender dies midway the receiver notices, and drops what it has.
 */
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { DomainError } from '../domain/errors.js'
import type { Cancel, Clock } from '../ports.js'
import { pause } from '../time-limit.js'
import { decodeMessage, encodeMessage } from './message-codec.js'
import { pack, type Packed } from './packing.js'

export interface Offer {
  /** Sent in place of the message. */
  readonly ticket: Uint8Array
  withdraw(): void
}

export interface Transfers {
  /**
   * Packs a body for the node `to`. Throws `limit_reached` for one that is too large, and `busy` when too much is being packed already:
   * many answers at once, each of a whole session, would take a multiple of what the node may keep.
   */
  pack(body: unknown, options: { readonly to: string }): Promise<Packed>
  /** Keeps `data` for the node `to`, for at most `keepMs`. Throws `limit_reached`, or `busy` when too much is kept already. */
  offer(data: Uint8Array, options: { readonly to: string; readonly keepMs: number }): Offer
  /**
   * Fetches the message behind a ticket of the node `from`. Throws `limit_reached`, `busy` when too much is in transfer already, or
   * `unreachable` when the sender is gone, `untilMs` (monotonic) has passed or `signal` was aborted.
   */
  fetch(ticket: Uint8Array, options: FetchOptions): Promise<Uint8Array>
  /** Drops everything that is kept. Idempotent. */
  close(): void
}

export interface FetchOptions {
  readonly from: string
  readonly untilMs: number
  readonly signal?: AbortSignal | undefined
  /** Receives the number of bytes before any is fetched. May throw, which ends the fetch with that error. */
  readonly told?: ((bytes: number) => void) | undefined
}

/** Contains no topic: parts are requested at the sender's own door. */
interface Ticket {
  readonly id: string
  /** The process that keeps the parts. */
  readonly process: string
  readonly bytes: number
  /** Bytes of every part except the last. */
  readonly partBytes: number
}

/**
 * Maximum bytes that a node assembles at once, and the same for those it packs and for those it keeps for others. The share is what one
 * other node may use: by default two exports of 200 MB, of 100,000 memories each. So no node can keep the others from sending large
 * messages.
 */
const TRANSFER_BYTES_MAX = 512 * 1024 * 1024
const NODE_SHARE = 400 / 512

/** Bytes of a part, unless the bus allows less. Another message waits for at most one part, some 10 ms at 50 MB/s. */
const PART_BYTES_MAX = 512 * 1024

/** Smallest valid `partBytes` in a ticket: no supported server has a smaller `max_payload`. */
const PART_BYTES_MIN = 4_096

/** Parts requested at once, for one message and for all messages of a node: 2 MiB and 8 MiB in transit. */
const PARTS_AT_ONCE = 4
const NODE_PARTS_AT_ONCE = 16

/** Milliseconds for one part, including a reconnection of the sender; for one attempt; and before the next one. */
const PART_MS_MAX = 5_000
const TRY_MS_MAX = 2_000
const PAUSE_MS = 100

/** Stands for the number of a part when no more of a message is wanted. */
const END = 'end'

/** Form of an id. It contains no separator of topics, so a ticket cannot redirect a request. */
const ID = /^[\w-]{1,64}$/

const NOTHING = new Uint8Array()

interface Kept {
  readonly data: Uint8Array
  readonly to: string
  readonly partBytes: number
  readonly drop: Cancel
}

/** A process that keeps messages for others. */
interface Keeper {
  readonly node: string
  readonly process: string
}

/** Names a part of a message: its id, a space, and the part's number from 0, or `END`. */
export type PartName = string

/** How a bus carries parts. */
export interface PartLine {
  /** Maximum bytes of a part. */
  partBytesMax(): number
  /** Requests a part. Resolves with null when no answer to this request came within `waitMs`. */
  ask(
    keeper: Keeper,
    part: PartName,
    options: { readonly waitMs: number; readonly signal?: AbortSignal | undefined }
  ): Promise<Uint8Array | null>
  /** Says that no more of a message is wanted; may get lost. */
  end(keeper: Keeper, part: PartName): void
  /** Answers the requests for the parts that `process` of this node keeps. Where `answer` returns null, none is due. */
  serve(process: string, answer: (part: PartName, from: string) => Uint8Array | null): Cancel
}

export interface TransfersOptions {
  readonly line: PartLine
  readonly clock: Clock
  /** Parts of one message requested at once. Default: 4. */
  readonly partsAtOnce?: number
  /** Maximum bytes that this node assembles, and as many that it keeps. Default and maximum: `TRANSFER_BYTES_MAX`. */
  readonly bytesMax?: number | undefined
}

export function createTransfers(options: TransfersOptions): Transfers {
  const { line, clock, partsAtOnce = PARTS_AT_ONCE } = options
  const bytesMax = Math.min(options.bytesMax ?? TRANSFER_BYTES_MAX, TRANSFER_BYTES_MAX)
  const self = randomUUID()
  const kept = new Map<string, Kept>()
  const packing = createRoom(bytesMax)
  const keeping = createRoom(bytesMax)
  const assembling = createRoom(bytesMax)
  const inTurn = createLimiter(NODE_PARTS_AT_ONCE)

  const stop = line.serve(self, (part, from) => {
    const [id = '', number = ''] = part.split(' ')
    const found = kept.get(id)
    const mine = found?.to === from ? found : undefined
    if (number === END) {
      mine?.drop()
      return null
    }
    const at = mine === undefined ? Number.NaN : Number(number) * mine.partBytes
    // An empty part means that the message is no longer kept.
    return mine !== undefined && at >= 0 ? mine.data.subarray(at, at + mine.partBytes) : NOTHING
  })

  /** Fetches one part, with retries. */
  const fetchPart = async (ticket: Ticket, number: number, { from, untilMs, signal }: FetchOptions): Promise<Uint8Array> => {
    const keeper = { node: from, process: ticket.process }
    const giveUpMs = Math.min(untilMs, clock.monotonicMs() + PART_MS_MAX)
    for (;;) {
      const waitMs = Math.min(TRY_MS_MAX, giveUpMs - clock.monotonicMs())
      if (waitMs <= 0 || signal?.aborted === true) throw brokenOff()
      const data = await line.ask(keeper, `${ticket.id} ${number}`, { waitMs, signal })
      if (data !== null) {
        const bytes = Math.min(ticket.partBytes, ticket.bytes - number * ticket.partBytes)
        if (data.length === bytes) return data
        throw brokenOff()
      }
      await pause(clock, PAUSE_MS)
    }
  }

  return {
    async pack(body, { to }) {
      let taken = 0
      try {
        return await pack(clock, body, (bytes) => {
          packing.take(to, bytes, taken + bytes)
          taken += bytes
        })
      } finally {
        packing.free(to, taken)
      }
    },
    offer(data, { to, keepMs }) {
      keeping.take(to, data.length)
      const id = randomUUID()
      const partBytes = Math.max(PART_BYTES_MIN, Math.min(PART_BYTES_MAX, line.partBytesMax()))
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
      // Parts under way listen to it, which may be more than Node.js expects.
      if (options.signal !== undefined) setMaxListeners(0, options.signal)
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
        await Promise.all(Array.from({ length: Math.min(count, partsAtOnce) }, fetchParts))
        return whole
      } finally {
        // After a failure the other fetches request no more parts.
        next = count
        assembling.free(from, ticket.bytes)
        line.end({ node: from, process: ticket.process }, `${ticket.id} ${END}`)
      }
    },
    close() {
      stop()
      for (const { drop } of [...kept.values()]) drop()
    }
  }
}

/** Topic at which a process is asked for parts. */
export function partsTopic({ node, process }: Keeper): string {
  return `engram.nodes.${node}.${process}.parts`
}

/** Bounds the bytes held at once, in total and per node. */
function createRoom(bytesMax: number) {
  const taken = new Map<string, number>()
  const nodeBytesMax = Math.floor(bytesMax * NODE_SHARE)
  let free = bytesMax
  return {
    /** `wholeBytes`: what the message takes in all. */
    take(node: string, bytes: number, wholeBytes = bytes) {
      const its = (taken.get(node) ?? 0) + bytes
      if (wholeBytes > nodeBytesMax) throw new DomainError('limit_reached', 'The message is too large to be sent between nodes')
      if (bytes > free || its > nodeBytesMax) throw new DomainError('busy', 'Too many bytes are being sent between nodes at the moment')
      free -= bytes
      taken.set(node, its)
    },
    free(node: string, bytes: number) {
      const its = (taken.get(node) ?? 0) - bytes
      free += bytes
      // Stryker disable next-line EqualityOperator: an entry of 0 has the same effect as a missing one.
      if (its > 0) taken.set(node, its)
      else taken.delete(node)
    }
  }
}

/** Runs at most `places` works at once, the others in order of arrival. */
function createLimiter(places: number) {
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

function brokenOff(): DomainError {
  return new DomainError('unreachable', 'The message between nodes was cut off')
}
