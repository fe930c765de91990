/**
 * Storage in MongoDB. Every write is a transaction that is conditional on the writer's token. It is acknowledged once a majority of the
 * replica set has it in its journal (`w: majority, j: true`).
 */
import type { Address } from '../../domain/address.js'
import { DomainError, hasCode, takenOver } from '../../domain/errors.js'
import { STORAGE_MS_MAX, TOMBSTONE_S } from '../../domain/limits.js'
import type { ActorStorage, AuditTrails, RecordChanges, StoredRow, WriteToken } from '../../ports.js'
import type { RecordArchive } from '../../record-archive.js'
import { fromAddressName, toAddressName } from '../address-name.js'
import { firstEpoch } from '../first-epoch.js'
import { decodeBody, encodeBody } from '../record-codec.js'
import { encodeRows } from '../row-encoding.js'
import { appendAudit, createSerialQueue, nextTrail, readEntries, verifyTrail } from './audit.js'
import { type MongoDatabase, openMongo, type Transaction } from './database.js'
import {
  fromName,
  type RecordDocument,
  type RowDocument,
  toBody,
  toName,
  toRecordKey,
  toRecordName,
  toRowDocument,
  toRowKey,
  toSubjectName
} from './documents.js'

/**
 * `purge` is a no-op: MongoDB offers no command for it. Removed data stays in freed blocks of its files until they are overwritten, in its
 * journal until later checkpoints, and in the oplog until that rolls over. The same holds for its replicas and backups.
 */
export interface MongoStorage extends ActorStorage, AuditTrails, RecordArchive {}

interface MongoStorageOptions {
  /** `mongodb://` or `mongodb+srv://`, with the database in its path. */
  readonly url: string
}

/** Rows per reply: 1 MB with vectors of 384 numbers. MongoDB itself ends larger replies at 16 MB. */
const READ_ROWS = 512

/** Maximum number of rows that one statement removes. */
const REMOVE_ROWS = 1_000

/** What a transaction writes, encoded before it begins. */
interface Encoded {
  readonly head: Uint8Array
  /** Name of the address if the record wants to be woken, else null. */
  readonly wakeful: string | null
  readonly put: readonly RowDocument[]
  /** Keys of the rows to remove. */
  readonly remove: readonly string[]
}

/**
 * Connects, and creates missing indexes. Throws DomainError `storage_unavailable` when no server can be reached, or, with a sentence, for a
 * server outside of any replica set, which has no transactions.
 */
export async function createMongoStorage({ url }: MongoStorageOptions): Promise<MongoStorage> {
  return mongoStorageOver(await openMongo(url))
}

/** Returns the storage over a database whose indexes exist. */
export function mongoStorageOver(database: MongoDatabase): MongoStorage {
  const { records } = database
  const inTurn = createSerialQueue()

  /** Runs a write that may append to the subject's audit chain. */
  function write<Result>(
    { subject }: Address,
    { audit = [] }: RecordChanges,
    work: (transaction: Transaction) => Promise<Result>
  ): Promise<Result> {
    if (audit.length === 0) return database.transact(work)
    // Every such write changes the chain's end. Concurrently, all but one would be rolled back.
    return inTurn(subject, () =>
      database.transact(async (transaction) => {
        const result = await work(transaction)
        await appendAudit(database, transaction, { subject, entries: audit })
        return result
      })
    )
  }

  return {
    isDurable: true,
    async create(address, changes, tombstoneEpoch) {
      const encoded = await encode(address, changes)
      try {
        const epoch = await write(address, changes, (transaction) => insert(database, transaction, { address, encoded, tombstoneEpoch }))
        return { epoch, version: 1 }
      } catch (error) {
        if (hasCode(error, 'already_exists')) return null
        throw error
      }
    },
    activate: (address) => database.ask(() => activate(database, address)),
    async commit(address, token, changes) {
      const encoded = await encode(address, changes)
      await write(address, changes, async (transaction) => {
        const { matchedCount } = await records.updateOne(heldBy(address, token), toUpdate(encoded), { session: transaction })
        if (matchedCount !== 1) throw takenOver()
        if (changes.clear === true) await database.rows.deleteMany({ record: toRecordKey(address) }, { session: transaction })
        await applyRows(database, transaction, encoded)
      })
      return { epoch: token.epoch, version: token.version + 1 }
    },
    async remove(address, token, kept = []) {
      await database.transact(async (transaction) => {
        const expires_at = new Date(Date.now() + TOMBSTONE_S * 1_000)
        const update = { $set: { is_live: false, version: 0, expires_at }, $unset: { head: '' as const, wakeful: '' as const } }
        const { matchedCount } = await records.updateOne(heldBy(address, token), update, { session: transaction })
        if (matchedCount !== 1) throw takenOver()
        const _id = toRecordKey(address)
        await database.rows.deleteMany({ record: _id }, { session: transaction })
        // Also written without any rows, to replace those that an earlier removal left.
        await database.tombstones.replaceOne({ _id }, { rows: encodeBody(kept), expires_at }, { session: transaction, upsert: true })
      })
    },
    tombstone: (address) =>
      database.ask(async () => {
        const _id = toRecordKey(address)
        const record = await records.findOne({ _id, is_live: false }, { projection: { epoch: 1 } })
        if (record === null) return null
        // If the record was recreated and removed in between, the rows are of a later epoch. The caller then names an epoch that is over,
        // and is refused.
        const left = await database.tombstones.findOne({ _id })
        return { epoch: record.epoch, rows: left === null ? [] : (decodeBody(left.rows) as StoredRow[]) }
      }),
    // MongoDB deletes tombstones by its own clock.
    async sweep() {},
    // Linearizable, so that a primary that was deposed without noticing cannot answer.
    verify: (address, token) =>
      database.ask(
        async () =>
          (await records.findOne(heldBy(address, token), {
            // Stryker disable next-line ObjectLiteral: the result is the same, but more is read
            projection: { _id: 1 },
            readConcern: { level: 'linearizable' },
            maxTimeMS: STORAGE_MS_MAX
          })) !== null
      ),
    peek: (address) =>
      database.ask(async () => {
        const record = await records.findOne(live(address), { projection: { head: 1 } })
        return record?.head === undefined ? null : { head: decodeBody(record.head) }
      }),
    heads: ({ kind, subject, ids }) =>
      database.ask(async () => {
        const filter = { _id: { $in: ids.map((id) => toRecordKey({ kind, subject, id })) }, is_live: true }
        const found = await records.find(filter, { projection: { id: 1, head: 1 } }).toArray()
        return new Map(found.flatMap(({ id, head }) => (head === undefined ? [] : [[fromName(id), decodeBody(head)]])))
      }),
    list: ({ kind, subject, after, limit }) =>
      database.ask(async () => {
        // MongoDB treats a limit of 0 as no limit.
        if (limit < 1) return []
        const filter = { kind, subject: toSubjectName(subject), is_live: true, ...(after !== undefined && { id: { $gt: toName(after) } }) }
        const found = await records
          // Stryker disable next-line ObjectLiteral: likewise
          .find(filter, { projection: { id: 1 } })
          .sort({ id: 1 })
          .limit(limit)
          .toArray()
        return found.map(({ id }) => fromName(id))
      }),
    // Stryker disable next-line StringLiteral: names are JSON lists, and so sort after any capital letter
    reminders: ({ after = '', limit }) =>
      database.ask(async () => {
        const found = await records
          // Stryker disable next-line ObjectLiteral: likewise
          .find({ wakeful: { $gt: after } }, { projection: { wakeful: 1 } })
          .sort({ wakeful: 1 })
          .limit(limit)
          .toArray()
        const names = found.flatMap(({ wakeful }) => wakeful ?? [])
        return { addresses: names.map(fromAddressName), next: names.length < limit ? null : (names.at(-1) ?? null) }
      }),
    // No-op: everything is kept, and the next activation takes the record over.
    async release() {},
    check: () => database.check(),
    async purge() {},
    // Undefined, because only hashes of subjects are kept.
    nextSubject: undefined,
    read: (address) =>
      database.ask(async () => {
        const record = await records.findOne(live(address))
        return record === null ? null : readRows(database, record)
      }),
    auditEntries: (subject, query) => database.ask(() => readEntries(database, toSubjectName(subject), query)),
    verifyAudit: (subject) => database.ask(() => verifyTrail(database, toSubjectName(subject))),
    async *verifyAudits() {
      const next = (after: string) => database.ask(() => nextTrail(database, after))
      for (let trail = await next(''); trail !== null; trail = await next(trail)) {
        const name = trail
        yield { trail, verdict: await database.ask(() => verifyTrail(database, name)) }
      }
    },
    close: () => database.close()
  }
}

interface Insertion {
  readonly address: Address
  readonly encoded: Encoded
  /** See `ActorStorage.create`. */
  readonly tombstoneEpoch: number | undefined
}

async function insert(
  { records, ...database }: MongoDatabase,
  transaction: Transaction,
  { address, encoded, tombstoneEpoch }: Insertion
): Promise<number> {
  const _id = toRecordKey(address)
  // Stryker disable next-line ObjectLiteral: the result is the same, but more is read
  const projection = { is_live: 1, epoch: 1 }
  const known = await records.findOne({ _id }, { session: transaction, projection })
  const isKnown = tombstoneEpoch === undefined || tombstoneEpoch === (known?.epoch ?? 0)
  if (known?.is_live === true || !isKnown) throw madeMeanwhile()
  const epoch = known === null ? firstEpoch() : known.epoch + 1
  const record = {
    ...toRecordName(address),
    is_live: true,
    epoch,
    born: epoch,
    version: 1,
    head: encoded.head,
    ...(encoded.wakeful !== null && { wakeful: encoded.wakeful })
  }
  if (known === null) await records.insertOne({ _id, ...record }, { session: transaction })
  else {
    const { matchedCount } = await records.replaceOne({ _id, is_live: false, epoch: known.epoch }, record, { session: transaction })
    if (matchedCount !== 1) throw madeMeanwhile()
  }
  await applyRows({ records, ...database }, transaction, encoded)
  return epoch
}

/**
 * Takes the record over, then reads the rows in batches. Another activation leaves rows unchanged; a commit raises the version, and a
 * recreated record has a later birth. So an unchanged version and birth after the last batch prove that the batches belong together.
 */
async function activate(database: MongoDatabase, address: Address) {
  const record = await database.records.findOneAndUpdate(live(address), { $inc: { epoch: 1 } }, { returnDocument: 'after' })
  return record === null ? null : readRows(database, record)
}

async function readRows({ records, rows }: MongoDatabase, { _id, epoch, born, version, head }: RecordDocument) {
  if (head === undefined) return null
  const read: StoredRow[] = []
  for await (const { collection, row, body } of rows.find({ record: _id }, { batchSize: READ_ROWS })) {
    read.push({ collection: fromName(collection), id: fromName(row), body: decodeBody(body) })
  }
  // Stryker disable next-line ObjectLiteral: likewise
  const isWhole = (await records.findOne({ _id, is_live: true, born, version }, { projection: { _id: 1 } })) !== null
  if (!isWhole) throw takenOver()
  return { token: { epoch, version }, head: decodeBody(head), rows: read }
}

async function applyRows({ rows }: MongoDatabase, transaction: Transaction, { put, remove }: Encoded): Promise<void> {
  for (let at = 0; at < remove.length; at += REMOVE_ROWS) {
    await rows.deleteMany({ _id: { $in: remove.slice(at, at + REMOVE_ROWS) } }, { session: transaction })
  }
  if (put.length === 0) return
  const writes = put.map(({ _id, ...replacement }) => ({ replaceOne: { filter: { _id }, replacement, upsert: true } }))
  await rows.bulkWrite(writes, { session: transaction, ordered: true })
}

async function encode(address: Address, { head, put, remove, wakes }: RecordChanges): Promise<Encoded> {
  const record = toRecordKey(address)
  const documents = await encodeRows(put, { encode: (row) => toRowDocument(record, row), bytesOf: ({ body }) => body.byteLength })
  return {
    head: toBody(head),
    wakeful: wakes === true ? toAddressName(address) : null,
    put: documents,
    remove: remove.map((row) => toRowKey(record, row))
  }
}

function toUpdate({ head, wakeful }: Encoded) {
  const counted = { $inc: { version: 1 } }
  return wakeful === null ? { $set: { head }, $unset: { wakeful: '' as const }, ...counted } : { $set: { head, wakeful }, ...counted }
}

function live(address: Address) {
  return { _id: toRecordKey(address), is_live: true }
}

function heldBy(address: Address, { epoch, version }: WriteToken) {
  return { ...live(address), epoch, version }
}

function madeMeanwhile(): DomainError {
  return new DomainError('already_exists', 'The record exists already, or did in between')
}
