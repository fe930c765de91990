import t from 'tap'
import { createJournal } from '../../../../actors/session/record/journal.js'
import type { StoredHead } from '../../../../actors/session/record/stored-head.js'
import type { AuditEntry } from '../../../../src/ports.js'

const HEAD = {} as StoredHead
const row = (id: string, body: unknown) => ({ collection: 'memory', id, body })
const name = (id: string) => ({ collection: 'memory', id })

t.test('a later word on a row replaces the earlier one, and rows of two collections are two', async (t) => {
  const journal = createJournal()
  journal.put('memory', 'a', 1)
  journal.put('memory', 'a', 2)
  journal.put('stats', 'a', 3)
  journal.remove('memory', 'b')
  journal.put('memory', 'b', 4)
  journal.put('memory', 'c', 5)
  journal.remove('memory', 'c')
  t.same(journal.changes(HEAD), {
    head: HEAD,
    put: [row('a', 2), { collection: 'stats', id: 'a', body: 3 }, row('b', 4)],
    remove: [name('c')]
  })
})

t.test('what is withdrawn was never put, and removes nothing', async (t) => {
  const journal = createJournal()
  journal.put('memory', 'a', 1)
  journal.put('memory', 'b', 2)
  journal.withdraw('memory', 'a')
  t.same(journal.changes(HEAD), { head: HEAD, put: [row('b', 2)], remove: [] })
})

t.test('a clear drops every row and what was said of rows before it; what is put afterwards stays', async (t) => {
  const journal = createJournal()
  journal.put('memory', 'a', 1)
  journal.remove('memory', 'b')
  journal.clear()
  t.notOk(journal.isEmpty)
  journal.put('memory', 'c', 2)
  t.same(journal.changes(HEAD), { head: HEAD, put: [row('c', 2)], remove: [], clear: true })
})

t.test(
  'a journal is empty until a row, an audit entry or an outbox message is in it: the head may have changed all the same',
  async (t) => {
    const entry = { action: 'run' } as AuditEntry
    const message = {
      id: 'm',
      to: { kind: 'cluster', subject: 's', id: 'c' },
      command: { type: 'cluster.read' },
      isAwaited: true
    } as const
    const fresh = createJournal()
    t.ok(fresh.isEmpty)
    fresh.noteErasure()
    t.ok(fresh.isErasing)
    t.ok(fresh.isEmpty)
    t.same(fresh.changes(HEAD), { head: HEAD, put: [], remove: [] })
    for (const change of [
      (journal: typeof fresh) => journal.put('memory', 'a', 1),
      (journal: typeof fresh) => journal.remove('memory', 'a'),
      (journal: typeof fresh) => journal.audit(entry),
      (journal: typeof fresh) => journal.post(message)
    ]) {
      const journal = createJournal()
      change(journal)
      t.notOk(journal.isEmpty)
      t.notOk(journal.isErasing)
    }
    fresh.audit(entry)
    fresh.post(message)
    t.same(fresh.changes(HEAD), { head: HEAD, put: [], remove: [], audit: [entry] })
    t.same(fresh.messages, [message])
  }
)
