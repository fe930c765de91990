/** The tables. Names and ids are bytes (`key-bytes.ts`), heads and bodies those of `record-codec.ts`. */
import type { Generated } from 'kysely'
import type { ActorKind } from '../../domain/address.js'

export interface Schema {
  /** One row an address. That of a removed record keeps its epoch until its tombstone is swept, and then goes with it. */
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
  /** Kept under the record's number rather than its address: the key of a row is a third as long. */
  actor_rows: {
    record: number
    collection: Uint8Array
    row_id: Uint8Array
    body: Uint8Array
  }
  /** When records were removed, and what they left, under their numbers. Beside them, so that no commit writes them again. */
  actor_tombstones: {
    record: number
    /** Epoch seconds. */
    buried_at: number
    rows: Uint8Array
  }
  /** Append-only: triggers refuse changes and deletions. */
  audit_entries: {
    subject: Uint8Array
    seq: number
    /** Canonical JSON, the very text that was hashed; readable, and without any memory's text. */
    entry: string
    previous_hash: string
    hash: string
  }
  /** The end of each subject's chain: its lock, and what shows that the last entries are missing. */
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
