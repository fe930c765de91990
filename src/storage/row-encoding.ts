/** Rows as bytes and back, many at a time, with iterations of the event loop between. */
import type { Clock, StoredRow } from '../ports.js'
import { yieldToEventLoop } from './event-loop.js'

/** Bytes before others get their turn: some 5 ms, 256 rows with vectors of 384 numbers. */
const BYTES_A_SLICE = 512 * 1024

/** Milliseconds after which they get it whatever was done: while memory is collected, each new buffer may take several. */
const SLICE_MS = 4

type SliceClock = Pick<Clock, 'monotonicMs'>

export interface RowEncoder<Encoded> {
  encode(row: StoredRow): Encoded
  bytesOf(encoded: Encoded): number
  /** Default: by bytes alone. */
  readonly clock?: SliceClock | undefined
}

export interface RowDecoder<Encoded> {
  decode(encoded: Encoded): void
  bytesOf(encoded: Encoded): number
  /** Default: by bytes alone. */
  readonly clock?: SliceClock | undefined
}

/** In the order of the rows. At once where that is short, so that writes asked for one after the other are also queued so. */
export function encodeRows<Encoded>(rows: readonly StoredRow[], encoder: RowEncoder<Encoded>): Encoded[] | Promise<Encoded[]> {
  const encoded: Encoded[] = []
  return encodeSlice(rows, encoder, encoded) ? encoded : encodeRest(rows, encoder, encoded)
}

async function encodeRest<Encoded>(rows: readonly StoredRow[], encoder: RowEncoder<Encoded>, encoded: Encoded[]): Promise<Encoded[]> {
  do await yieldToEventLoop()
  while (!encodeSlice(rows, encoder, encoded))
  return encoded
}

/** Encodes on, for one time slice. Whether that was the last one. */
function encodeSlice<Encoded>(rows: readonly StoredRow[], { encode, bytesOf, clock }: RowEncoder<Encoded>, encoded: Encoded[]): boolean {
  for (const isOver = beginSlice(clock); encoded.length < rows.length;) {
    const next = encode(rows[encoded.length] as StoredRow)
    encoded.push(next)
    if (isOver(bytesOf(next))) break
  }
  return encoded.length === rows.length
}

/** In the order of the page. */
export async function decodeRows<Encoded>(page: Iterable<Encoded>, { decode, bytesOf, clock }: RowDecoder<Encoded>): Promise<void> {
  let isOver = beginSlice(clock)
  for (const encoded of page) {
    decode(encoded)
    if (!isOver(bytesOf(encoded))) continue
    await yieldToEventLoop()
    isOver = beginSlice(clock)
  }
}

/** Tells after each piece of work, of so many bytes, whether it is time for others. */
function beginSlice(clock: SliceClock | undefined): (bytes: number) => boolean {
  const endsAtMs = clock === undefined ? Infinity : clock.monotonicMs() + SLICE_MS
  let left = BYTES_A_SLICE
  return (bytes) => {
    left -= bytes
    return left <= 0 || (clock !== undefined && clock.monotonicMs() >= endsAtMs)
  }
}
