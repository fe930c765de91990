import t from 'tap'
import { COMMIT } from '../../src/storage/redis/scripts.js'
import { allNeed } from '../support/needs.js'
import { startRedis } from '../support/redis-server.js'
import { type Backend, serverFaults } from './server-faults.js'
import { twoWriters } from './two-writers.js'

allNeed(t, 'redis-server')
const backend: Backend = {
  name: 'redis',
  check: 'redis',
  // One script begins the write and commits it.
  writeBytes: Buffer.from(COMMIT.sha1),
  commitBytes: Buffer.from(COMMIT.sha1),
  open: () => startRedis(),
  env: (port) => ({ SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: `redis://127.0.0.1:${port}` })
}
serverFaults(backend)
twoWriters(backend)
