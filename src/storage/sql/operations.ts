/** Requests of the storage to its database: plain data, which can be passed to another thread. */
import type { Address, Siblings } from '../../domain/address.js'
import type { AuditEntry, WriteToken } from '../../ports.js'
import type { AuditHead, AuditRow } from '../audit-chain.js'
import type { RowName, RowPage, SizesAhead } from './row-page.js'

export interface EncodedRow extends RowName {
  readonly body: Uint8Array
}

/** `RecordChanges` with encoded bodies. */
export interface EncodedChanges {
  readonly head: Uint8Array
  readonly put: readonly EncodedRow[]
  readonly remove: readonly RowName[]
  readonly clear: boolean
  readonly audit: readonly AuditEntry[]
  readonly wakes: boolean
  /** Bytes of the head and the rows together. */
  readonly bytes: number
}

/** One write to one record. */
export type WriteOperation =
  | { readonly action: 'create'; readonly address: Address; readonly changes: EncodedChanges; readonly tombstoneEpoch?: number | undefined }
  | { readonly action: 'activate'; readonly address: Address }
  | { readonly action: 'commit'; readonly address: Address; readonly token: WriteToken; readonly changes: EncodedChanges }
  | { readonly action: 'remove'; readonly address: Address; readonly token: WriteToken; readonly tombstone: EncodedTombstone }

/** The rows that a removed record leaves, encoded as one body. */
export interface EncodedTombstone {
  readonly rows: Uint8Array
  /** Epoch seconds. */
  readonly buriedAt: number
}

export interface Written {
  readonly outcome: 'written'
  /** Number of the record, the key of its rows. */
  readonly record: number
  readonly token: WriteToken
  /** Set by an activation; empty otherwise. */
  readonly head: Uint8Array
  /** True: the record was removed, and may have rows left to clear. */
  readonly hasRest?: boolean
}

export type WriteResult =
  | Written
  /** The record was not in the state that the operation requires. */
  | { readonly outcome: 'unchanged' }
  /** Rolled back, or the outcome is unknown. */
  | { readonly outcome: 'failed'; readonly code: string }

export interface RemovedRecord {
  readonly record: number
  /** Epoch at its removal. */
  readonly epoch: number
}

export interface RowPageQuery {
  readonly record: number
  /** The last row of the previous page. */
  readonly after: RowName | null
  /** Sizes of the next rows, from the previous page. */
  readonly ahead?: SizesAhead | undefined
}

export interface ListQuery {
  readonly kind: Address['kind']
  readonly subject: string
  readonly after: string | null
  readonly limit: number
}

interface ReminderQuery {
  /** Number of the last record of the previous page; 0 at the start. */
  readonly after: number
  readonly limit: number
}

interface ReminderRecord {
  readonly record: number
  readonly address: Address
}

/** Records as a database keeps them. All methods throw DatabaseError. */
export interface RecordStore {
  /** Migrates the schema. Idempotent, and safe while other processes do the same. */
  migrate(): Promise<void>
  /** Applies all operations in one transaction, each with its own fence; at most one per record. Returns one result each, in order. */
  write(batch: readonly WriteOperation[]): Promise<WriteResult[]>
  /** Returns rows in the order of their names: about two megabytes, or a single larger row. */
  rows(query: RowPageQuery): Promise<RowPage>
  find(address: Address): Promise<WriteToken | null>
  /** Tombstone of a removed record. `rows` is null when an earlier version removed the record and left none. */
  tombstone(address: Address): Promise<{ readonly epoch: number; readonly rows: Uint8Array | null } | null>
  /** Deletes a page of the rows that a removed record has left, unless it was created again. Returns whether there may be more. */
  clearRemoved(removed: RemovedRecord): Promise<boolean>
  /** Deletes at most `limit` tombstones from before that moment (epoch seconds), with their records. Returns whether there may be more. */
  clearTombstones(query: { readonly before: number; readonly limit: number }): Promise<boolean>
  /** Reads the record without taking it over. */
  look(address: Address): Promise<Written | null>
  /** Returns the first subject after `after`, by its key bytes, that has or had a record of the kind; null when there is none. */
  nextOwner(query: { readonly kind: Address['kind']; readonly after: string }): Promise<string | null>
  /** Returns the encoded head. */
  peek(address: Address): Promise<Uint8Array | null>
  /** Returns the heads of the records that exist, in no order. */
  heads(of: Siblings): Promise<{ readonly id: string; readonly head: Uint8Array }[]>
  list(query: ListQuery): Promise<string[]>
  /** Ordered by the records' numbers. */
  reminders(query: ReminderQuery): Promise<ReminderRecord[]>
  /** Returns the first subject after `after`, by its key bytes, that has an audit entry or the end of a chain; null when there is none. */
  nextAudited(after: string): Promise<string | null>
  auditHead(subject: string): Promise<AuditHead | null>
  /** Returns the entries after `after`, oldest first. */
  auditRows(query: { readonly subject: string; readonly after: number; readonly limit: number }): Promise<AuditRow[]>
  /** Resolves when the database answers. */
  check(): Promise<void>
  /** Resolves when the database accepts writes: some bytes are written and removed again. */
  checkWriting(): Promise<void>
  /** See `SqlStorage`. */
  purge(): Promise<void>
  /** See `SqlDatabase`. */
  emptyLog(): Promise<void>
  close(): Promise<void>
}
