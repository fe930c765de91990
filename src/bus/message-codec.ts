/** Codec of messages between nodes: MessagePack, with everything that a structured clone keeps of plain data. */
import type * as Msgpackr from 'msgpackr'
import * as entry from 'msgpackr/pack'

/**
 * This entry makes each text by itself. The main one cuts them from one long text, with its native part, so that an id which is kept would
 * keep all texts of its message. Its own declarations do not resolve in ECMAScript modules.
 */
const { addExtension, Packr } = entry as typeof Msgpackr

/**
 * Extensions of msgpackr that no message of this service uses: errors, patterns, sets, big integers, and bundled strings. Refusing them
 * keeps a sender of other bytes from having anything built here. Extensions apply to the whole process, so stored bodies have none either.
 */
const REFUSED = { error: 0x65, pattern: 0x78, set: 0x73, largeInteger: 0x42, bundle: 0x62 } as const

for (const type of Object.values(REFUSED)) addExtension({ type, unpack: refuse })

/**
 * Without `moreTypes` a Float32Array is silently corrupted. Unlike in storage, records are on: only with them does a Map stay a Map, and
 * lists of similar objects carry their property names once. With `structuredClone` off there are no references within a message, and so no
 * cycles. Every message is self-contained.
 */
const packr = new Packr({ moreTypes: true, structuredClone: false })

/** Encodes objects, lists, scalars, typed arrays, Map, Date and `undefined`; -0 becomes 0. The bytes are never overwritten. */
export function encodeMessage(body: unknown): Uint8Array {
  return packr.pack(body)
}

/** Inverse of `encodeMessage`. Byte arrays in the result share the memory of `data`. Throws for bytes that are no message. */
export function decodeMessage(data: Uint8Array): unknown {
  return packr.unpack(data)
}

function refuse(): never {
  throw new TypeError('No node sends this')
}
