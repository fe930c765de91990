/** Format of a backup: lines of JSON, the last of which has the checksum of all before. Described in `docs/cli.md`. */
import { CommandFailure } from '../console/failure.js'

export const BACKUP_FORMAT = 'engram-backup'
export const BACKUP_VERSION = 1

/** `subject`: sessions as exported by the interface. `storage`: records of every kind, as the storage keeps them. */
export type BackupScope = 'subject' | 'storage'

export interface BackupHeader {
  readonly format: typeof BACKUP_FORMAT
  readonly version: typeof BACKUP_VERSION
  readonly scope: BackupScope
  /** Identifies the source, so that a partial backup is not continued from another one. */
  readonly source: string
  /** Epoch seconds. */
  readonly created_at: number
}

/** The last line. */
interface BackupEnd {
  readonly type: 'end'
  /** Number of sessions or records. */
  readonly items: number
  /** SHA-256, in hex, of all bytes before this line. */
  readonly sha256: string
}

/** Bytes that identify a line: its type, and an id of at most 128 characters. */
export const HEAD_BYTES = 1_024

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Throws CommandFailure for a file of another kind or of a later version. */
export function readHeader(line: string): BackupHeader {
  const header = parsed(line)
  if (!isObject(header) || header['format'] !== BACKUP_FORMAT) throw new CommandFailure('This is no backup of engram.')
  if (header['version'] !== BACKUP_VERSION)
    throw new CommandFailure(`The backup is of version ${String(header['version'])}; this program reads version ${String(BACKUP_VERSION)}.`)
  const { scope, source, created_at } = header
  if ((scope !== 'subject' && scope !== 'storage') || typeof source !== 'string' || typeof created_at !== 'number')
    throw new CommandFailure('This is no backup of engram.')
  return { format: BACKUP_FORMAT, version: BACKUP_VERSION, scope, source, created_at }
}

/** Returns null if the line is not the last one of a backup. */
export function readEnd(line: string): BackupEnd | null {
  const end = line.startsWith('{"type":"end",') ? parsed(line) : null
  if (!isObject(end)) return null
  const { items, sha256 } = end
  return typeof items === 'number' && typeof sha256 === 'string' ? { type: 'end', items, sha256 } : null
}

export function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return null
  }
}
