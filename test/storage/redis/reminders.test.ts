import t from 'tap'
import { addressKey } from '../../../src/domain/address.js'
import type { Logger } from '../../../src/ports.js'
import { createRedisStorage } from '../../../src/storage/redis/storage.js'
import { needs } from '../../support/needs.js'
import { askRedis, startRedis } from '../../support/redis-server.js'
import { at, created } from '../contract-cases.js'
import { waking, walked } from '../contract-wakes.js'

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

t.test(
  'a walk on a server with many other keys gives short pages and finds all that want to be woken',
  needs('redis-server'),
  async (t) => {
    const server = await startRedis()
    const storage = await createRedisStorage({ url: server.url, logger: SILENT })
    t.teardown(async () => {
      await storage.close()
      await server.stop()
    })
    const addresses = Array.from({ length: 8 }, (_, n) => at('a', `subject${n}`))
    for (const address of addresses) await created(storage, address, waking())
    t.equal(await askRedis(server, `EVAL "for n = 1, 250000 do redis.call('SET', 'other' .. n, '') end return 1" 0`), ':1\r\n')
    t.not((await storage.reminders({ limit: 100 })).next, null, 'one page does not look at all keys')
    t.same(await walked(storage), addresses.map(addressKey).sort())
  }
)
