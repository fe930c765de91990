/** Storage in a private Redis server. */
import type { Test } from 'tap'
import type { Logger } from '../../src/ports.js'
import { createRedisStorage } from '../../src/storage/redis/storage.js'
import { startRedis } from './redis-server.js'

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Starts a server and its storage; both are closed when the test ends. */
export async function startRedisStorage(t: Test) {
  const server = await startRedis()
  const storage = await createRedisStorage({ url: server.url, logger: SILENT })
  t.teardown(async () => {
    await storage.close()
    await server.stop()
  })
  return { server, storage }
}
