/** Servers that answer reads and refuse writes. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Address } from '../../../src/domain/address.js'
import { createRedisStorage } from '../../../src/storage/redis/storage.js'
import { needs } from '../../support/needs.js'
import { askRedis, type RedisServer, startRedis } from '../../support/redis-server.js'
import { until } from '../../support/until.js'

interface Refusal {
  readonly begin: (server: RedisServer) => Promise<unknown>
  readonly end: (server: RedisServer) => Promise<unknown>
  readonly code: string
}

const ADDRESS: Address = { kind: 'session', subject: 'acme', id: 'a' }
const CHANGES = { head: 1, put: [], remove: [] }

/** Makes the next snapshot succeed or fail, and waits for it. It begins once no rewrite of the log is under way. */
async function snapshot(server: RedisServer, status: 'ok' | 'err'): Promise<void> {
  await askRedis(server, 'BGSAVE SCHEDULE')
  await until(async () => (await askRedis(server, 'INFO persistence')).includes(`rdb_last_bgsave_status:${status}`))
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  'too few replicas': {
    begin: (server) => askRedis(server, 'CONFIG SET min-replicas-to-write 1'),
    end: (server) => askRedis(server, 'CONFIG SET min-replicas-to-write 0'),
    code: 'NOREPLICAS'
  },
  'snapshots that fail': {
    async begin(server) {
      await askRedis(server, 'CONFIG SET save "3600 1"')
      await mkdir(join(server.directory, 'dump.rdb', 'full'), { recursive: true })
      await snapshot(server, 'err')
    },
    async end(server) {
      await rm(join(server.directory, 'dump.rdb'), { recursive: true })
      await snapshot(server, 'ok')
    },
    code: 'MISCONF'
  }
}

for (const [name, { begin, end, code }] of Object.entries(REFUSALS)) {
  t.test(`a server that refuses writes for ${name} is healthy again when it takes one`, needs('redis-server'), async (t) => {
    const server = await startRedis()
    const lines: unknown[] = []
    const note = (fields: object, message?: string) => void lines.push([message, fields])
    const storage = await createRedisStorage({ url: server.url, logger: { debug() {}, info: note, warn: note, error() {} } })
    t.teardown(async () => {
      await storage.close()
      await server.stop()
    })
    lines.length = 0
    await begin(server)
    await t.rejects(storage.create(ADDRESS, CHANGES), { code: 'storage_unavailable' })
    await t.rejects(storage.check(), { code: 'storage_unavailable' })
    await t.rejects(storage.create(ADDRESS, CHANGES), { code: 'storage_unavailable' })
    await end(server)
    await storage.check()
    t.match(await storage.create(ADDRESS, CHANGES), { version: 1 })
    await storage.check()
    t.same(lines, [
      ['The database does not take writes', { code }],
      ['The database takes writes again', {}]
    ])
  })
}
