import process from 'node:process'
import t from 'tap'
import { COMMIT } from '../../src/storage/redis/scripts.js'
import { startRedis, whyNoRedis } from '../support/redis-server.js'
import { serverFaults, type Backend } from './server-faults.js'
import { twoWriters } from './two-writers.js'

const reason = whyNoRedis()
if (reason !== null && process.env['CI'] === 'true') t.fail(reason)
else if (reason !== null) t.test('redis', { skip: reason }, async () => undefined)
else {
  const backend: Backend = {
    name: 'redis',
    check: 'redis',
    // One script does both.
    writeBytes: Buffer.from(COMMIT.sha1),
    commitBytes: Buffer.from(COMMIT.sha1),
    open: () => startRedis(),
    env: (port) => ({ SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: `redis://127.0.0.1:${port}` })
  }
  serverFaults(backend)
  twoWriters(backend)
}
