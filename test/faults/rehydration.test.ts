import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { OPERATIONS_IN_FLIGHT_MAX, SUBJECT_ACTIVATIONS_MAX } from '../../src/domain/limits.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { createSqlStorage } from '../../src/storage/sql/storage.js'
import { gated } from '../support/gated-storage.js'
import { startService } from '../support/real-service.js'
import { sender, wordsOf } from './load.js'

t.test('sessions asked for at once after a restart are read on demand, so many at a time, and none is refused', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const url = `sqlite:${join(folder, 'records.db')}`
  const env = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: url }
  const ids = Array.from({ length: OPERATIONS_IN_FLIGHT_MAX }, (_, n) => `s${n}`)
  const before = await startService(t, { env })
  const write = sender(before.service, await before.as('tester'))
  await Promise.all(ids.map((id, n) => write('POST', '/v1/run', { session_id: id, message: wordsOf(n) })))
  await before.service.close()

  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const storage = gated(await createSqlStorage({ url, clock: createSystemClock(), logger }))
  const after = await startService(t, { env, overrides: { storage } })
  t.equal(storage.counts.activate, 0, 'a start reads no session')
  const read = sender(after.service, await after.as('tester'))
  const answers = await Promise.all(ids.map((id) => read('GET', `/v1/session/${id}/memories`)))
  t.match(
    answers,
    ids.map((_, n) => ({ status: 200, body: { memories: [{ text: wordsOf(n) }], next: null } }))
  )
  t.equal(storage.counts.activate, ids.length)
  t.equal(storage.most.activate, SUBJECT_ACTIVATIONS_MAX)
})
