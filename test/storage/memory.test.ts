import t from 'tap'
import { TOMBSTONE_S } from '../../src/domain/limits.js'
import { createMemoryStorage } from '../../src/storage/memory.js'
import { createManualClock } from '../support/manual-clock.js'
import { storageContract } from './contract.js'

storageContract('memory that retains', { open: async () => ({ storage: createMemoryStorage({ retains: true }) }) })
storageContract('memory that does not retain', { open: async () => ({ storage: createMemoryStorage({ retains: false }) }) })

t.test('memory that retains: rows of a tombstone go when they are old, and its epoch stays', async (t) => {
  const clock = createManualClock()
  const storage = createMemoryStorage({ retains: true, clock })
  const address = { kind: 'session', subject: 's', id: 'a' } as const
  const first = await storage.create(address, { head: 1, put: [], remove: [] })
  await storage.remove(address, first ?? { epoch: 0, version: 0 }, [{ collection: 'c', id: 'r', body: 1 }])
  await clock.advance((TOMBSTONE_S + 1) * 1_000)
  await storage.clearTombstones()
  t.same(await storage.tombstone(address), { epoch: 1, rows: [] })
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
