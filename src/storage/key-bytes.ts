/**
 * Names as bytes of keys. Databases refuse some texts (PostgreSQL a NUL), repair others (lone surrogates) and sort by their own rules;
 * bytes they keep and compare unchanged. Each UTF-16 unit becomes one to three bytes (CESU-8). ASCII stays readable, every string has
 * exactly one form, and the bytes sort as the units do, also beyond the basic plane, where UTF-8 does not.
 */

const SURROGATE = /[\ud800-\udfff]/
/** Lead byte of a unit from d800 to dfff, and the lowest second byte of one. */
const SURROGATE_LEAD = 0xed
const SURROGATE_SECOND_MIN = 0xa0

/** Of no name: sorts before all of them. */
export const NO_BYTES = new Uint8Array(0)

/** Allocated in Node's buffer pool: thousands of small separate blocks would each bring the next full garbage collection closer. */
export function toKeyBytes(name: string): Buffer {
  return SURROGATE.test(name) ? Buffer.from([...unitBytes(name)]) : Buffer.from(name, 'utf8')
}

/** Inverse of `toKeyBytes`. */
export function fromKeyBytes(bytes: Uint8Array): string {
  return keyTexts(bytes)(0, bytes.length)
}

/** Returns a decoder for several names that lie one after another in `bytes`; it decodes those from `start` to `end`. */
export function keyTexts(bytes: Uint8Array): (start: number, end: number) => string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!hasSurrogates(buffer)) return (start, end) => buffer.toString('utf8', start, end)
  return (start, end) => fromUnitBytes(buffer.subarray(start, end))
}

function hasSurrogates(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(SURROGATE_LEAD); at !== -1; at = bytes.indexOf(SURROGATE_LEAD, at + 1)) {
    if ((bytes[at + 1] ?? 0) >= SURROGATE_SECOND_MIN) return true
  }
  return false
}

function* unitBytes(name: string): Generator<number> {
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at)
    if (unit < 0x80) yield unit
    else if (unit < 0x800) {
      yield 0xc0 | (unit >> 6)
      yield 0x80 | (unit & 0x3f)
    } else {
      yield 0xe0 | (unit >> 12)
      yield 0x80 | ((unit >> 6) & 0x3f)
      yield 0x80 | (unit & 0x3f)
    }
  }
}

function fromUnitBytes(bytes: Uint8Array): string {
  const low = (at: number) => (bytes[at] ?? 0) & 0x3f
  const units: string[] = []
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] as number
    const [unit, length] =
      lead < 0x80
        ? [lead, 1]
        : lead < 0xe0
          ? [((lead & 0x1f) << 6) | low(at + 1), 2]
          : [((lead & 0xf) << 12) | (low(at + 1) << 6) | low(at + 2), 3]
    units.push(String.fromCharCode(unit))
    at += length
  }
  return units.join('')
}
