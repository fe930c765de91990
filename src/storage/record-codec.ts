/** Bodies of records as bytes: plain MessagePack, with typed arrays kept bit for bit. */
import { Packr } from 'msgpackr'

/**
 * `moreTypes`: without it Float32Array is silently corrupted. `useRecords` off: every body is complete in itself and readable
 * by any MessagePack library, at the price of the property names.
 */
const packr = new Packr({ moreTypes: true, useRecords: false })

/** The body in a buffer of its own, which may be handed to another thread. */
export function encodeBody(body: unknown): Uint8Array {
  // The packer writes into a pool that it shares between calls, and that would be copied as a whole.
  return Uint8Array.from(packr.pack(body))
}

/** What `encodeBody` was given. Throws when the bytes are not its own. */
export function decodeBody(bytes: Uint8Array): unknown {
  return packr.unpack(bytes)
}
