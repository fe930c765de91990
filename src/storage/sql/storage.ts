/** Storage in an SQL database: SQLite in a local file, or a PostgreSQL server. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { ACTOR_KINDS, type Address } from '../../domain/address.js'
import { DomainError, NO_ROOM_LEFT, orRefusal, takenOver } from '../../domain/errors.js'
import { TOMBSTONE_S } from '../../domain/limits.js'
import type { ActorStorage, AuditTrails, AuditVerdict, Clock, Logger, RecordChanges, StoredRow, WriteToken } from '../../ports.js'
import type { RecordArchive } from '../../record-archive.js'
import { CHAIN_START, findBrokenLink, fromAuditText } from '../audit-chain.js'
import { toKeyBytes } from '../key-bytes.js'
import { decodeBody, encodeBody } from '../record-codec.js'
import { encodeRows } from '../row-encoding.js'
import { createWriteWatch } from '../write-watch.js'
import { DatabaseError } from './database-error.js'
import type { EncodedChanges, EncodedRow, RecordStore, WriteOperation, Written } from './operations.js'
import { createPlan } from './plan.js'
import { openPostgres } from './postgres.js'
import { readRecord } from './read-record.js'
import { createRecordStore } from './record-store.js'
import { createRowClearing } from './removed-rows.js'
import { createSqliteThread } from './sqlite-thread.js'
import { createWriteQueue } from './write-queue.js'

/**
 * `purge`: SQLite overwrites removed rows at once (`secure_delete`), so a purge only moves its write-ahead log into the database and
 * empties it. PostgreSQL vacuums the tables. When it overwrites the freed pages and recycles its log is up to the server; its replicas and
 * backups are not covered.
 */
export interface SqlStorage extends ActorStorage, AuditTrails, RecordArchive {}

interface SqlStorageOptions {
  /** `sqlite:PATH`, or a `postgres://…` URL as libpq reads it. */
  readonly url: string
  readonly clock: Clock
  readonly logger: Logger
  /** Maximum writes per transaction; 1 turns group commit off, for comparison. Default 128. */
  readonly batchMax?: number
  /** Maximum size of an SQLite database in bytes. Above it writes fail, and reads continue. Default: unlimited. */
  readonly fileBytesMax?: number
}

/** Maximum writes per transaction: two thirds of `OPERATIONS_IN_FLIGHT_MAX`, so that it stays below some 20 ms on one core. */
const BATCH_MAX = 128

/**
 * Concurrent transactions of PostgreSQL: the next is sent while one is flushed, and a third is left for other subjects. SQLite has one
 * writer.
 */
const POSTGRES_LANES = 3

/** Codes of SQLite and of PostgreSQL (`disk_full`) for a full disk or an exhausted quota. */
const FULL: ReadonlySet<string> = new Set(['SQLITE_FULL', '53100'])

/** Tombstones deleted per call. */
const TOMBSTONES_A_CALL = 200

/** Audit entries read at a time. */
const AUDIT_PAGE = 500

/**
 * Opens the database and migrates its schema. Throws DomainError `storage_unavailable` when it cannot be reached, and an Error for an
 * address of another kind or a database made by a later version.
 */
export async function createSqlStorage(options: SqlStorageOptions): Promise<SqlStorage> {
  const { clock, logger, batchMax = BATCH_MAX } = options
  const { store, lanes } = openStore(options)
  try {
    await store.migrate()
  } catch (error) {
    await store.close()
    throw error instanceof DatabaseError ? unavailable(error) : error
  }
  const queue = createWriteQueue({ write: (batch) => store.write(batch), clock, lanes, batchMax })
  const clearing = createRowClearing(store)
  let closing: Promise<void> | undefined
  const watch = createWriteWatch({ logger, reading: () => store.check(), writing: () => store.checkWriting() })

  /** Returns null when the record was not in the state that the operation requires. */
  async function write(operation: WriteOperation): Promise<Written | null> {
    if (closing !== undefined) throw unavailable(new DatabaseError('CLOSED', { isRefusal: true }))
    const result = await orUnavailable(() => queue.add(operation))
    if (result.outcome === 'failed') {
      watch.failed(result.code)
      throw unavailable(new DatabaseError(result.code, { isRefusal: false }))
    }
    return result.outcome === 'written' ? result : null
  }
  const fenced = async (operation: WriteOperation): Promise<Written> => {
    const written = await write(operation)
    if (written === null) throw takenOver()
    return written
  }
  const find = (address: Address) => orUnavailable(() => store.find(address))

  return {
    isDurable: true,
    async create(address, changes, tombstoneEpoch) {
      // What is left of the record before would go with this write, in one transaction.
      const rest = clearing.rest(address)
      if (rest !== undefined) await rest
      const encoded = encodeChanges(changes, clock)
      const written = await write({
        action: 'create',
        address,
        changes: encoded instanceof Promise ? await encoded : encoded,
        tombstoneEpoch
      })
      return written?.token ?? null
    },
    async activate(address) {
      const taken = await write({ action: 'activate', address })
      return taken === null ? null : orUnavailable(() => readRecord({ store, clock }, address, taken))
    },
    async commit(address, token, changes) {
      const encoded = encodeChanges(changes, clock)
      return (await fenced({ action: 'commit', address, token, changes: encoded instanceof Promise ? await encoded : encoded })).token
    },
    async remove(address, token, rows = []) {
      const tombstone = { rows: encodeBody(rows), buriedAt: clock.now() }
      const { record, hasRest } = await fenced({ action: 'remove', address, token, tombstone })
      if (hasRest === true) clearing.add(address, { record, epoch: token.epoch })
    },
    async tombstone(address) {
      const found = await orUnavailable(() => store.tombstone(address))
      return found === null ? null : { epoch: found.epoch, rows: found.rows === null ? [] : (decodeBody(found.rows) as StoredRow[]) }
    },
    async sweep() {
      const due = { before: clock.now() - TOMBSTONE_S, limit: TOMBSTONES_A_CALL }
      while (await orUnavailable(() => store.clearTombstones(due))) await yieldToEventLoop()
      await clearing.idle()
      await orUnavailable(() => store.emptyLog())
    },
    async verify(address, token) {
      return isSame(await find(address), token)
    },
    async peek(address) {
      const head = await orUnavailable(() => store.peek(address))
      return head === null ? null : { head: decodeBody(head) }
    },
    async heads(query) {
      const found = await orUnavailable(() => store.heads(query))
      return new Map(found.map(({ id, head }) => [id, decodeBody(head)]))
    },
    list: ({ kind, subject, after = null, limit }) => orUnavailable(() => store.list({ kind, subject, after, limit })),
    async reminders({ after = '0', limit }) {
      const found = await orUnavailable(() => store.reminders({ after: Number(after), limit }))
      const last = found.at(-1)
      return {
        addresses: found.map(({ address }) => address),
        next: last === undefined || found.length < limit ? null : String(last.record)
      }
    },
    // No-op: everything is kept, and the next activation takes the record over.
    async release() {},
    check: () => orUnavailable(watch.check),
    verifyAudit: (subject) => orUnavailable(() => verifyAudit(store, subject)),
    async *verifyAudits() {
      const next = (after: string) => orUnavailable(() => store.nextAudited(after))
      // The empty text is no subject and sorts before all of them.
      for (let trail = await next(''); trail !== null; trail = await next(trail)) {
        const subject = trail
        yield { trail, verdict: await orUnavailable(() => verifyAudit(store, subject)) }
      }
    },
    nextSubject: (after) => orUnavailable(() => nextSubject(store, after)),
    read: (address) =>
      orUnavailable(async () => {
        const found = await store.look(address)
        return found === null ? null : readRecord({ store, clock }, address, found)
      }),
    auditEntries: (subject, query) =>
      orUnavailable(async () => (await store.auditRows({ subject, ...query })).map(({ entry }) => fromAuditText(entry))),
    purge: () => orUnavailable(() => clearing.idle().then(() => store.purge())),
    close: () => (closing ??= queue.idle().then(() => store.close()))
  }
}

function openStore({ url, logger, fileBytesMax }: SqlStorageOptions): { readonly store: RecordStore; readonly lanes: number } {
  if (url.startsWith('sqlite:')) return { store: createSqliteThread({ path: url.slice('sqlite:'.length), fileBytesMax, logger }), lanes: 1 }
  if (!/^postgres(ql)?:\/\//.test(url)) throw new Error('The database address must begin with sqlite: or postgres://')
  const store = createRecordStore(openPostgres({ url, logger, writersMax: POSTGRES_LANES }), createPlan('postgres'))
  return { store, lanes: POSTGRES_LANES }
}

function encodeChanges(changes: RecordChanges, clock: Clock): EncodedChanges | Promise<EncodedChanges> {
  const rows = encodeRows(changes.put, { encode: encodeRow, bytesOf: ({ body }) => body.byteLength, clock })
  return rows instanceof Promise ? rows.then((encoded) => encodedChanges(changes, encoded)) : encodedChanges(changes, rows)
}

function encodeRow({ collection, id, body }: StoredRow): EncodedRow {
  return { collection, id, body: encodeBody(body) }
}

function encodedChanges({ head, remove, clear, audit, wakes }: RecordChanges, put: readonly EncodedRow[]): EncodedChanges {
  const bytes = encodeBody(head)
  return {
    head: bytes,
    put,
    remove: remove.map(({ collection, id }) => ({ collection, id })),
    clear: clear === true,
    audit: audit ?? [],
    wakes: wakes === true,
    bytes: put.reduce((sum, { body }) => sum + body.byteLength, bytes.byteLength)
  }
}

async function nextSubject(store: RecordStore, after: string): Promise<string | null> {
  const owners = await Promise.all(ACTOR_KINDS.map((kind) => store.nextOwner({ kind, after })))
  const found = [...owners, await store.nextAudited(after)].filter((subject) => subject !== null)
  return found.sort((a, b) => Buffer.compare(toKeyBytes(a), toKeyBytes(b)))[0] ?? null
}

/** Verdict on a chain that has entries but no end. */
const WITHOUT_END = { isIntact: false, seq: 1, problem: 'unlinked' } as const

async function verifyAudit(store: RecordStore, subject: string): Promise<AuditVerdict> {
  // Read first, so that entries added meanwhile lie beyond it.
  const end = (await store.auditHead(subject)) ?? { seq: 0, hash: CHAIN_START }
  if (end.seq === 0)
    return (await store.auditRows({ subject, after: 0, limit: 1 })).length === 0 ? { isIntact: true, entries: 0 } : WITHOUT_END
  let from = { seq: 0, hash: CHAIN_START }
  while (from.seq < end.seq) {
    const rows = await store.auditRows({ subject, after: from.seq, limit: Math.min(AUDIT_PAGE, end.seq - from.seq) })
    const broken = findBrokenLink(from, subject, rows)
    if (broken !== null) return broken
    const last = rows.at(-1)
    if (last === undefined) return { isIntact: false, seq: from.seq + 1, problem: 'missing' }
    from = last
  }
  return from.hash === end.hash ? { isIntact: true, entries: end.seq } : { isIntact: false, seq: end.seq, problem: 'unlinked' }
}

function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  return orRefusal(work, unavailable)
}

function unavailable(cause: unknown): DomainError {
  const isFull = cause instanceof DatabaseError && FULL.has(cause.code)
  return new DomainError('storage_unavailable', isFull ? NO_ROOM_LEFT : 'The storage is not available', { cause })
}

function isSame(stored: WriteToken | null, token: WriteToken): boolean {
  return stored !== null && stored.epoch === token.epoch && stored.version === token.version
}
