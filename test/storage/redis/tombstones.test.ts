/** What Redis keeps of a removed record, and for how long. */
import t from 'tap'
import { TOMBSTONE_S } from '../../../src/domain/limits.js'
import type { Logger } from '../../../src/ports.js'
import { toRecordKeys } from '../../../src/storage/redis/keys.js'
import { createRedisStorage } from '../../../src/storage/redis/storage.js'
import { needs } from '../../support/needs.js'
import { askRedis, startRedis } from '../../support/redis-server.js'
import { at, codeOf, created, headed, row } from '../contract-cases.js'

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

t.test(
  'redis: a record is removed from a server out of memory too, and what it leaves goes by itself',
  needs('redis-server'),
  async (t) => {
    const server = await startRedis()
    const storage = await createRedisStorage({ url: server.url, logger: SILENT })
    t.teardown(async () => {
      await storage.close()
      await server.stop()
    })
    const token = await created(storage, at('a'))
    await askRedis(server, 'CONFIG SET maxmemory 1')
    t.equal(await codeOf(storage.commit(at('a'), token, headed({ n: 1 }))), 'storage_unavailable')
    await storage.remove(at('a'), token, [row('1', 'r1', 'request')])
    const key = toRecordKeys(at('a')).tombstone.toString()
    const leftS = Number((await askRedis(server, `TTL ${key}`)).replace(/\D/g, ''))
    t.ok(leftS > TOMBSTONE_S - 60 && leftS <= TOMBSTONE_S, String(leftS))
    await askRedis(server, `DEL ${key}`)
    t.same(await storage.tombstone(at('a')), { epoch: 1, rows: [] })
  }
)
