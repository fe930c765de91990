/** What the storage asks its database for: plain data, so that it may cross to another thread. */
import type { Address, Siblings } from '../../domain/address.js'
import type { AuditEntry, WriteToken } from '../../ports.js'
import type { AuditHead, AuditRow } from '../audit-chain.js'
import type { RowName, RowPage, SizesAhead } from './row-page.js'

export interface EncodedRow extends RowName {
  readonly body: Uint8Array
}

/** `RecordChanges` with bodies as bytes. */
export interface EncodedChanges {
  readonly head: Uint8Array
  readonly put: readonly EncodedRow[]
  readonly remove: readonly RowName[]
  readonly clear: boolean
  readonly audit: readonly AuditEntry[]
  readonly wakes: boolean
  /** Of the head and the rows together. */
  readonly bytes: number
}

/** One write to one record. */
export type WriteOperation =
  | { readonly action: 'create'; readonly address: Address; readonly changes: EncodedChanges; readonly tombstoneEpoch?: number | undefined }
  | { readonly action: 'activate'; readonly address: Address }
  | { readonly action: 'commit'; readonly address: Address; readonly token: WriteToken; readonly changes: EncodedChanges }
  | { readonly action: 'remove'; readonly address: Address; readonly token: WriteToken; readonly tombstone: EncodedTombstone }

/** The rows that a removed record leaves, as one body. */
export interface EncodedTombstone {
  readonly rows: Uint8Array
  /** Epoch seconds. */
  readonly buriedAt: number
}

export interface Written {
  readonly outcome: 'written'
  /** The record's number, which its rows are kept under. */
  readonly record: number
  readonly token: WriteToken
  /** Of an activation; empty otherwise. */
  readonly head: Uint8Array
}

export type WriteResult =
  | Written
  /** The record was not in the state that the operation asks for. */
  | { readonly outcome: 'unchanged' }
  /** Rolled back, or with an unknown outcome. */
  | { readonly outcome: 'failed'; readonly code: string }

export interface RowPageQuery {
  readonly record: number
  /** The last row of the page before. */
  readonly after: RowName | null
  /** What that page knew of the next one. */
  readonly ahead?: SizesAhead | undefined
}

export interface ListQuery {
  readonly kind: Address['kind']
  readonly subject: string
  readonly after: string | null
  readonly limit: number
}

export interface ReminderQuery {
  /** Number of the last record of the page before; 0 at the start. */
  readonly after: number
  readonly limit: number
}

export interface ReminderRecord {
  readonly record: number
  readonly address: Address
}

/** Records as a database keeps them. Every call throws DatabaseError. */
export interface RecordStore {
  /** Brings the schema up to date. Idempotent, and safe beside other processes that do the same. */
  migrate(): Promise<void>
  /** One transaction for all, in which each is fenced by itself. At most one operation a record. One result each, in order. */
  write(batch: readonly WriteOperation[]): Promise<WriteResult[]>
  /** Rows in the order of their names: some half a megabyte, or a single one that is larger. */
  rows(query: RowPageQuery): Promise<RowPage>
  find(address: Address): Promise<WriteToken | null>
  /** Of a removed record; `rows` is null when an earlier version removed it, and it left none. */
  tombstone(address: Address): Promise<{ readonly epoch: number; readonly rows: Uint8Array | null } | null>
  /** Drops what was buried before that moment (epoch seconds), with its record, at most `limit`. Whether there may be more. */
  clearTombstones(query: { readonly before: number; readonly limit: number }): Promise<boolean>
  /** The record without taking it over. */
  look(address: Address): Promise<Written | null>
  /** The first subject after `after`, by its key bytes, that has, or had, a record of the kind; null when there is none. */
  nextOwner(query: { readonly kind: Address['kind']; readonly after: string }): Promise<string | null>
  /** The head's bytes. */
  peek(address: Address): Promise<Uint8Array | null>
  /** Those of the records that there are, in no order. */
  heads(of: Siblings): Promise<{ readonly id: string; readonly head: Uint8Array }[]>
  list(query: ListQuery): Promise<string[]>
  /** In the order of their numbers. */
  reminders(query: ReminderQuery): Promise<ReminderRecord[]>
  /** The first subject after `after`, by its key bytes, that has an entry or an end of a chain; null when there is none. */
  nextAudited(after: string): Promise<string | null>
  auditHead(subject: string): Promise<AuditHead | null>
  /** Entries after `after`, oldest first. */
  auditRows(query: { readonly subject: string; readonly after: number; readonly limit: number }): Promise<AuditRow[]>
  /** Resolves when the database answers. */
  check(): Promise<void>
  /** Resolves when it takes writes: some bytes are written, and removed again. */
  checkWriting(): Promise<void>
  /** See `SqlStorage`. */
  purge(): Promise<void>
  close(): Promise<void>
}
