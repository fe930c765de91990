/** Contract: what a backup reads from a durable storage while its owners write. */
import type { ActorStorage, AuditEntry } from '../../src/ports.js'
import type { RecordArchive } from '../../src/record-archive.js'
import { at, type Cases, created, headed, ODD_STRINGS, row } from './contract-cases.js'

/** Null for a storage that is not durable. */
function archiveOf(storage: ActorStorage): RecordArchive | null {
  return 'auditEntries' in storage ? (storage as ActorStorage & RecordArchive) : null
}

function entry(requestId: string): AuditEntry {
  return { action: 'run', userId: 'ünï "quoted"', sessionId: 'a', requestId, timestamp: 1_700_000_000.25, digest: 'd'.repeat(64), size: 3 }
}

export const archives: Cases = {
  'a record read by a backup is as last committed, and its owner goes on': async (t, { storage, other = storage }) => {
    const archive = archiveOf(other)
    if (archive === null) {
      t.equal(storage.isDurable && 'verifyAudit' in storage, false, 'nothing to back up')
      return
    }
    const vector = new Float32Array([0.25, -1])
    const rows = ODD_STRINGS.map((name) => row(name, { name, vector }))
    let token = await created(storage, at('a'), headed({ n: 1 }, rows))
    token = await storage.commit(at('a'), token, {
      head: { n: 2 },
      put: [row('new', 1)],
      remove: [{ collection: 'memories', id: 'plain' }]
    })
    const read = await archive.read(at('a'))
    t.same(read?.head, { n: 2 })
    const byId = new Map(read?.rows.map(({ id, body }) => [id, body]))
    t.equal(byId.size, rows.length)
    t.notOk(byId.has('plain'))
    t.same(byId.get('Case'), { name: 'Case', vector })
    t.ok(await storage.commit(at('a'), token, headed({ n: 3 })), 'its owner was not disturbed')
    t.equal(await archive.read(at('absent')), null)
    t.equal(await archive.read(at('a', 'other subject')), null)
  },
  'a record that was removed reads as absent': async (t, { storage }) => {
    const token = await created(storage, at('gone'))
    await storage.remove(at('gone'), token)
    t.equal((await archiveOf(storage)?.read(at('gone'))) ?? null, null)
  },
  'audit entries come back as they were given, page by page': async (t, { storage }) => {
    const archive = archiveOf(storage)
    const entries = ['r1', 'r2', 'r3', 'r4', 'r5'].map(entry)
    const token = await created(storage, at('a'), { ...headed(1), audit: entries.slice(0, 3) })
    await storage.commit(at('a'), token, { ...headed(2), audit: entries.slice(3) })
    const expected = archive === null ? [] : entries
    t.same((await archive?.auditEntries('subject', { after: 0, limit: 10 })) ?? [], expected)
    t.same((await archive?.auditEntries('subject', { after: 2, limit: 2 })) ?? [], expected.slice(2, 4))
    t.same((await archive?.auditEntries('subject', { after: 5, limit: 2 })) ?? [], [])
    t.same((await archive?.auditEntries('nobody', { after: 0, limit: 2 })) ?? [], [])
  },
  'subjects are walked through where the storage knows their names': async (t, { storage }) => {
    const { nextSubject } = archiveOf(storage) ?? {}
    const subjects = ['a', 'b', 'ünï', '漢字', 'with "quotes"']
    for (const [n, subject] of subjects.entries()) await created(storage, { ...at('x', subject), kind: n % 2 === 0 ? 'session' : 'region' })
    const found: string[] = []
    for (let subject = (await nextSubject?.('')) ?? null; subject !== null; subject = (await nextSubject?.(subject)) ?? null)
      found.push(subject)
    t.equal(new Set(found).size, found.length, 'each once')
    // Audit trails of other cases may remain.
    const own = found.filter((subject) => subjects.includes(subject))
    t.same(own.sort(), nextSubject === undefined ? [] : subjects.sort())
  }
}
