/** MongoDB connection: the only file that knows the driver. Transactions have a deadline; errors contain nothing confidential. */
import { performance } from 'node:perf_hooks'
import { type ClientSession, type Collection, MongoClient, MongoError, MongoServerError } from 'mongodb'
import { DomainError, isDomainError, orRefusal } from '../../domain/errors.js'
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

/** A transaction: everything done in it is committed or rolled back as a whole. */
export type Transaction = ClientSession

export interface MongoDatabase extends Collections {
  /**
   * Runs `work` in a transaction, and retries it within the deadline whenever MongoDB asks for that, so `work` must do the same each time.
   * Refusals that it throws roll back and are rethrown. Throws `storage_unavailable` for any other failure; whether the transaction was
   * committed may then be unknown.
   */
  transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /** Runs anything outside of a transaction. Throws `storage_unavailable` for any failure. */
  ask<Result>(work: () => Promise<Result>): Promise<Result>
  /** Resolves when a server that accepts writes answers. */
  check(): Promise<void>
  /** Idempotent. */
  close(): Promise<void>
}

/**
 * Maximum number of connections. With fewer, transactions of a fully loaded node (200 operations) would wait; each one costs the server a
 * thread.
 */
const CONNECTIONS_MAX = 64

/**
 * Upper bound on the first back-off in milliseconds; half of it on average. It grows by half with each retry, as the drivers' specification
 * demands.
 */
const BACKOFF_MS_MIN = 5
const BACKOFF_MS_MAX = 500
const BACKOFF_GROWTH = 1.5

/** Duplicate key: another writer created the document since this transaction began. */
const DUPLICATE_KEY = 11_000

/**
 * Connects, and creates missing indexes. Throws DomainError `storage_unavailable` when no server can be reached, or, with a sentence, for a
 * server without transactions.
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
      // Bodies are bytes on both sides: buffers are returned as they are.
      promoteBuffers: true,
      maxPoolSize: CONNECTIONS_MAX,
      serverSelectionTimeoutMS: STORAGE_MS_MAX,
      connectTimeoutMS: STORAGE_MS_MAX,
      socketTimeoutMS: STORAGE_MS_MAX,
      waitQueueTimeoutMS: STORAGE_MS_MAX
    })
  } catch {
    // No cause is attached: the driver quotes the address, which holds a password.
    throw new DomainError('storage_unavailable', 'The address is not like mongodb://host:port/database')
  }
}

function databaseOver(client: MongoClient): MongoDatabase {
  // The database that the address names; `test` when it names none.
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

/** As in Redis, the first layout has no such document. */
async function checkLayout(client: MongoClient, { ask }: Pick<MongoDatabase, 'ask'>): Promise<void> {
  const layouts = client.db().collection<{ _id: string; version: number }>('layout')
  const { version } = (await ask(() => layouts.findOne({ _id: 'layout' }))) ?? { version: LAYOUT_VERSION }
  if (version !== LAYOUT_VERSION) throw new DomainError('storage_unavailable', laterLayout(version))
}

async function prepare({ records, rows, tombstones, audit }: Collections): Promise<void> {
  await records.createIndex({ kind: 1, subject: 1, is_live: 1, id: 1 }, { unique: true }, {})
  // A sparse index: it holds only the records that want to be woken.
  await records.createIndex({ wakeful: 1 }, { sparse: true }, {})
  await rows.createIndex({ record: 1, collection: 1, row: 1 }, { unique: true }, {})
  // MongoDB deletes a document within about a minute of its expiry, by the server's clock.
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
      // The write concern is the client's.
      session.startTransaction({ readConcern: { level: 'snapshot' } })
      const result = await work(session)
      isPerhapsCommitted = true
      // The driver itself retries a commit whose answer is lost.
      await session.commitTransaction()
      return result
    } catch (error) {
      if (session.inTransaction()) await session.abortTransaction().catch(() => undefined)
      // After a commit that may have succeeded, a refusal may stem from what that attempt wrote itself.
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

/** Whether the transaction was certainly rolled back, because of another writer or a change of primary. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof MongoError) || error.hasErrorLabel('UnknownTransactionCommitResult')) return false
  return error.hasErrorLabel('TransientTransactionError') || error.code === DUPLICATE_KEY
}

function ask<Result>(work: () => Promise<Result>): Promise<Result> {
  return orRefusal(work, unavailable)
}

function unavailable(error: unknown): DomainError {
  // The driver's errors quote addresses and documents; neither may reach a log.
  const reason =
    error instanceof MongoServerError && error.codeName !== undefined ? error.codeName : error instanceof Error ? error.name : 'unknown'
  return new DomainError('storage_unavailable', 'The storage does not answer', {
    cause: Object.assign(new Error(`MongoDB: ${reason}`), { code: reason })
  })
}
