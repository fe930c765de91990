/** Checks in the database what docs/compliance.md says of each entry of the audit trail, and who notices an erasure. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import Database from 'libsql'
import t from 'tap'
import type { AuditEntry } from '../../../src/ports.js'
import { startService } from '../../support/real-service.js'

const sha256 = (json: string): string => createHash('sha256').update(json).digest('hex')

t.test('an entry of the audit trail has the bytes and the hash of what was written, and nothing of what was not', async (t) => {
  const path = join(t.testdir(), 'sessions.db')
  const env = { SERVICE_COMPLIANCE: '1', SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${path}`, SERVICE_MAX_MEMORIES: '8' }
  const { as } = await startService(t, { env })
  const alice = await as('alice')
  const database = new Database(path, { readonly: true })
  t.teardown(() => database.close())
  let read = 0
  const added = (): unknown[][] => {
    const rows = database.prepare('select entry from audit_entries order by seq').all() as { readonly entry: string }[]
    const entries = rows.slice(read).map(({ entry }) => JSON.parse(entry) as AuditEntry & { readonly user_id: string })
    read = rows.length
    return entries.map(({ action, user_id, size, digest }) => [action, user_id, size, digest])
  }
  const run = (turn: object) => alice.post('/v1/run', { session_id: 's', user_id: 'ann', ...turn })

  await run({ message: 'Grüße', idempotency_key: 'k' })
  t.strictSame(added(), [['run', 'ann', 7, sha256('{"message":"Grüße"}')]])
  await run({ message: 'Grüße', idempotency_key: 'k' })
  t.strictSame(added(), [], 'a repeated request was not done again')
  await run({ message: 'Grüße', response: 'Hallo' })
  t.strictSame(added(), [['run', 'ann', 12, sha256('{"message":"Grüße","response":"Hallo"}')]], 'a repeated input was')
  await alice.post('/v1/store', { session_id: 's', response: 'Ja', user_id: 'ann' })
  t.strictSame(added(), [['store', 'ann', 2, sha256('{"response":"Ja"}')]])
  const memories = [{ text: 'a', user_id: 'ann' }, { text: 'b' }, { text: 'c', user_id: 'bob' }, { text: 'd', user_id: 'ann' }]
  const { body } = await alice.post('/v1/session/s/memories', { memories })
  t.strictSame(added(), [
    ['store', 'ann', 2, sha256('{"memories":["a","d"]}')],
    ['store', 'bob', 1, sha256('{"memories":["c"]}')]
  ])
  t.equal((await run({ message: 'One too many', response: 'Two' })).status, 409)
  t.strictSame(added(), [], 'a refused one has no entry')

  const [, ofNobody, ofBob] = (body['memories'] as { readonly memory_hash: string }[]).map(({ memory_hash }) => memory_hash)
  await alice.patch(`/v1/session/s/memories/${String(ofBob)}`, { pinned: true })
  t.strictSame(added(), [['edit', 'bob', 1, sha256(`{"memory_hash":"${String(ofBob)}","pinned":true}`)]])
  for (const hash of [ofNobody, ofBob]) await alice.delete(`/v1/session/s/memories/${String(hash)}`)
  t.strictSame(added(), [['erase', 'bob', 1, sha256('{}')]], 'the deletion of what is of nobody has none')

  await alice.put('/v1/session/s/isolation', { level: 'LOCKDOWN' })
  await run({ message: 'blocked' })
  await run({ message: 'blocked', response: 'stored' })
  t.strictSame(added(), [
    ['run', 'ann', 0, sha256('{}')],
    ['run', 'ann', 6, sha256('{"response":"stored"}')]
  ])
  await alice.delete('/v1/session/s')
  t.strictSame(added(), [], 'the deletion of a session has none')
})

t.test('an erasure empties the debug events of its own licence, and shows to no other one', async (t) => {
  const env = {
    ...{ SERVICE_COMPLIANCE: '1', SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(t.testdir(), 'sessions.db')}` },
    ...{ SERVICE_DEBUG_UI: '1', SERVICE_DEBUG_TRACE: '1' }
  }
  const { as } = await startService(t, { env })
  const callers = [await as('alice'), await as('bob')] as const
  const recent = async () => Promise.all(callers.map(async (one) => (await one.get('/v1/debug/recent?since=0')).body))
  for (const one of callers) await one.post('/v1/run', { session_id: 's', message: 'Where is the key?', user_id: 'ann' })
  const [, before] = await recent()
  t.equal((await callers[0].delete('/v1/compliance/users/ann/memory')).body['erased_memories'], 1)
  const [own, other] = await recent()
  t.strictSame(own?.['events'], [])
  t.strictSame(other, before)
})
