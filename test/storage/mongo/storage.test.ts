/** What each guard of a write is for: with it the harm does not happen, and taken out it does. */
import t, { type Test } from 'tap'
import { TOMBSTONE_S } from '../../../src/domain/limits.js'
import { createSystemClock } from '../../../src/platform/clock.js'
import type { AuditEntry } from '../../../src/ports.js'
import { type MongoDatabase, openMongo } from '../../../src/storage/mongo/database.js'
import { type MongoStorage, mongoStorageOver } from '../../../src/storage/mongo/storage.js'
import { startMongoStandIn } from '../../support/mongo-stand-in.js'
import { activated, at, codeOf, created, headed, names, row, SUBJECT } from '../contract-cases.js'

const ENTRY: AuditEntry = { action: 'run', userId: 'u', sessionId: 'a', requestId: 'r', timestamp: 1, digest: '', size: 0 }

type Change = (database: MongoDatabase) => MongoDatabase

const unchanged: Change = (database) => database

async function open(t: Test, change: Change): Promise<MongoStorage> {
  const server = await startMongoStandIn()
  t.teardown(() => server.kill())
  const storage = mongoStorageOver(change(await openMongo(server.url)))
  t.teardown(() => storage.close())
  return storage
}

/** The collection with one of its methods replaced. */
function replaced<Target extends object, Name extends keyof Target>(target: Target, name: Name, method: Target[Name]): Target {
  return new Proxy(target, {
    get(_, asked) {
      if (asked === name) return method
      const value: unknown = Reflect.get(target, asked)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    }
  })
}

/** Updates that do not compare this part of the token. */
function without(condition: 'epoch' | 'version'): Change {
  return (database) => {
    const { records } = database
    const updateOne: typeof records.updateOne = (filter, update, options) => {
      if (!(condition in filter)) throw new Error('The filter has no such condition')
      return records.updateOne({ ...filter, [condition]: { $gt: 0 } }, update, options)
    }
    return { ...database, records: replaced(records, 'updateOne', updateOne) }
  }
}

/** The trail takes no second entry. */
const fullTrail: Change = (database) => {
  const { audit } = database
  const insertMany: typeof audit.insertMany = (lines, options) =>
    lines.some(({ seq }) => seq > 1) ? Promise.reject(new Error('The trail is full')) : audit.insertMany(lines, options)
  return { ...database, audit: replaced(audit, 'insertMany', insertMany) }
}

/** Writes the audit trail after the transaction with the state. */
const auditingLater: Change = (database) => {
  const { audit, auditEnds } = database
  const later: (() => Promise<unknown>)[] = []
  const insertMany: typeof audit.insertMany = async (lines) => {
    later.push(() => audit.insertMany(lines))
    return { acknowledged: true, insertedCount: lines.length, insertedIds: {} }
  }
  const replaceOne: typeof auditEnds.replaceOne = async (filter, end) => {
    later.push(() => auditEnds.replaceOne(filter, end, { upsert: true }))
    return { acknowledged: true, matchedCount: 1, modifiedCount: 1, upsertedCount: 0, upsertedId: null }
  }
  return {
    ...database,
    audit: replaced(audit, 'insertMany', insertMany),
    auditEnds: replaced(auditEnds, 'replaceOne', replaceOne),
    async transact(work) {
      const result = await database.transact(work)
      for (const write of later.splice(0).reverse()) await write()
      return result
    }
  }
}

/** A writer that was overtaken by an activation commits: what became of it, and the head. */
async function overtaken(storage: MongoStorage) {
  const token = await created(storage, at('a'), headed(0))
  await activated(storage, at('a'))
  return { outcome: await codeOf(storage.commit(at('a'), token, headed(9))), ...(await storage.peek(at('a'))) }
}

/** A writer commits twice on one token. */
async function repeated(storage: MongoStorage) {
  const token = await created(storage, at('a'), headed(0))
  await storage.commit(at('a'), token, headed(0))
  return { outcome: await codeOf(storage.commit(at('a'), token, headed(9))), ...(await storage.peek(at('a'))) }
}

/** A commit whose audit entry cannot be written: whether it was acknowledged, the head afterwards, and the trail. */
async function refusedByTrail(storage: MongoStorage) {
  const token = await created(storage, at('a'), { ...headed(0), audit: [ENTRY] })
  const isAcknowledged = (await codeOf(storage.commit(at('a'), token, { ...headed(9), audit: [ENTRY] }))) === 'fulfilled'
  return { isAcknowledged, ...(await storage.peek(at('a'))), trail: await storage.verifyAudit(SUBJECT) }
}

t.test('a late writer that the epoch condition holds up gets through without it', async (t) => {
  t.same(await overtaken(await open(t, unchanged)), { outcome: 'fenced', head: 0 })
  t.same(await overtaken(await open(t, without('epoch'))), { outcome: 'fulfilled', head: 9 })
})

t.test('a repeated commit that the version condition holds up gets through without it', async (t) => {
  t.same(await repeated(await open(t, unchanged)), { outcome: 'fenced', head: 0 })
  t.same(await repeated(await open(t, without('version'))), { outcome: 'fulfilled', head: 9 })
})

t.test('a state whose audit entry is refused goes with it, and stays without the shared transaction', async (t) => {
  const refused = { isAcknowledged: false, trail: { isIntact: true, entries: 1 } }
  t.same(await refusedByTrail(await open(t, fullTrail)), { ...refused, head: 0 })
  t.same(await refusedByTrail(await open(t, (database) => auditingLater(fullTrail(database)))), { ...refused, head: 9 })
})

t.test('a listing has as many as are asked for: none, one, or all', async (t) => {
  const storage = await open(t, unchanged)
  for (const id of ['a', 'b']) await created(storage, at(id), headed(0))
  const listed = (limit: number) => storage.list({ kind: 'session', subject: SUBJECT, limit })
  t.same([await listed(0), await listed(1), await listed(3)], [[], ['a'], ['a', 'b']])
})

t.test('a commit whose new rows are refused keeps the rows that it would remove', async (t) => {
  const refusing: Change = (database) => {
    const { rows } = database
    const bulkWrite: typeof rows.bulkWrite = (writes, options) =>
      JSON.stringify(writes).includes('refused') ? Promise.reject(new Error('No more rows')) : rows.bulkWrite(writes, options)
    return { ...database, rows: replaced(rows, 'bulkWrite', bulkWrite) }
  }
  const storage = await open(t, refusing)
  const token = await created(storage, at('a'), headed(0, [row('old', 1)]))
  const changes = { head: 9, put: [row('refused', 2)], remove: [{ collection: 'memories', id: 'old' }] }
  t.not(await codeOf(storage.commit(at('a'), token, changes)), 'fulfilled')
  const { head, rows } = await activated(storage, at('a'))
  t.same({ head, rows: names(rows) }, { head: 0, rows: ['memories/old'] })
})

t.test('what a removed record leaves is kept until its time is over, which is to come', async (t) => {
  const expiries: Date[] = []
  const storage = await open(t, (database) => {
    const { records, tombstones } = database
    const updateOne: typeof records.updateOne = (filter, update, options) => {
      expiries.push((update as { readonly $set: { readonly expires_at: Date } }).$set.expires_at)
      return records.updateOne(filter, update, options)
    }
    const replaceOne: typeof tombstones.replaceOne = (filter, tombstone, options) => {
      expiries.push(tombstone.expires_at)
      return tombstones.replaceOne(filter, tombstone, options)
    }
    const both = { records: replaced(records, 'updateOne', updateOne), tombstones: replaced(tombstones, 'replaceOne', replaceOne) }
    return { ...database, ...both }
  })
  const late = await created(storage, at('a'), headed(0))
  await storage.remove(at('a'), late)
  t.equal(expiries.length, 2, 'its epoch and its rows')
  for (const expiry of expiries) {
    const leftS = expiry.getTime() / 1_000 - createSystemClock().now()
    t.ok(leftS > TOMBSTONE_S - 60 && leftS <= TOMBSTONE_S, `${String(leftS)} s`)
  }
})
