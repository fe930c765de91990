/** Encodes and decodes bodies. Those with long lists are processed in time slices, with iterations of the event loop in between. */
import type { Pieces } from '../domain/pieces.js'
import type { Clock } from '../ports.js'
import { pause } from '../time-limit.js'
import { divide, packDivided, unpackDivided } from './divided-message.js'
import { decodeMessage, encodeMessage } from './message-codec.js'

export interface Packed {
  readonly data: Uint8Array
  /** Whether its long lists were packed separately. */
  readonly isDivided: boolean
}

/** Milliseconds of packing or unpacking between two iterations of the event loop. */
const SLICE_MS = 2

/** Ends time slices and starts the next one. */
type PackingClock = Pick<Clock, 'monotonicMs' | 'after'>

/**
 * Encodes a body, without yielding unless it has long lists. Calls `takes` with the bytes of each piece of these as it is packed; if it
 * throws, so does this.
 */
export async function pack(clock: PackingClock, body: unknown, takes?: (bytes: number) => void): Promise<Packed> {
  const divided = divide(body)
  if (divided === null) return { data: encodeMessage(body), isDivided: false }
  return { data: await inSlices(clock, packDivided(divided, takes)), isDivided: true }
}

/** Inverse of `pack`. Throws for bytes that are no message. */
export async function unpack(clock: PackingClock, { data, isDivided }: Packed): Promise<unknown> {
  return isDivided ? inSlices(clock, unpackDivided(data)) : decodeMessage(data)
}

async function inSlices<Result>(clock: PackingClock, work: Pieces<Result>): Promise<Result> {
  for (let sinceMs = clock.monotonicMs(); ;) {
    const next = work.next()
    if (next.done === true) return next.value
    if (clock.monotonicMs() - sinceMs < SLICE_MS) continue
    await pause(clock, 0)
    sinceMs = clock.monotonicMs()
  }
}
