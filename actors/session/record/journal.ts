/** Collects what one step changes, so that its commit writes that and nothing else. */
import type { AuditEntry, RecordChanges, StoredRow } from '../../../src/ports.js'
import type { OutboxMessage } from '../../behaviour/behaviour.js'
import type { StoredHead } from './stored-head.js'

export interface Journal {
  /** True while nothing but the head may have changed. */
  readonly isEmpty: boolean
  put(collection: string, id: string, body: unknown): void
  remove(collection: string, id: string): void
  /** Takes back what was put by this step, of what storage has nothing of yet. */
  withdraw(collection: string, id: string): void
  /** Every row of the record is dropped first; what is put afterwards stays. */
  clear(): void
  /** Something that a user gave is gone or was replaced, and may stand in earlier answers. Rows also go for other reasons. */
  noteErasure(): void
  readonly isErasing: boolean
  /** For the audit trail, in the same transaction. */
  audit(entry: AuditEntry): void
  /** For the outbox, in the same transaction. */
  post(message: OutboxMessage): void
  readonly messages: readonly OutboxMessage[]
  changes(head: StoredHead): RecordChanges
}

/** A later word on a row replaces the earlier one; rows are kept by collection and id. */
export function createJournal(): Journal {
  const put = new Map<string, StoredRow>()
  const remove = new Map<string, { collection: string; id: string }>()
  const audited: AuditEntry[] = []
  const messages: OutboxMessage[] = []
  let isCleared = false

  // Fields, not getters: V8 keeps an object made with one as a dictionary.
  const journal: { -readonly [Key in keyof Journal]: Journal[Key] } = {
    isEmpty: true,
    isErasing: false,
    put(collection, id, body) {
      journal.isEmpty = false
      const key = `${collection}/${id}`
      remove.delete(key)
      put.set(key, { collection, id, body })
    },
    remove(collection, id) {
      journal.isEmpty = false
      const key = `${collection}/${id}`
      put.delete(key)
      remove.set(key, { collection, id })
    },
    withdraw: (collection, id) => void put.delete(`${collection}/${id}`),
    clear() {
      put.clear()
      remove.clear()
      isCleared = true
      journal.isEmpty = false
    },
    noteErasure() {
      journal.isErasing = true
    },
    audit(entry) {
      journal.isEmpty = false
      audited.push(entry)
    },
    post(message) {
      journal.isEmpty = false
      messages.push(message)
    },
    messages,
    changes: (head) => ({
      head,
      put: [...put.values()],
      remove: [...remove.values()],
      ...(isCleared && { clear: true }),
      ...(audited.length > 0 && { audit: audited })
    })
  }
  return journal
}
