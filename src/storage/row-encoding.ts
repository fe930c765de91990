/** Rows as bytes, many at a time. */
import type { StoredRow } from '../ports.js'

/** Bytes encoded before others get their turn: some 5 ms, 256 rows with vectors of 384 numbers. */
const BYTES_A_TURN = 512 * 1024

export interface RowEncoder<Encoded> {
  encode(row: StoredRow): Encoded
  bytesOf(encoded: Encoded): number
}

/** In the order of the rows. At once where that is short, so that writes asked for one after the other are also queued so; else with turns of the event loop between. */
export function encodeRows<Encoded>(rows: readonly StoredRow[], encoder: RowEncoder<Encoded>): Encoded[] | Promise<Encoded[]> {
  const encoded: Encoded[] = []
  return encodeTurn(rows, encoder, encoded) ? encoded : encodeRest(rows, encoder, encoded)
}

async function encodeRest<Encoded>(rows: readonly StoredRow[], encoder: RowEncoder<Encoded>, encoded: Encoded[]): Promise<Encoded[]> {
  do await new Promise((resolve) => setImmediate(resolve))
  while (!encodeTurn(rows, encoder, encoded))
  return encoded
}

/** Encodes on, for one turn. Whether that was the last one. */
function encodeTurn<Encoded>(rows: readonly StoredRow[], { encode, bytesOf }: RowEncoder<Encoded>, encoded: Encoded[]): boolean {
  for (let bytes = 0; encoded.length < rows.length && bytes < BYTES_A_TURN; ) {
    const next = encode(rows[encoded.length] as StoredRow)
    encoded.push(next)
    bytes += bytesOf(next)
  }
  return encoded.length === rows.length
}
