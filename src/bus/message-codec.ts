/** What crosses between nodes, as bytes: MessagePack with everything that a structured clone keeps of plain data. */
import { addExtension, Packr } from 'msgpackr'

/**
 * Extensions of msgpackr that none of our messages has: errors, patterns, sets, large integers, and texts that are kept apart. Who sends
 * one has read nothing of ours, and gets nothing built from it. Extensions belong to the process, so stored bodies have none either.
 */
const REFUSED = { error: 0x65, pattern: 0x78, set: 0x73, largeInteger: 0x42, bundle: 0x62 } as const

for (const type of Object.values(REFUSED)) addExtension({ type, unpack: refuse })

/**
 * `moreTypes`: without it Float32Array is silently corrupted. Records are on, unlike in storage: only with them does a Map stay a Map,
 * and lists of alike objects name their properties once. `structuredClone` off: nothing refers to another part of its message, so there are
 * no cycles. Every message is complete in itself.
 */
const packr = new Packr({ moreTypes: true, structuredClone: false })

/** Objects, lists, scalars, typed arrays, Map, Date, `undefined`; -0 becomes 0. The bytes are never written to again. */
export function encodeMessage(body: unknown): Uint8Array {
  return packr.pack(body)
}

/** What `encodeMessage` was given; bytes within it share the memory of `data`. Throws when the bytes are nobody's message. */
export function decodeMessage(data: Uint8Array): unknown {
  return packr.unpack(data)
}

function refuse(): never {
  throw new TypeError('No node sends this')
}
