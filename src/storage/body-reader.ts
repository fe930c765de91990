/**
 * Reads many bodies in a row, such as those of one record: what they have in common, their keys and short texts, is made once. Of what
 * `encodeBody` writes it knows the usual; the rest is left to the packer.
 */
import { decodeBody } from './record-codec.js'

export interface BodyReader {
  /** The body that lies between two places of the bytes, by default from their start to their end. Throws when there is none. */
  read(bytes: Uint8Array, place?: { readonly start: number; readonly end: number }): unknown
}

/** Characters of a text, at most, that may stand for the same text in other bodies: keys, roles and tiers. */
const SHARED_LENGTH_MAX = 20

/** Such texts that are kept while reading; a new one takes the place of another. */
const SHARED_MAX = 1_024

/** Number of Float32Array among the typed arrays of the packer, and its mark for all of them. */
const FLOAT32 = 7
const TYPED_ARRAY = 0x74

const FOREIGN = new Error('a body has what only the packer knows')

/** What is shared goes with the reader: nothing of one record is there when another is read. */
export function createBodyReader(): BodyReader {
  const shared = new Array<string | undefined>(SHARED_MAX).fill(undefined)
  let source: Uint8Array = new Uint8Array(0)
  let bytes = Buffer.from(source.buffer)
  let view = new DataView(source.buffer)
  let at = 0

  function value(): unknown {
    const token = bytes[at++] as number
    if (token < 0x80) return token
    if (token < 0x90) return object(token - 0x80)
    if (token < 0xa0) return list(token - 0x90)
    if (token < 0xc0) return text(token - 0xa0)
    if (token >= 0xe0) return token - 0x100
    switch (token) {
      case 0xc0:
        return null
      case 0xc2:
        return false
      case 0xc3:
        return true
      case 0xc7:
        return vector(whole(1))
      case 0xc8:
        return vector(whole(2))
      case 0xc9:
        return vector(whole(4))
      case 0xcb:
        at += 8
        return view.getFloat64(at - 8)
      case 0xcc:
        return whole(1)
      case 0xcd:
        return whole(2)
      case 0xce:
        return whole(4)
      case 0xd9:
        return text(whole(1))
      case 0xda:
        return text(whole(2))
      case 0xdb:
        return text(whole(4))
      case 0xdc:
        return list(whole(2))
      case 0xdd:
        return list(whole(4))
      case 0xde:
        return object(whole(2))
      case 0xdf:
        return object(whole(4))
      default:
        throw FOREIGN
    }
  }

  function whole(size: 1 | 2 | 4): number {
    const from = at
    at += size
    return size === 1 ? view.getUint8(from) : size === 2 ? view.getUint16(from) : view.getUint32(from)
  }

  function object(fields: number): Record<string, unknown> {
    const made: Record<string, unknown> = {}
    for (let field = 0; field < fields; field++) {
      const token = bytes[at++] as number
      if (token < 0xa0 || token >= 0xc0) throw FOREIGN
      const key = text(token - 0xa0)
      if (key === '__proto__') throw FOREIGN
      made[key] = value()
    }
    return made
  }

  function list(length: number): unknown[] {
    // Of a broken length it would be a list of everything.
    if (length > bytes.length - at) throw FOREIGN
    const items = new Array<unknown>(length)
    for (let item = 0; item < length; item++) items[item] = value()
    return items
  }

  function vector(length: number): Float32Array {
    const from = at + 2
    at += length + 1
    if (bytes[from - 2] !== TYPED_ARRAY || bytes[from - 1] !== FLOAT32 || at > bytes.length) throw FOREIGN
    // A copy, as numbers have to begin where the processor can read them.
    const { buffer, byteOffset } = bytes
    return new Float32Array((buffer as ArrayBuffer).slice(byteOffset + from, byteOffset + at))
  }

  function text(length: number): string {
    const from = at
    at += length
    if (length === 0) return ''
    if (length <= SHARED_LENGTH_MAX) return sharedText(from, length)
    const read = bytes.toString('utf8', from, at)
    // Of what is no UTF-8 the packer makes something of its own.
    if (read.includes('\ufffd')) throw FOREIGN
    return read
  }

  function sharedText(from: number, length: number): string {
    const first = bytes[from] as number
    const middle = bytes[from + (length >> 1)] as number
    const last = bytes[from + length - 1] as number
    const place = (first ^ (middle << 3) ^ (last << 6) ^ (length << 4)) % SHARED_MAX
    const known = shared[place]
    if (known?.length === length && isAt(known, from)) return known
    const read = bytes.toString('utf8', from, from + length)
    if (read.includes('\ufffd')) throw FOREIGN
    // Only where each character is one byte are they compared byte by byte.
    if (read.length === length) shared[place] = read
    return read
  }

  function isAt(known: string, from: number): boolean {
    for (let character = 0; character < known.length; character++) if (known.charCodeAt(character) !== bytes[from + character]) return false
    return true
  }

  return {
    read(from, { start, end } = { start: 0, end: from.length }) {
      if (source !== from) {
        source = from
        bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
        view = new DataView(source.buffer, source.byteOffset, source.byteLength)
      }
      at = start
      try {
        const body = value()
        if (at === end) return body
      } catch {
        // What is wrong with it, if anything is, the packer says.
      }
      return decodeBody(source.subarray(start, end))
    }
  }
}
