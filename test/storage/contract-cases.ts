/** Types and helpers for the cases of the storage contract. */
import type { Test } from 'tap'
import type { Address } from '../../src/domain/address.js'
import { isDomainError } from '../../src/domain/errors.js'
import type { ActorStorage, AuditEntry, RecordChanges, StoredRow, WriteToken } from '../../src/ports.js'

export interface OpenStorage {
  readonly storage: ActorStorage
  /** A second connection to the same records. Omitted if there can be none. */
  readonly other?: ActorStorage
  /** Kills the server behind the storage and restarts it on the same data. Resolves once it listens. Omitted if there is no server. */
  readonly restartServer?: () => Promise<void>
  /** Removes whatever a case wrote. Omitted if each case needs a storage of its own. */
  readonly empty?: () => Promise<void>
  /** Stops what `open` started, after the storage is closed. */
  readonly stop?: () => Promise<void>
}

/** Cases by name: condition and outcome. */
export type Cases = Record<string, (t: Test, opened: OpenStorage) => Promise<void>>

export const SUBJECT = 'subject'

/** Names that a key, a pattern, a query or a sort order may misinterpret. */
export const ODD_STRINGS = [
  'plain',
  ' with spaces ',
  'colon:colon::',
  '12:3:abc',
  `quote'double"back\`slash\\`,
  '../../etc/passwd',
  '%00 %2F + ? # & =',
  '*?[a-z]',
  '{tag}',
  '$set',
  'a.b.c',
  'line\nfeed\ttab',
  'ünïcödé ✓ 漢字 🙂',
  'e\u0301 is not \u00e9',
  'é is not e\u0301'.normalize('NFC'),
  'Case',
  'case',
  '__proto__',
  'constructor',
  'x'.repeat(128)
]

export function at(id: string, subject = SUBJECT): Address {
  return { kind: 'session', subject, id }
}

export function headed(head: unknown, put: readonly StoredRow[] = []): RecordChanges {
  return { head, put, remove: [] }
}

export function row(id: string, body: unknown, collection = 'memories'): StoredRow {
  return { collection, id, body }
}

/** Names of the rows, sorted. */
export function names(rows: readonly StoredRow[]): string[] {
  return rows.map(({ collection, id }) => `${collection}/${id}`).sort()
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'fulfilled'
  } catch (error) {
    return isDomainError(error) ? error.code : String(error)
  }
}

export async function created(storage: ActorStorage, address: Address, changes: RecordChanges = headed({ n: 0 })): Promise<WriteToken> {
  const token = await storage.create(address, changes)
  if (token === null) throw new Error('The record exists already')
  return token
}

export async function activated(storage: ActorStorage, address: Address) {
  const record = await storage.activate(address)
  if (record === null) throw new Error('The record is absent')
  return record
}

/** Takes the record over and adds one row with its audit entry, as an actor does after trouble. Resolves once acknowledged. */
export async function writeOnce(storage: ActorStorage, id: string, n: number): Promise<void> {
  const record = await storage.activate(at(id))
  const token = record === null ? await storage.create(at(id), headed({})) : record.token
  if (token === null) throw new Error('Somebody else made the record')
  await storage.commit(at(id), token, { ...headed({ n }, [row(String(n), n)]), audit: [entry(n)] })
}

export function entry(n: number): AuditEntry {
  return { action: 'run', userId: `user${n}`, sessionId: 'a', requestId: `q${n}`, timestamp: n, digest: 'd'.repeat(64), size: n }
}
