/**
 * Names as bytes of a key. Databases refuse some texts (PostgreSQL a NUL), repair others (surrogates on their own) and sort by
 * their own rules; bytes they keep and compare as they are. Each UTF-16 unit becomes one to three bytes (CESU-8): ASCII reads as
 * it is, every string has one form, and bytes sort as the units do, also beyond the basic plane, where UTF-8 does not.
 */

const SURROGATE = /[\ud800-\udfff]/
/** First byte of a unit in d800 to dfff, and the lowest second one. */
const SURROGATE_LEAD = 0xed
const SURROGATE_SECOND_MIN = 0xa0

/** In Node's pool, as thousands of small blocks of their own would each hasten the next full collection. */
export function toKeyBytes(name: string): Buffer {
  return SURROGATE.test(name) ? Buffer.from([...unitBytes(name)]) : Buffer.from(name, 'utf8')
}

/** The string that `toKeyBytes` was given. */
export function fromKeyBytes(bytes: Uint8Array): string {
  return keyTexts(bytes)(0, bytes.length)
}

/** The strings that stand one after another in bytes, each between two places. */
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
