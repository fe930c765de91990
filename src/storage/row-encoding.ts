/** Encodes and decodes many rows in time slices, with iterations of the event loop in between. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Clock, StoredRow } from '../ports.js'

/** Bytes of one time slice: some 5 ms, 256 rows with vectors of 384 numbers. */
const BYTES_A_SLICE = 512 * 1024

/** Milliseconds after which a time slice ends even with fewer bytes: during a garbage collection each new buffer may take several. */
const SLICE_MS = 2

type SliceClock = Pick<Clock, 'monotonicMs'>

interface RowEncoder<Encoded> {
  encode(row: StoredRow): Encoded
  bytesOf(encoded: Encoded): number
  /** Default: slices end by bytes alone. */
  readonly clock?: SliceClock | undefined
}

interface RowDecoder<Encoded> {
  decode(encoded: Encoded): void
  bytesOf(encoded: Encoded): number
  /** Default: slices end by bytes alone. */
  readonly clock?: SliceClock | undefined
}

/** Encodes the rows in order. Returns synchronously when one slice is enough, so that consecutive writes also enter the queue in order. */
export function encodeRows<Encoded>(rows: readonly StoredRow[], encoder: RowEncoder<Encoded>): Encoded[] | Promise<Encoded[]> {
  const encoded: Encoded[] = []
  return encodeSlice(rows, encoder, encoded) ? encoded : encodeRest(rows, encoder, encoded)
}

async function encodeRest<Encoded>(rows: readonly StoredRow[], encoder: RowEncoder<Encoded>, encoded: Encoded[]): Promise<Encoded[]> {
  do await yieldToEventLoop()
  while (!encodeSlice(rows, encoder, encoded))
  return encoded
}

/** Encodes for one time slice. Returns whether all rows are encoded. */
function encodeSlice<Encoded>(rows: readonly StoredRow[], { encode, bytesOf, clock }: RowEncoder<Encoded>, encoded: Encoded[]): boolean {
  for (const isOver = beginSlice(clock); encoded.length < rows.length;) {
    const next = encode(rows[encoded.length] as StoredRow)
    encoded.push(next)
    if (isOver(bytesOf(next))) break
  }
  return encoded.length === rows.length
}

/** Decodes the rows in the order of the page. */
export async function decodeRows<Encoded>(page: Iterable<Encoded>, { decode, bytesOf, clock }: RowDecoder<Encoded>): Promise<void> {
  let isOver = beginSlice(clock)
  for (const encoded of page) {
    decode(encoded)
    if (!isOver(bytesOf(encoded))) continue
    await yieldToEventLoop()
    isOver = beginSlice(clock)
  }
}

/** Returns a function that takes the bytes of each piece of work and tells whether the time slice is over. */
function beginSlice(clock: SliceClock | undefined): (bytes: number) => boolean {
  const endsAtMs = clock === undefined ? Infinity : clock.monotonicMs() + SLICE_MS
  let left = BYTES_A_SLICE
  return (bytes) => {
    left -= bytes
    return left <= 0 || (clock !== undefined && clock.monotonicMs() >= endsAtMs)
  }
}
