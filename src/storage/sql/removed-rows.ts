/**
 * Rows of removed records are deleted a page at a time, each in a transaction of its own: those of a large record in one transaction would
 * keep the writes of others waiting for seconds.
 */
import { type Address, addressKey } from '../../domain/address.js'
import { ask, type SqlConnection } from './database.js'
import type { RecordStore, RemovedRecord } from './operations.js'
import { countWithin, sizesAfter } from './page-sizes.js'
import type { Statements } from './statements.js'

/** Deletes the first rows of a record, as many as a page has. Returns whether there may be more. */
export async function clearPage(connection: SqlConnection, statements: Statements, record: number): Promise<boolean> {
  const { sizes, isEnd } = await sizesAfter(connection, statements, { record, after: null })
  const count = countWithin(sizes)
  if (isEnd && count === sizes.length) await ask(connection, statements.clear, { record })
  else await ask(connection, statements.clearUpTo, { record, last: count - 1 })
  return !isEnd || count < sizes.length
}

interface RowClearing {
  /** Deletes what is left of a removed record, after that of records of the same subject. */
  add(address: Address, removed: RemovedRecord): void
  /** Resolves when nothing is left of the record that was removed at this address; undefined where nothing is. */
  rest(address: Address): Promise<void> | undefined
  /** Resolves when nothing is left of any record added so far. */
  idle(): Promise<void>
}

/** Creates the clearing of one storage. Of each subject one page is cleared at a time. */
export function createRowClearing(store: Pick<RecordStore, 'clearRemoved'>): RowClearing {
  /** The last one of each subject, and that of each address. */
  const bySubject = new Map<string, Promise<void>>()
  const byAddress = new Map<string, Promise<void>>()

  async function clear(removed: RemovedRecord): Promise<void> {
    while (await store.clearRemoved(removed));
  }
  function keep(map: Map<string, Promise<void>>, key: string, cleared: Promise<void>): void {
    map.set(key, cleared)
    void cleared.then(() => map.get(key) === cleared && map.delete(key))
  }
  return {
    add(address, removed) {
      const before = bySubject.get(address.subject) ?? Promise.resolve()
      // What fails here is done when the tombstone is cleared.
      const cleared = before.then(() => clear(removed)).catch(() => undefined)
      keep(bySubject, address.subject, cleared)
      keep(byAddress, addressKey(address), cleared)
    },
    rest: (address) => byAddress.get(addressKey(address)),
    idle: () => Promise.all(bySubject.values()).then(() => undefined)
  }
}
