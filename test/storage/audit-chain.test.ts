/** The form of the audit chain is stored: after a change of it, every existing trail would count as forged. */
import { createHash } from 'node:crypto'
import t from 'tap'
import type { AuditEntry } from '../../src/ports.js'
import { type AuditRow, CHAIN_START, findBrokenLink, fromAuditText, linkEntries } from '../../src/storage/audit-chain.js'

const START = { seq: 0, hash: CHAIN_START }

const entry = (own: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ action: 'run', userId: 'ann', sessionId: 's', requestId: 'r', timestamp: 1_700_000_000.25, digest: 'd', size: 3 },
  ...own
})

t.test('each entry is hashed as JSON with the hash before it, its subject and its number', async (t) => {
  const rows = linkEntries({ seq: 4, hash: 'before' }, 'subject', [entry(), entry({ action: 'erase' })])
  const text = '{"action":"run","digest":"d","request_id":"r","session_id":"s","size":3,"timestamp":1700000000.25,"user_id":"ann"}'
  const hash = createHash('sha256')
    .update(JSON.stringify(['before', 'subject', 5, text]))
    .digest('hex')
  t.strictSame(rows[0], { seq: 5, entry: text, previousHash: 'before', hash })
  t.match(rows[1], { seq: 6, previousHash: hash })
  t.equal(CHAIN_START, '0'.repeat(64))
  t.strictSame(linkEntries(START, 'subject', []), [])
})

t.test('an entry comes back as it was given', async (t) => {
  const given = entry({ action: 'store', userId: 'ünï "quoted"' })
  const [row] = linkEntries(START, 'subject', [given])
  t.strictSame(fromAuditText(row?.entry ?? ''), given)
})

t.test('a chain is intact as it was written, from any place on, and broken at the first row that is not', async (t) => {
  const rows = linkEntries(
    START,
    'subject',
    [1, 2, 3, 4].map((size) => entry({ size }))
  )
  const [first, second, third, fourth] = rows as [AuditRow, AuditRow, AuditRow, AuditRow]
  t.equal(findBrokenLink(START, 'subject', rows), null)
  t.equal(findBrokenLink(second, 'subject', [third, fourth]), null)
  t.equal(findBrokenLink(START, 'subject', []), null)
  const broken = (...changed: AuditRow[]) => findBrokenLink(START, 'subject', changed)
  t.strictSame(broken(first, third, fourth), { isIntact: false, seq: 2, problem: 'missing' })
  t.strictSame(broken(second), { isIntact: false, seq: 1, problem: 'missing' })
  t.strictSame(broken(first, { ...second, entry: second.entry.replace('"size":2', '"size":9') }, third), {
    isIntact: false,
    seq: 2,
    problem: 'changed'
  })
  t.strictSame(broken(first, { ...second, previousHash: 'x' }), { isIntact: false, seq: 2, problem: 'unlinked' })
  const forged = linkEntries(START, 'subject', [entry({ size: 9 })])
  t.strictSame(broken(...forged, second), { isIntact: false, seq: 2, problem: 'unlinked' })
  t.strictSame(findBrokenLink(START, 'another', rows), { isIntact: false, seq: 1, problem: 'changed' })
})
