/** A record is read in several requests: what is written between them makes it a record that never was. */
import t, { type Test } from 'tap'
import { openMongo } from '../../../src/storage/mongo/database.js'
import { createMongoStorage, type MongoStorage, mongoStorageOver } from '../../../src/storage/mongo/storage.js'
import { startMongoStandIn } from '../../support/mongo-stand-in.js'
import { activated, at, codeOf, created, headed, row } from '../contract-cases.js'

type Meanwhile = (other: MongoStorage) => Promise<unknown>

/** A record, and a storage in whose readings something happens between the record and its rows. */
async function open(t: Test, meanwhile: Meanwhile): Promise<MongoStorage> {
  const server = await startMongoStandIn()
  t.teardown(() => server.kill())
  const other = await createMongoStorage({ url: server.url })
  t.teardown(() => other.close())
  await created(other, at('a'), headed(0, [row('r', 0)]))
  const database = await openMongo(server.url)
  const { rows } = database
  const find = (...asked: [filter: object, options: object]) => {
    const cursor = rows.find(...asked)
    const read = cursor[Symbol.asyncIterator].bind(cursor)
    return Object.assign(cursor, {
      async *[Symbol.asyncIterator]() {
        await meanwhile(other)
        yield* { [Symbol.asyncIterator]: read }
      }
    })
  }
  const watched = new Proxy(rows, { get: (target, name) => (name === 'find' ? find : Reflect.get(target, name)) as unknown })
  const storage = mongoStorageOver({ ...database, rows: watched })
  t.teardown(() => storage.close())
  return storage
}

const changed: Meanwhile = async (other) => other.commit(at('a'), (await activated(other, at('a'))).token, headed(1, [row('r', 1)]))
const removed: Meanwhile = async (other) => other.remove(at('a'), (await activated(other, at('a'))).token)
const madeAnew: Meanwhile = async (other) => {
  await removed(other)
  await created(other, at('a'), headed(1, [row('r', 1)]))
}

for (const [what, meanwhile] of Object.entries({ 'written to': changed, removed, 'made anew in the same version': madeAnew })) {
  t.test(`mongo: a record that is ${what} while its rows are read is fenced, for its owner and for a backup`, async (t) => {
    t.equal(await codeOf((await open(t, meanwhile)).activate(at('a'))), 'fenced')
    t.equal(await codeOf((await open(t, meanwhile)).read(at('a'))), 'fenced')
  })
}

t.test('mongo: a record that somebody else takes over while its rows are read is whole', async (t) => {
  const storage = await open(t, (other) => activated(other, at('a')))
  t.match(await storage.activate(at('a')), { token: { version: 1 }, head: 0, rows: [row('r', 0)] })
  t.match(await storage.read(at('a')), { head: 0, rows: [row('r', 0)] })
})
