/** Estimated size of plain data: for commands that wait, for replies that are kept, and for the debugger's events about commits. */

/** Bytes of a number at full precision. A text counts one byte per character: right for most, and cheap. */
const NUMBER_BYTES = 8

/** Returns the approximate bytes of plain data: texts, numbers and typed arrays, with the names of fields. */
export function writtenBytes(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return NUMBER_BYTES
  if (ArrayBuffer.isView(value)) return value.byteLength
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + writtenBytes(item), 0)
  return Object.entries(value).reduce((sum, [name, field]) => sum + name.length + writtenBytes(field), 0)
}
