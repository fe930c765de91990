/** Bodies as bytes and back. What has long lists is packed and read in pieces, in the time that all long work of the process shares. */
import { type SliceClock, timeSlicesOf } from '../../actors/scheduling/time-slices.js'
import type { Pieces } from '../domain/pieces.js'
import { divide, packDivided, unpackDivided } from './divided-message.js'
import { decodeMessage, encodeMessage } from './message-codec.js'

export interface Packed {
  readonly data: Uint8Array
  /** Whether its long lists were packed apart. */
  readonly isDivided: boolean
}

/** At once but where it has long lists. */
export async function pack(clock: SliceClock, body: unknown): Promise<Packed> {
  const divided = divide(body)
  if (divided === null) return { data: encodeMessage(body), isDivided: false }
  return { data: await inSlices(clock, packDivided(divided)), isDivided: true }
}

/** What `pack` was given. Throws when the bytes are nobody's message. */
export async function unpack(clock: SliceClock, { data, isDivided }: Packed): Promise<unknown> {
  return isDivided ? inSlices(clock, unpackDivided(data)) : decodeMessage(data)
}

async function inSlices<Result>(clock: SliceClock, work: Pieces<Result>): Promise<Result> {
  const slices = timeSlicesOf(clock)
  for (let next = work.next(); ; next = work.next()) {
    if (next.done === true) return next.value
    if (slices.isUsedUp()) await slices.pause()
  }
}
