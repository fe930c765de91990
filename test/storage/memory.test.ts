import t from 'tap'
import { TOMBSTONE_S } from '../../src/domain/limits.js'
import { createMemoryStorage } from '../../src/storage/memory.js'
import { createManualClock } from '../support/manual-clock.js'
import { storageContract } from './contract.js'

storageContract('memory that retains', { open: async () => ({ storage: createMemoryStorage({ retains: true }) }) })
storageContract('memory that does not retain', {
  open: async () => ({ storage: createMemoryStorage({ retains: false }) }),
  isDurable: false
})

t.test('memory that retains: a tombstone goes when it is old, and a late writer of its record stays fenced', async (t) => {
  const clock = createManualClock()
  const storage = createMemoryStorage({ retains: true, clock })
  const address = { kind: 'session', subject: 's', id: 'a' } as const
  const first = await storage.create(address, { head: 1, put: [], remove: [] })
  await storage.remove(address, first ?? { epoch: 0, version: 0 }, [{ collection: 'c', id: 'r', body: 1 }])
  await clock.advance((TOMBSTONE_S + 1) * 1_000)
  await storage.sweep()
  t.equal(await storage.tombstone(address), null)
  const next = await storage.create(address, { head: 2, put: [], remove: [] }, 0)
  t.ok(next !== null && next.epoch > (first?.epoch ?? Infinity))
})

t.test('memory that does not retain: after a release, nothing of the record is left', async (t) => {
  const storage = createMemoryStorage({ retains: false })
  const address = { kind: 'session', subject: 's', id: 'a' } as const
  const first = await storage.create(address, { head: 1, put: [{ collection: 'c', id: 'r', body: 1 }], remove: [] })
  if (first === null) throw new Error('The record exists already')
  await storage.release(address, first)
  t.same(await storage.list({ kind: 'session', subject: 's', limit: 10 }), [])
  const second = await storage.create(address, { head: 2, put: [], remove: [] })
  t.ok(second !== null && second.epoch > first.epoch, 'a late writer of the forgotten record stays fenced')
  t.same((await storage.activate(address))?.rows, [])
})

const ADDRESS = { kind: 'session', subject: 's', id: 'a' } as const
const ROWS = [{ collection: 'c', id: 'r', body: 1 }]

/** Creates a record and removes or releases it. Returns the epoch of its last writer. */
async function gone(storage: ReturnType<typeof createMemoryStorage>, way: 'remove' | 'release') {
  await storage.create(ADDRESS, { head: 1, put: ROWS, remove: [], wakes: true })
  for (let n = 0; n < 4; n++) await storage.activate(ADDRESS)
  const token = (await storage.activate(ADDRESS))?.token ?? { epoch: 0, version: 0 }
  await (way === 'remove' ? storage.remove(ADDRESS, token, ROWS) : storage.release(ADDRESS, token))
  return token.epoch
}

t.test('memory that does not retain: what follows a forgotten record is above its epoch, whatever was forgotten since', async (t) => {
  for (const way of ['remove', 'release'] as const) {
    const storage = createMemoryStorage({ retains: false })
    const epoch = await gone(storage, way)
    const other = await storage.create({ ...ADDRESS, id: 'b' }, { head: 1, put: [], remove: [] })
    t.equal(other?.epoch, epoch + 1)
    await storage[way]({ ...ADDRESS, id: 'b' }, other ?? { epoch: 0, version: 0 })
    const lower = await storage.create({ ...ADDRESS, id: 'c' }, { head: 1, put: [], remove: [] })
    t.equal(lower?.epoch, epoch + 2)
    t.equal(await storage.tombstone(ADDRESS), null)
    t.same(await storage.reminders({ limit: 10 }), { addresses: [], next: null })
  }
})

t.test('memory that retains: a tombstone stays with its rows for as long as it is young, and without a clock', async (t) => {
  const clock = createManualClock()
  for (const [storage, rows] of [
    [createMemoryStorage({ retains: true, clock }), ROWS],
    [createMemoryStorage({ retains: true }), ROWS]
  ] as const) {
    const epoch = await gone(storage, 'remove')
    await clock.advance(TOMBSTONE_S * 1_000)
    await storage.sweep()
    t.same(await storage.tombstone(ADDRESS), { epoch, rows })
  }
})

t.test('memory that is closed holds nothing any more', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  await gone(storage, 'remove')
  await storage.create({ ...ADDRESS, id: 'b' }, { head: 1, put: [], remove: [], wakes: true })
  await storage.close()
  t.equal(await storage.peek({ ...ADDRESS, id: 'b' }), null)
  t.equal(await storage.tombstone(ADDRESS), null)
  t.same(await storage.reminders({ limit: 10 }), { addresses: [], next: null })
})

t.test('memory: a walk over reminders ends with the page that holds the last one', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  for (const id of ['a', 'b']) await storage.create({ ...ADDRESS, id }, { head: 1, put: [], remove: [], wakes: true })
  t.equal((await storage.reminders({ limit: 2 })).next, null)
  const { addresses, next } = await storage.reminders({ limit: 1 })
  t.match(addresses, [{ id: 'a' }])
  t.match(await storage.reminders({ limit: 1, after: next ?? '' }), { addresses: [{ id: 'b' }], next: null })
})
