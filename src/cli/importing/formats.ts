/** Formats that can be imported. Every reader yields the same records. */
import { isObject } from '../../domain/json-object.js'
import type { Role } from '../../domain/session.js'

export const IMPORT_FORMATS = ['mem0', 'langchain', 'redis', 'zep', 'jsonl'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** A memory read from a file. */
export interface ImportedMemory {
  /** Name of the conversation in the file; null if it has none. */
  readonly conversation: string | null
  readonly role: Role
  readonly text: string
  readonly userId: string | null
  /** Epoch seconds; null if the file has none. */
  readonly timestamp: number | null
}

/** Reasons why no memory is made of an item. */
export type Skipped =
  | 'no text'
  | 'system or tool message'
  | 'unknown role'
  | 'fact that no longer holds'
  | 'not an object'
  | 'text that cannot be stored'
  | 'longer than a memory may be'
  | 'user id that cannot be stored'
  | 'user id longer than one may be'

export type ImportedItem = ImportedMemory | { readonly skipped: Skipped }

/** An object of the file. */
export type Item = Readonly<Record<string, unknown>>

export function toRecord(value: unknown): Item | null {
  return isObject(value) ? value : null
}

export function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Converts seconds, milliseconds or a date text to epoch seconds; null for anything else. */
export function toTime(value: unknown): number | null {
  // In seconds this number lies in the year 5138, in milliseconds in 1973.
  const isMilliseconds = (time: number) => Math.abs(time) >= 1e11
  if (typeof value === 'number' && Number.isFinite(value)) return isMilliseconds(value) ? value / 1_000 : value
  if (typeof value !== 'string') return null
  if (/^\d+(\.\d+)?$/.test(value)) return toTime(Number(value))
  const parsed = Date.parse(value)
  return Number.isNaN(parsed) ? null : parsed / 1_000
}
