/** The interface of durable storages to backups: records and audit trails as they are, beside their owners. */
import type { Address } from './domain/address.js'
import type { AuditEntry, StoredRow } from './ports.js'

interface ArchivedRecord {
  readonly head: unknown
  readonly rows: readonly StoredRow[]
}

/** Reads only. */
export interface RecordArchive {
  /**
   * The first licence subject after `after` that has, or had, a record or an audit trail, in an order of the storage's own; null at the
   * end. Undefined where subjects are kept as hashes alone: their records are found by name only.
   */
  readonly nextSubject: ((after: string) => Promise<string | null>) | undefined
  /** As last committed, without taking it over; null when absent. Throws DomainError `fenced` when it was written meanwhile. */
  read(address: Address): Promise<ArchivedRecord | null>
  /** Entries of a subject's trail after the first `after` ones, oldest first, at most `limit`. */
  auditEntries(subject: string, query: { readonly after: number; readonly limit: number }): Promise<AuditEntry[]>
}
