/** About how large plain data is: what commands take while they wait, which replies are kept, and what the debugger tells of a commit. */

/** Bytes of a number at full precision. A text counts a byte a character: right for most, and cheap. */
const NUMBER_BYTES = 8

/** About the bytes of plain data: its texts, numbers and typed arrays, with the names of its fields. */
export function writtenBytes(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return NUMBER_BYTES
  if (ArrayBuffer.isView(value)) return value.byteLength
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + writtenBytes(item), 0)
  return Object.entries(value).reduce((sum, [name, field]) => sum + name.length + writtenBytes(field), 0)
}
