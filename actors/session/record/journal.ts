/** Collects the changes of one step for its commit. */
import type { AuditEntry, RecordChanges, StoredRow } from '../../../src/ports.js'
import type { OutboxMessage } from '../../behaviour/behaviour.js'
import type { StoredHead } from './stored-head.js'

export interface Journal {
  /** True while nothing was recorded: at most the head has changed. */
  readonly isEmpty: boolean
  put(collection: string, id: string, body: unknown): void
  remove(collection: string, id: string): void
  /** Drops a `put` of this step for a row that storage does not have yet. */
  withdraw(collection: string, id: string): void
  /** Drops all changes so far, and has the commit drop all stored rows first. Later changes apply on top. */
  clear(): void
  /** Notes that content from a user was removed or replaced, and may still be in logged replies. Not all removals of rows are such. */
  noteErasure(): void
  readonly isErasing: boolean
  /** Adds an entry to the audit trail, in the same transaction. */
  audit(entry: AuditEntry): void
  /** Adds a message to the outbox, in the same transaction. */
  post(message: OutboxMessage): void
  readonly messages: readonly OutboxMessage[]
  changes(head: StoredHead): RecordChanges
}

/** Creates a journal. A later change of a row, named by collection and id, replaces an earlier one. */
export function createJournal(): Journal {
  const put = new Map<string, StoredRow>()
  const remove = new Map<string, { collection: string; id: string }>()
  const audited: AuditEntry[] = []
  const messages: OutboxMessage[] = []
  let isCleared = false

  // Fields, not getters: V8 turns an object literal with a getter into a dictionary.
  const journal: { -readonly [Key in keyof Journal]: Journal[Key] } = {
    isEmpty: true,
    isErasing: false,
    put(collection, id, body) {
      journal.isEmpty = false
      const key = `${collection}/${id}`
      if (remove.size > 0) remove.delete(key)
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
