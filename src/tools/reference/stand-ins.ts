/** Replaces random values in recorded calls by reproducible ones. */
import { createHash } from 'node:crypto'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g

/** Hexadecimal SHA-256 of data that contains ids. */
const CHECKSUM = /\b[0-9a-f]{64}\b/g

/** Replaces UUIDs and checksums by values derived from the order of their first appearance; equal ones stay equal. */
export function createStandIns(): <Value>(value: Value) => Value {
  const standIns = new Map<string, string>()
  const standInFor = (text: string, made: (digits: string) => string): string => {
    const standIn = standIns.get(text) ?? made(createHash('sha256').update(String(standIns.size)).digest('hex'))
    standIns.set(text, standIn)
    return standIn
  }
  return <Value>(value: Value) => {
    const text = JSON.stringify(value)
      .replaceAll(UUID, (uuid) => standInFor(uuid, toUuid))
      .replaceAll(CHECKSUM, (checksum) => standInFor(checksum, (digits) => digits))
    return JSON.parse(text, inOrder) as Value
  }
}

/** Sorts fields named by ids in the order in which the ids were created. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const names = Object.keys(value)
  if (!names.some((name) => name.search(UUID) >= 0)) return value
  return Object.fromEntries(names.sort().map((name) => [name, (value as Readonly<Record<string, unknown>>)[name]]))
}

function toUuid(digits: string): string {
  return [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, `a${digits.slice(17, 20)}`, digits.slice(20, 32)].join('-')
}
