import t from 'tap'
import { addressKey } from '../../../src/domain/address.js'
import { needs } from '../../support/needs.js'
import { askRedis } from '../../support/redis-server.js'
import { startRedisStorage } from '../../support/redis-storage.js'
import { at, created } from '../contract-cases.js'
import { waking, walked } from '../contract-wakes.js'

t.test(
  'a walk on a server with many other keys gives short pages and finds all that want to be woken',
  needs('redis-server'),
  async (t) => {
    const { server, storage } = await startRedisStorage(t)
    const addresses = Array.from({ length: 8 }, (_, n) => at('a', `subject${n}`))
    for (const address of addresses) await created(storage, address, waking())
    t.equal(await askRedis(server, `EVAL "for n = 1, 250000 do redis.call('SET', 'other' .. n, '') end return 1" 0`), ':1\r\n')
    t.not((await storage.reminders({ limit: 100 })).next, null, 'one page does not look at all keys')
    t.same(await walked(storage), addresses.map(addressKey).sort())
  }
)
