/** Bodies of records as bytes: plain MessagePack, with typed arrays kept bit for bit. */
import { Packr } from 'msgpackr'

/**
 * `moreTypes`: without it Float32Array is silently corrupted. `useRecords` off: every body is complete in itself and readable
 * by any MessagePack library, at the price of the property names.
 */
const packr = new Packr({ moreTypes: true, useRecords: false })

/** The body as bytes that nobody writes over. Small ones share Node's pool. */
export function encodeBody(body: unknown): Buffer {
  // The packer writes on into what it has returned a part of.
  return Buffer.from(packr.pack(body))
}

/** What `encodeBody` was given. Throws when the bytes are not its own. */
export function decodeBody(bytes: Uint8Array): unknown {
  return packr.unpack(bytes)
}
