/** What Redis keeps of a removed record, and for how long. */
import t from 'tap'
import { TOMBSTONE_S } from '../../../src/domain/limits.js'
import { toRecordKeys } from '../../../src/storage/redis/keys.js'
import { needs } from '../../support/needs.js'
import { askRedis } from '../../support/redis-server.js'
import { startRedisStorage } from '../../support/redis-storage.js'
import { activated, at, codeOf, created, headed, row } from '../contract-cases.js'

t.test(
  'redis: a record is removed from a server out of memory too, and what it leaves goes by itself',
  needs('redis-server'),
  async (t) => {
    const { server, storage } = await startRedisStorage(t)
    const token = await created(storage, at('a'))
    await askRedis(server, 'CONFIG SET maxmemory 1')
    t.equal(await codeOf(storage.commit(at('a'), token, headed({ n: 1 }))), 'storage_unavailable')
    await storage.remove(at('a'), token, [row('1', 'r1', 'request')])
    const { tombstone, lastEpoch } = toRecordKeys(at('a'))
    for (const key of [tombstone, lastEpoch].map(String)) {
      const leftS = Number((await askRedis(server, `TTL ${key}`)).replace(/\D/g, ''))
      t.ok(leftS > TOMBSTONE_S - 60 && leftS <= TOMBSTONE_S, String(leftS))
    }
    await askRedis(server, `DEL ${tombstone.toString()}`)
    t.same(await storage.tombstone(at('a')), { epoch: token.epoch, rows: [] })
  }
)

t.test(
  'redis: a record that is made anew stays, and a late writer of one whose tombstone has gone is fenced',
  needs('redis-server'),
  async (t) => {
    const { server, storage } = await startRedisStorage(t)
    const late = await created(storage, at('a'))
    const { record, lastEpoch } = toRecordKeys(at('a'))
    await storage.remove(at('a'), late)
    t.match(await askRedis(server, `EXISTS ${String(record)}`), '0')
    await created(storage, at('a'), headed(1))
    t.match(await askRedis(server, `TTL ${String(record)}`), '-1', 'Redis does not drop it')
    await storage.remove(at('a'), (await activated(storage, at('a'))).token)
    // As Redis does when it is due.
    await askRedis(server, `DEL ${String(lastEpoch)}`)
    t.equal(await storage.tombstone(at('a')), null)
    const next = await storage.create(at('a'), headed(2), 0)
    t.equal(await codeOf(storage.commit(at('a'), late, headed(3))), 'fenced')
    t.ok(next !== null && (await storage.verify(at('a'), next)))
  }
)

t.test('redis: a tombstone of an earlier version, which kept the epoch in the record, counts as one', needs('redis-server'), async (t) => {
  const { server, storage } = await startRedisStorage(t)
  await askRedis(server, `HSET ${toRecordKeys(at('a')).record.toString()} e 7`)
  t.same(await storage.tombstone(at('a')), { epoch: 7, rows: [] })
  t.equal(await storage.create(at('a'), headed(1), 0), null)
  t.same(await storage.create(at('a'), headed(1), 7), { epoch: 8, version: 1 })
})
