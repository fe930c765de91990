/** What crosses between nodes, as bytes: MessagePack with everything that a structured clone keeps of plain data. */
import { Packr } from 'msgpackr'

/**
 * `moreTypes`: without it Float32Array is silently corrupted. Records are on, unlike in storage: only with them does a Map stay a Map,
 * and lists of alike objects name their properties once. Every message is complete in itself.
 */
const packr = new Packr({ moreTypes: true })

/** Objects, lists, scalars, typed arrays, Map, Set, Date, `undefined`; -0 becomes 0. The bytes are never written to again. */
export function encodeMessage(body: unknown): Uint8Array {
  return packr.pack(body)
}

/** What `encodeMessage` was given; bytes within it share the memory of `data`. Throws when the bytes are nobody's message. */
export function decodeMessage(data: Uint8Array): unknown {
  return packr.unpack(data)
}
