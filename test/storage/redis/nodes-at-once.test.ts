/** Nodes that have one Redis server write its files at the same time: of each file it writes one at a time, and refuses a second one. */
import t from 'tap'
import type { Logger } from '../../../src/ports.js'
import { createRedisStorage } from '../../../src/storage/redis/storage.js'
import { needs } from '../../support/needs.js'
import { startRedis } from '../../support/redis-server.js'

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }
const NODES = 6

t.test('nodes that start at once beside a new server all start, and all purge it at once', needs('redis-server'), async (t) => {
  const server = await startRedis()
  t.teardown(() => server.stop())
  const storages = await Promise.all(Array.from({ length: NODES }, () => createRedisStorage({ url: server.url, logger: SILENT })))
  t.equal(storages.length, NODES)
  await Promise.all(storages.map((storage) => storage.purge()))
  for (const storage of storages) await storage.close()
})
