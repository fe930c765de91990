/** Tests the count of `load.ts`: on a storage that forgets writes, it must find what is missing. */
import t from 'tap'
import type { ActorStorage } from '../../src/ports.js'
import { createMemoryStorage } from '../../src/storage/memory.js'
import { startService } from '../support/real-service.js'
import { sender, startLoad } from './load.js'

/** One commit in this many is acknowledged although only its head is written. */
const FORGOTTEN_IN = 5

/** Storage that forgets rows; it stays open when a service closes it. */
function forgetful(storage: ActorStorage): ActorStorage {
  let commits = 0
  return {
    ...storage,
    commit: (address, token, changes) => storage.commit(address, token, ++commits % FORGOTTEN_IN === 0 ? { ...changes, put: [] } : changes),
    async close() {}
  }
}

t.test('acknowledged writes that are not there are counted as lost', async (t) => {
  const storage = forgetful(createMemoryStorage({ retains: true }))
  const before = await startService(t, { overrides: { storage } })
  const load = await startLoad(t, sender(before.service, await before.as('tester')), { sessions: 2 })
  for (let n = 0; n < FORGOTTEN_IN; n++) await load.acknowledgedEach()
  await load.stop()
  await before.service.close()
  const after = await startService(t, { overrides: { storage } })
  const { lost, ...others } = await load.count(sender(after.service, await after.as('tester')))
  t.ok(lost > 0, `${lost} lost`)
  t.same(others, { doubled: 0, unasked: 0, done: 0, unknown: 0 })
})
