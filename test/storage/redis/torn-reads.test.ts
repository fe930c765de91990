/** A record is read in several requests: what is written between them makes it a record that never was. */
import t, { type Test } from 'tap'
import { connectRedis } from '../../../src/storage/redis/connection.js'
import { createRedisStorage, type RedisStorage, redisStorageOver } from '../../../src/storage/redis/storage.js'
import { allNeed } from '../../support/needs.js'
import { startRedis } from '../../support/redis-server.js'
import { activated, at, codeOf, created, headed, row } from '../contract-cases.js'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

/** More than one piece. */
const MANY = 3_000

const rowsOf = (n: number) => Array.from({ length: MANY }, (_, id) => row(String(id), n))

type Meanwhile = (other: RedisStorage) => Promise<unknown>

/** A record, and a storage in whose readings something happens, once, before that piece of the rows. */
async function open(t: Test, meanwhile: Meanwhile, piece: number): Promise<RedisStorage> {
  const server = await startRedis()
  t.teardown(() => server.stop())
  const other = await createRedisStorage({ url: server.url, logger: SILENT })
  t.teardown(() => other.close())
  await created(other, at('a'), headed(0, rowsOf(0)))
  const connection = await connectRedis({ url: server.url, logger: SILENT, prepare: async () => undefined })
  t.teardown(() => connection.close())
  let pieces = 0
  let happened: Promise<unknown> | null = null
  const torn: typeof connection = {
    ...connection,
    async call(...command) {
      if (command[0] === 'HSCAN' && (pieces += 1) === piece) happened = meanwhile(other)
      // What is sent together with the piece stays behind it.
      await happened
      return connection.call(...command)
    }
  }
  return redisStorageOver(torn, { logger: SILENT })
}

const changed: Meanwhile = async (other) => other.commit(at('a'), (await activated(other, at('a'))).token, headed(1, rowsOf(1)))
const removed: Meanwhile = async (other) => other.remove(at('a'), (await activated(other, at('a'))).token)
const madeAnew: Meanwhile = async (other) => {
  await removed(other)
  await created(other, at('a'), headed(1, rowsOf(1)))
}

allNeed(t, 'redis-server')
for (const [what, meanwhile] of Object.entries({ 'written to': changed, removed, 'made anew in the same version': madeAnew })) {
  t.test(`redis: a record that is ${what} before the first or a later piece of its rows is read is fenced`, async (t) => {
    for (const piece of [1, 2]) {
      t.equal(await codeOf((await open(t, meanwhile, piece)).activate(at('a'))), 'fenced')
      t.equal(await codeOf((await open(t, meanwhile, piece)).read(at('a'))), 'fenced')
    }
  })
}

t.test('redis: a record that somebody else takes over while its rows are read is whole', async (t) => {
  const storage = await open(t, (other) => activated(other, at('a')), 2)
  const record = await activated(storage, at('a'))
  t.match(record, { token: { version: 1 }, head: 0 })
  t.equal(new Set(record.rows.map(({ id }) => id)).size, MANY)
})
