/** The tables. Names and ids are bytes (see `key-bytes.ts`); heads and bodies are encoded by `record-codec.ts`. */
import type { Generated } from 'kysely'
import type { ActorKind } from '../../domain/address.js'

export interface Schema {
  /** One row per address. A removed record's row keeps the epoch until its tombstone is swept, and is then deleted with it. */
  actor_records: {
    record: Generated<number>
    kind: ActorKind
    subject: Uint8Array
    id: Uint8Array
    epoch: number
    version: number
    /** 0 or 1. */
    is_deleted: number
    head: Uint8Array
    /** 0 or 1. */
    wakes: Generated<number>
  }
  /** Keyed by the record's number rather than its address, which makes the key of a row a third as long. */
  actor_rows: {
    record: number
    collection: Uint8Array
    row_id: Uint8Array
    body: Uint8Array
  }
  /** Removed records: when they were removed and which rows they left, by number. A separate table, so that commits do not rewrite it. */
  actor_tombstones: {
    record: number
    /** Epoch seconds. */
    buried_at: number
    rows: Uint8Array
  }
  /** Append only: triggers refuse updates and deletions. */
  audit_entries: {
    subject: Uint8Array
    seq: number
    /** Canonical JSON, exactly the text that was hashed. Readable, and contains no text of a memory. */
    entry: string
    previous_hash: string
    hash: string
  }
  /** The end of each subject's chain. Serves as its lock, and reveals missing entries at the end. */
  audit_heads: {
    subject: Uint8Array
    seq: number
    hash: string
  }
  actor_migrations: {
    version: number
    applied_at: Generated<string>
  }
}
