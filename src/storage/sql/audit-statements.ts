/** Statements for the audit trails. */
import type { Kysely } from 'kysely'
import { type Place, prepare, prepareShaped } from './builder.js'
import type { Schema } from './tables.js'

interface AuditValues {
  readonly seq: number
  readonly entry: string
  readonly previousHash: string
  readonly hash: string
}

export function auditStatements(db: Kysely<Schema>) {
  return {
    /** Locks the end of the chain until the transaction ends; creates it if it is missing. */
    lockAudit: prepare('lock_audit', (place: Place<{ subject: Uint8Array; hash: string }>) =>
      db
        .insertInto('audit_heads')
        .values({ subject: place('subject'), seq: 0, hash: place('hash') })
        .onConflict((conflict) => conflict.column('subject').doUpdateSet((eb) => ({ seq: eb.ref('audit_heads.seq') })))
        .returning(['seq', 'hash'])
    ),
    appendAudit: prepareShaped('append_audit', (place: Place<{ subject: Uint8Array }>, items: readonly Place<AuditValues>[]) =>
      db.insertInto('audit_entries').values(
        items.map((item) => ({
          subject: place('subject'),
          seq: item('seq'),
          entry: item('entry'),
          previous_hash: item('previousHash'),
          hash: item('hash')
        }))
      )
    ),
    moveAudit: prepare('move_audit', (place: Place<{ subject: Uint8Array; seq: number; hash: string }>) =>
      db
        .updateTable('audit_heads')
        .set({ seq: place('seq'), hash: place('hash') })
        .where('subject', '=', place('subject'))
    ),
    // Each finds one subject by its index, because a scan over a long trail could exceed the statement's time limit.
    nextAuditHead: prepare('next_audit_head', (place: Place<{ after: Uint8Array }>) =>
      db.selectFrom('audit_heads').select('subject').where('subject', '>', place('after')).orderBy('subject').limit(1)
    ),
    nextAuditEntry: prepare('next_audit_entry', (place: Place<{ after: Uint8Array }>) =>
      db.selectFrom('audit_entries').select('subject').where('subject', '>', place('after')).orderBy('subject').limit(1)
    ),
    auditHead: prepare('audit_head', (place: Place<{ subject: Uint8Array }>) =>
      db.selectFrom('audit_heads').select(['seq', 'hash']).where('subject', '=', place('subject'))
    ),
    auditRows: prepare('audit_rows', (place: Place<{ subject: Uint8Array; after: number; limit: number }>) =>
      db
        .selectFrom('audit_entries')
        .select(['seq', 'entry', 'previous_hash', 'hash'])
        .where('subject', '=', place('subject'))
        .where('seq', '>', place('after'))
        .orderBy('seq')
        .limit(place('limit'))
    )
  }
}
