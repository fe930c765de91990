/** MongoDB: the only file that knows its driver. Transactions with a deadline, errors without anything that may not be told. */
import { performance } from 'node:perf_hooks'
import { type ClientSession, type Collection, MongoClient, MongoError, MongoServerError } from 'mongodb'
import { DomainError, isDomainError } from '../../domain/errors.js'
import { STORAGE_MS_MAX } from '../../domain/limits.js'
import { LAYOUT_VERSION, laterLayout } from '../layout.js'
import type { AuditEndDocument, AuditLineDocument, RecordDocument, RowDocument, TombstoneDocument } from './documents.js'

export interface Collections {
  readonly records: Collection<RecordDocument>
  readonly rows: Collection<RowDocument>
  readonly tombstones: Collection<TombstoneDocument>
  readonly audit: Collection<AuditLineDocument>
  readonly auditEnds: Collection<AuditEndDocument>
}

/** What happens in it, happens as a whole or not at all. */
export type Transaction = ClientSession

export interface MongoDatabase extends Collections {
  /**
   * Runs `work` in a transaction, again as often as MongoDB asks for it within the deadline; `work` must do the same each time.
   * Refusals that it throws roll back and come through. Throws `storage_unavailable` for any trouble: whether it was committed
   * may then be unknown.
   */
  transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /** Runs anything outside of a transaction. Throws `storage_unavailable` for any trouble. */
  ask<Result>(work: () => Promise<Result>): Promise<Result>
  /** Resolves when a server answers that takes writes. */
  check(): Promise<void>
  /** Closing twice is fine. */
  close(): Promise<void>
}

/** Connections at most: with fewer, transactions of a full node (200 operations) wait; a server gives each a thread. */
const CONNECTIONS_MAX = 64

/** Milliseconds before the first retry, on average half of it, growing by half each time: as drivers are told to by their specification. */
const BACKOFF_MS_MIN = 5
const BACKOFF_MS_MAX = 500
const BACKOFF_GROWTH = 1.5

/** A document of that key is there already: made by another writer since this transaction began. */
const DUPLICATE_KEY = 11_000

/**
 * Connects and makes what indexes are missing. Throws DomainError `storage_unavailable`: with a sentence about a server without
 * transactions, or when none can be reached.
 */
export async function openMongo(url: string): Promise<MongoDatabase> {
  const client = createClient(url)
  const database = databaseOver(client)
  try {
    await database.check()
    await checkLayout(client, database)
    await database.ask(() => prepare(database))
  } catch (error) {
    await client.close()
    throw error
  }
  return database
}

function createClient(url: string): MongoClient {
  try {
    return new MongoClient(url, {
      writeConcern: { w: 'majority', journal: true },
      readConcern: { level: 'majority' },
      readPreference: 'primary',
      // Bodies are bytes on both sides.
      promoteBuffers: true,
      maxPoolSize: CONNECTIONS_MAX,
      serverSelectionTimeoutMS: STORAGE_MS_MAX,
      connectTimeoutMS: STORAGE_MS_MAX,
      socketTimeoutMS: STORAGE_MS_MAX,
      waitQueueTimeoutMS: STORAGE_MS_MAX
    })
  } catch {
    // The driver quotes the address, which holds a password.
    throw new DomainError('storage_unavailable', 'The address is not like mongodb://host:port/database')
  }
}

function databaseOver(client: MongoClient): MongoDatabase {
  // Of the address, `test` when it names none.
  const db = client.db()
  let closing: Promise<void> | undefined

  return {
    records: db.collection('records'),
    rows: db.collection('rows'),
    tombstones: db.collection('tombstones'),
    audit: db.collection('audit'),
    auditEnds: db.collection('audit_ends'),
    transact: (work) => transact(client, work),
    ask,
    async check() {
      const hello = await ask(() => client.db('admin').command({ hello: 1 }))
      const isShardRouter = hello['msg'] === 'isdbgrid'
      if (typeof hello['setName'] === 'string' || isShardRouter) return
      throw new DomainError(
        'storage_unavailable',
        'This MongoDB server has no transactions because it is not in a replica set; one node is enough: start it with --replSet and run rs.initiate().'
      )
    },
    close: () => (closing ??= client.close())
  }
}

/** As for Redis: the first layout has no such document. */
async function checkLayout(client: MongoClient, { ask }: Pick<MongoDatabase, 'ask'>): Promise<void> {
  const layouts = client.db().collection<{ _id: string; version: number }>('layout')
  const { version } = (await ask(() => layouts.findOne({ _id: 'layout' }))) ?? { version: LAYOUT_VERSION }
  if (version !== LAYOUT_VERSION) throw new DomainError('storage_unavailable', laterLayout(version))
}

async function prepare({ records, rows, tombstones, audit }: Collections): Promise<void> {
  await records.createIndex({ kind: 1, subject: 1, is_live: 1, id: 1 }, { unique: true }, {})
  // Only those that want to be woken are in it.
  await records.createIndex({ wakeful: 1 }, { sparse: true }, {})
  await rows.createIndex({ record: 1, collection: 1, row: 1 }, { unique: true }, {})
  // A due document is gone a minute later, by the server's clock.
  await records.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 }, {})
  await tombstones.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 }, {})
  await audit.createIndex({ subject: 1, seq: 1 }, { unique: true }, {})
}

async function transact<Result>(client: MongoClient, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  const deadlineMs = performance.now() + STORAGE_MS_MAX
  let isPerhapsCommitted = false
  for (let attempt = 0; ; attempt++) {
    const session = client.startSession()
    try {
      // Its write concern is the client's.
      session.startTransaction({ readConcern: { level: 'snapshot' } })
      const result = await work(session)
      isPerhapsCommitted = true
      // The driver asks a second time by itself when the answer is lost.
      await session.commitTransaction()
      return result
    } catch (error) {
      if (session.inTransaction()) await session.abortTransaction().catch(() => undefined)
      // A refusal may come from what an earlier attempt wrote itself.
      if (isDomainError(error)) throw isPerhapsCommitted ? unavailable(error) : error
      if (!isWorthRetrying(error)) throw unavailable(error)
      const waitMs = Math.random() * Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * BACKOFF_GROWTH ** attempt)
      if (performance.now() + waitMs >= deadlineMs) throw unavailable(error)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    } finally {
      await session.endSession()
    }
  }
}

/** Rolled back for certain, because of another writer or a change of primary. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof MongoError) || error.hasErrorLabel('UnknownTransactionCommitResult')) return false
  return error.hasErrorLabel('TransientTransactionError') || error.code === DUPLICATE_KEY
}

async function ask<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw isDomainError(error) ? error : unavailable(error)
  }
}

function unavailable(error: unknown): DomainError {
  // The driver's own errors quote addresses and documents: neither may reach a log.
  const reason =
    error instanceof MongoServerError && error.codeName !== undefined ? error.codeName : error instanceof Error ? error.name : 'unknown'
  return new DomainError('storage_unavailable', 'The storage does not answer', {
    cause: Object.assign(new Error(`MongoDB: ${reason}`), { code: reason })
  })
}
