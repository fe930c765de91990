/** Encodes bodies of records as plain MessagePack; typed arrays are kept bit for bit. */
import type * as Msgpackr from 'msgpackr'
import * as entry from 'msgpackr/pack'

/** Not of the main entry: see `src/bus/message-codec.ts`. */
const { Packr } = entry as typeof Msgpackr

/**
 * Without `moreTypes` a Float32Array is silently corrupted. With `useRecords` off every body is self-contained and readable by any
 * MessagePack library, at the price of repeated property names.
 */
const packr = new Packr({ moreTypes: true, useRecords: false })

/** Encodes a body into a buffer of its own; small ones share Node's pool. */
export function encodeBody(body: unknown): Buffer {
  // Copied, because the packer writes on in the block that it returns a part of.
  return Buffer.from(packr.pack(body))
}

/** Inverse of `encodeBody`. Throws for other bytes. */
export function decodeBody(bytes: Uint8Array): unknown {
  return packr.unpack(bytes)
}
