/**
 * Storage in one Redis server. Every write is one script, so it is atomic. Acknowledged writes survive a crash when Redis runs with
 * `appendonly yes` and `appendfsync always`. Replication is asynchronous, so a fail-over to a replica can lose acknowledged writes.
 */
import type { Address } from '../../domain/address.js'
import { codeIn, DomainError, takenOver } from '../../domain/errors.js'
import { TOMBSTONE_S } from '../../domain/limits.js'
import type { ActorStorage, AuditTrails, Clock, Logger, RecordChanges, StoredRow } from '../../ports.js'
import type { RecordArchive } from '../../record-archive.js'
import { toAddressName } from '../address-name.js'
import { firstEpoch } from '../first-epoch.js'
import { fromKeyBytes, toKeyBytes } from '../key-bytes.js'
import { decodeBody, encodeBody } from '../record-codec.js'
import { decodeRows, encodeRows } from '../row-encoding.js'
import { createWriteWatch } from '../write-watch.js'
import { findTrails, readEntries, toAuditArguments, verifyTrail } from './audit.js'
import { connectRedis, type RedisConnection } from './connection.js'
import { fromRowField, PROBE_KEY, type RecordKeys, toIdsKey, toRecordKeys, toRowField, toTrail } from './keys.js'
import { purgeFiles, renewLog } from './log-rewrite.js'
import { readReminders } from './reminders.js'
import { ACTIVATE, COMMIT, CREATE, REMOVE } from './scripts.js'
import { checkLayout, checkRoom, checkServer, findDurabilityGap } from './server-check.js'

/** `purge` makes the server rewrite its files. Its replicas and backups are not covered. */
export interface RedisStorage extends ActorStorage, AuditTrails, RecordArchive {}

interface RedisStorageOptions {
  /** `redis://` or, with TLS, `rediss://`. A number as its path selects the database. */
  readonly url: string
  readonly logger: Logger
  /** Ends time slices by time as well. Default: they end by bytes alone. */
  readonly clock?: Pick<Clock, 'monotonicMs'> | undefined
}

/**
 * Rows of the first scan, and the maximum of any. In between a scan asks for about SCAN_BYTES, so that neither side is blocked for long.
 */
const SCAN_ROWS_FIRST = 16
const SCAN_ROWS_MAX = 4_096
const SCAN_BYTES = 1024 * 1024

/** Seconds for which Redis keeps what a check has written. */
const PROBE_S = 1

/** Redis refuses commands with more than 1,048,576 arguments; each put of a row takes two. */
const ROWS_PER_WRITE_MAX = 500_000

/**
 * Connects, and refuses a server that would lose records. Throws DomainError `storage_unavailable` with a sentence when it evicts keys, is
 * a replica or one of several servers of a cluster, or cannot be reached. Warns about one that may lose writes in a crash.
 */
export async function createRedisStorage({ url, logger, clock }: RedisStorageOptions): Promise<RedisStorage> {
  const connection = await connectRedis({
    url,
    logger,
    // Repeated after each reconnection: another server may have taken over the address, or the same one was restarted.
    async prepare(ask) {
      await checkServer(ask)
      await checkLayout(ask)
      await renewLog(ask)
      const gap = await findDurabilityGap(ask)
      if (gap !== null) logger.warn({}, gap)
    }
  })
  return redisStorageOver(connection, { logger, clock })
}

/** Returns the storage over a connection whose server was checked. */
export function redisStorageOver(connection: RedisConnection, { logger, clock }: Omit<RedisStorageOptions, 'url'>): RedisStorage {
  const fields = async (keys: RecordKeys, ...names: string[]) =>
    (await connection.call('HMGET', keys.record, ...names)) as readonly (Buffer | null)[]

  const reading = async () => {
    await checkServer(connection.call)
    await checkRoom(connection.call)
  }
  const writing = async () => {
    await reading()
    await connection.call('SET', PROBE_KEY, '', 'EX', PROBE_S)
  }
  const watch = createWriteWatch({ logger, reading, writing })
  const write: RedisConnection['run'] = async (...script) => {
    try {
      return await connection.run(...script)
    } catch (error) {
      watch.failed(codeIn((error as Error).cause) ?? 'UNKNOWN')
      throw error
    }
  }

  // Another activation leaves rows unchanged; a commit raises the version, and a recreated record has a later birth.
  const rowsAsOf = (keys: RecordKeys, life: readonly Buffer[]) =>
    readRows({ connection, clock }, keys, async () => String(await fields(keys, 'b', 'v')) === String(life))

  return {
    isDurable: true,
    async create(address, changes, tombstoneEpoch) {
      const keys = toRecordKeys(address)
      // The record is new, so there is nothing to remove or clear.
      const { name, head, wakes, puts, audit } = await encode(address, changes, clock)
      const args = [toKeyBytes(address.id), name, head, wakes, tombstoneEpoch ?? '', firstEpoch(), changes.put.length, ...puts, ...audit]
      const epoch = await write(CREATE, [...keysOf(keys), keys.lastEpoch], args)
      return epoch === null ? null : { epoch: Number(epoch), version: 1 }
    },
    async activate(address) {
      const keys = toRecordKeys(address)
      const reply = await write(ACTIVATE, [keys.record], [])
      if (reply === null) return null
      const [epoch, born, version, head] = reply as [number, Buffer, Buffer, Buffer]
      const rows = await rowsAsOf(keys, [born, version])
      return { token: { epoch, version: Number(String(version)) }, head: decodeBody(head), rows }
    },
    async commit(address, token, changes) {
      const { name, head, wakes, removals, puts, audit } = await encode(address, changes, clock)
      const counts = [changes.clear === true ? 1 : 0, changes.remove.length, changes.put.length]
      const args = [token.epoch, token.version, name, head, wakes, ...counts, ...removals, ...puts, ...audit]
      if ((await write(COMMIT, keysOf(toRecordKeys(address)), args)) !== 1) throw takenOver()
      return { epoch: token.epoch, version: token.version + 1 }
    },
    async remove(address, token, kept = []) {
      const { record, rows, ids, reminders, tombstone, lastEpoch } = toRecordKeys(address)
      const body = kept.length === 0 ? '' : encodeBody(kept)
      const args = [toKeyBytes(address.id), toAddressName(address), token.epoch, token.version, body, TOMBSTONE_S]
      const removed = await write(REMOVE, [record, rows, ids, reminders, tombstone, lastEpoch], args)
      if (removed !== 1) throw takenOver()
    },
    async tombstone(address) {
      const keys = toRecordKeys(address)
      // Sent together and carried out in this order. If another removal comes between, the next writer names an epoch that is over.
      const [[known, version], last, body] = await Promise.all([
        fields(keys, 'e', 'v'),
        connection.call('GET', keys.lastEpoch) as Promise<Buffer | null>,
        connection.call('GET', keys.tombstone) as Promise<Buffer | null>
      ])
      const epoch = known ?? last
      return epoch === null || version != null
        ? null
        : { epoch: Number(String(epoch)), rows: body === null ? [] : (decodeBody(body) as StoredRow[]) }
    },
    // Redis expires tombstones by its own clock.
    async sweep() {},
    async verify(address, token) {
      return String(await fields(toRecordKeys(address), 'e', 'v')) === String([token.epoch, token.version])
    },
    async peek(address) {
      const [head] = await fields(toRecordKeys(address), 'h')
      return head == null ? null : { head: decodeBody(head) }
    },
    async heads({ kind, subject, ids }) {
      // Sent together, to take one round trip.
      const found = await Promise.all(ids.map(async (id) => [id, (await fields(toRecordKeys({ kind, subject, id }), 'h'))[0]] as const))
      return new Map(found.flatMap(([id, head]) => (head == null ? [] : [[id, decodeBody(head)]])))
    },
    async list({ kind, subject, after, limit }) {
      const from = after === undefined ? '-' : Buffer.concat([Buffer.from('('), toKeyBytes(after)])
      const ids = await connection.call('ZRANGEBYLEX', toIdsKey({ kind, subject }), from, '+', 'LIMIT', 0, limit)
      return (ids as readonly Buffer[]).map(fromKeyBytes)
    },
    reminders: (query) => readReminders(connection.call, query),
    // No-op: everything is kept, and the next activation takes the record over.
    async release() {},
    check: watch.check,
    verifyAudit: (subject) => verifyTrail(connection.call, toTrail(subject)),
    async *verifyAudits() {
      for (const trail of await findTrails(connection.call)) yield { trail, verdict: await verifyTrail(connection.call, trail) }
    },
    // Undefined, because only hashes of subjects are kept.
    nextSubject: undefined,
    async read(address) {
      const keys = toRecordKeys(address)
      const [born, version, head] = await fields(keys, 'b', 'v', 'h')
      return born == null || version == null || head == null
        ? null
        : { head: decodeBody(head), rows: await rowsAsOf(keys, [born, version]) }
    },
    auditEntries: (subject, query) => readEntries(connection.call, toTrail(subject), query),
    purge: () => purgeFiles(connection.call),
    close: () => connection.close()
  }
}

/**
 * Reads the rows in batches of bounded size. If the record is unchanged after the last batch, the batches belong together; otherwise
 * another owner wrote meanwhile, and this throws `fenced`.
 */
async function readRows(
  { connection, clock }: { readonly connection: RedisConnection; readonly clock: RedisStorageOptions['clock'] },
  keys: RecordKeys,
  isUnchanged: () => Promise<boolean>
): Promise<StoredRow[]> {
  // Redis may return a row twice while it rehashes.
  const rows = new Map<string, StoredRow>()
  let count = SCAN_ROWS_FIRST
  for (let cursor = '0'; ;) {
    // Sent together and carried out in this order, so that a small record takes one round trip.
    const [reply, isWhole] = await Promise.all([connection.call('HSCAN', keys.rows, cursor, 'COUNT', count), isUnchanged()])
    if (!isWhole) throw takenOver()
    const [next, page] = reply as [Buffer, readonly Buffer[]]
    const pairs = Array.from({ length: Math.floor(page.length / 2) }, (_, at) => ({
      field: page[2 * at] as Buffer,
      body: page[2 * at + 1] as Buffer
    }))
    await decodeRows(pairs, {
      decode: ({ field, body }) => rows.set(field.toString('latin1'), { ...fromRowField(field), body: decodeBody(body) }),
      bytesOf: ({ body }) => body.length,
      clock
    })
    const bytes = pairs.reduce((sum, { body }) => sum + body.length, 1)
    cursor = String(next)
    if (cursor === '0') return [...rows.values()]
    count = Math.max(1, Math.min(SCAN_ROWS_MAX, Math.round((SCAN_BYTES * page.length) / 2 / bytes)))
  }
}

async function encode(address: Address, changes: RecordChanges, clock: RedisStorageOptions['clock']) {
  if (changes.put.length > ROWS_PER_WRITE_MAX) throw new DomainError('limit_reached', `A write can have at most ${ROWS_PER_WRITE_MAX} rows`)
  const rows = await encodeRows<[Uint8Array, Uint8Array]>(changes.put, {
    encode: (row) => [toRowField(row), encodeBody(row.body)],
    bytesOf: ([, body]) => body.byteLength,
    clock
  })
  return {
    name: toAddressName(address),
    head: encodeBody(changes.head),
    wakes: changes.wakes === true ? 1 : 0,
    removals: changes.remove.map(toRowField),
    puts: rows.flat(),
    audit: toAuditArguments(address.subject, changes.audit ?? [])
  }
}

function keysOf({ record, rows, ids, audit, reminders }: RecordKeys): (string | Buffer)[] {
  return [record, rows, ids, audit.entries, audit.end, reminders]
}
