/** A write in messages of bounded length, put together again where they arrive. */
import t from 'tap'
import type { EncodedChanges, WriteOperation } from '../../../src/storage/sql/operations.js'
import { createPartCollector, ITEMS_A_MESSAGE, type WriteMessage, writeMessages } from '../../../src/storage/sql/write-messages.js'
import { at } from '../contract-cases.js'

const NOTHING: EncodedChanges = { head: new Uint8Array([1]), put: [], remove: [], clear: false, audit: [], wakes: false, bytes: 1 }
const nameOf = (row: number) => ({ collection: 'stats', id: String(row) })
const many = <Item>(count: number, make: (row: number) => Item): Item[] => Array.from({ length: count }, (_, row) => make(row))
const rowOf = (row: number) => ({ ...nameOf(row), body: new Uint8Array([row % 256]) })
const entryOf = (row: number) =>
  ({ action: 'edit', userId: String(row), sessionId: 's', requestId: 'r', timestamp: 1, digest: 'd', size: 1 }) as const

function commit(id: string, changes: Partial<EncodedChanges>): WriteOperation {
  return { action: 'commit', address: at(id), token: { epoch: 1, version: 1 }, changes: { ...NOTHING, ...changes } }
}

function received(messages: readonly WriteMessage[]): readonly WriteOperation[] {
  const collector = createPartCollector()
  for (const message of messages) {
    if (!('part' in message)) return collector.complete(message)
    collector.add(message)
  }
  throw new Error('No call came')
}

t.test('a short write is one message', async (t) => {
  const batch = [commit('a', { put: many(ITEMS_A_MESSAGE, rowOf) }), { action: 'activate', address: at('b') } as const]
  const messages = [...writeMessages(1, batch)]
  t.strictSame(messages, [{ id: 1, name: 'write', query: batch }])
  t.strictSame(received(messages), batch)
})

t.test('a long write is messages of bounded lists, and arrives as it was', async (t) => {
  const batch = [
    commit('a', { put: many(2 * ITEMS_A_MESSAGE + 1, rowOf), audit: many(ITEMS_A_MESSAGE + 1, entryOf), remove: many(3, nameOf) }),
    commit('b', { put: many(2, rowOf) }),
    commit('c', { remove: many(ITEMS_A_MESSAGE + 1, nameOf), clear: true })
  ]
  const messages = [...writeMessages(7, batch)]
  t.equal(messages.length, 3 + 2 + 1)
  for (const message of messages) {
    const lists =
      'part' in message ? [message.part] : message.query.flatMap((operation) => ('changes' in operation ? operation.changes : []))
    for (const { put, remove, audit } of lists)
      t.ok(Math.max(put.length, remove.length, audit.length) <= ITEMS_A_MESSAGE, 'no list is longer than one message takes')
  }
  t.strictSame(received(messages), batch)
})
