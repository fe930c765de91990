/** Records in any SQL database: the statements of each operation. */
import { randomBytes } from 'node:crypto'
import { fromKeyBytes, toKeyBytes } from '../key-bytes.js'
import { DatabaseError } from './database-error.js'
import { ask, inShapes, type SqlConnection, type SqlDatabase } from './database.js'
import { migrate } from './migrations.js'
import type { RecordStore, RemovedRecord, WriteOperation, WriteResult } from './operations.js'
import type { Plan } from './plan.js'
import { countWithin, nameValues, sizesAfter } from './page-sizes.js'
import { clearPage } from './removed-rows.js'
import { pageOf, type SizesAhead } from './row-page.js'
import type { Statements } from './statements.js'
import { keyOf, writeBatch } from './write-batch.js'

/**
 * Bytes written to test whether writes work: about a question and its answer, with vectors of 4,096 numbers. Random, because databases
 * compress.
 */
const TRIAL_BYTES = 32 * 1024

/** Not the number of any record: those count from 1. */
const NO_RECORD = 0

const NOTHING_AHEAD: SizesAhead = { sizes: new Uint32Array(0), isEnd: false }

export function createRecordStore(database: SqlDatabase, plan: Plan): RecordStore {
  const { statements } = plan
  const write = (batch: readonly WriteOperation[]) => database.transaction((connection) => writeBatch(connection, statements, batch))
  async function clearRemoved({ record, epoch }: RemovedRecord): Promise<boolean> {
    const { sizes } = await database.read((connection) => sizesAfter(connection, statements, { record, after: null }))
    if (sizes.length === 0) return false
    return database.transaction(async (connection) => {
      const [removed] = await ask(connection, statements.takeRemoved, { record, epoch })
      return removed !== undefined && clearPage(connection, statements, record)
    })
  }

  return {
    migrate: () => migrate(database, plan),
    async write(batch) {
      try {
        return await write(batch)
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error
        if (!error.isRefusal || batch.length === 1) return batch.map(() => ({ outcome: 'failed', code: error.code }))
      }
      // One operation was refused and the whole batch was rolled back. The others must not suffer, so each is tried alone.
      const results: WriteResult[] = []
      for (const operation of batch) results.push(await alone(write, operation))
      return results
    },
    async clearTombstones({ before, limit }) {
      const due = await database.read((connection) => ask(connection, statements.dueTombstones, { before, limit }))
      // One transaction per tombstone, which takes the record first, as all writers do: concurrent sweeps and removals wait for each other
      // but cannot deadlock.
      for (const { record, epoch } of due) {
        // Left by a process that ended before it had cleared them.
        if (epoch !== null && (await clearRemoved({ record, epoch }))) return true
        await database.transaction(async (connection) => {
          if (epoch !== null) await ask(connection, statements.forget, { record, epoch })
          await ask(connection, statements.dropTombstone, { record, before })
        })
      }
      return due.length === limit
    },
    clearRemoved,
    ...readsOf(database, statements),
    async checkWriting() {
      const item = { ...nameValues(null), body: randomBytes(TRIAL_BYTES) }
      await database.transaction((connection) => inShapes(connection, statements.put, [item], { record: NO_RECORD }))
      await database.transaction((connection) => ask(connection, statements.clear, { record: NO_RECORD }))
    },
    purge: () => database.purge(),
    emptyLog: () => database.emptyLog(),
    close: () => database.close()
  }
}

async function alone(write: (batch: readonly WriteOperation[]) => Promise<WriteResult[]>, operation: WriteOperation): Promise<WriteResult> {
  try {
    return (await write([operation]))[0] as WriteResult
  } catch (error) {
    if (error instanceof DatabaseError) return { outcome: 'failed', code: error.code }
    throw error
  }
}

type Reads = Omit<RecordStore, 'migrate' | 'write' | 'clearTombstones' | 'clearRemoved' | 'checkWriting' | 'purge' | 'emptyLog' | 'close'>

function readsOf(database: SqlDatabase, statements: Statements): Reads {
  const read = <Result>(work: (connection: SqlConnection) => Promise<Result>) => database.read(work)
  return {
    rows: ({ record, after, ahead = NOTHING_AHEAD }) =>
      read(async (connection) => {
        const name = nameValues(after)
        const { sizes, isEnd } = ahead.sizes.length > 0 ? ahead : await sizesAfter(connection, statements, { record, after })
        const limit = countWithin(sizes)
        const [joined] = await ask(connection, statements.rows, { record, ...name, limit })
        return pageOf(joined, { sizes: sizes.slice(limit), isEnd })
      }),
    find: (address) => read(async (connection) => (await ask(connection, statements.find, keyOf(address)))[0] ?? null),
    tombstone: (address) => read(async (connection) => (await ask(connection, statements.tombstone, keyOf(address)))[0] ?? null),
    look: (address) =>
      read(async (connection) => {
        const [found] = await ask(connection, statements.look, keyOf(address))
        if (found === undefined) return null
        const { record, epoch, version, head } = found
        return { outcome: 'written', record, token: { epoch, version }, head }
      }),
    nextOwner: ({ kind, after }) =>
      read(async (connection) => {
        const [found] = await ask(connection, statements.nextOwner, { kind, after: toKeyBytes(after) })
        return found === undefined ? null : fromKeyBytes(found.subject)
      }),
    peek: (address) => read(async (connection) => (await ask(connection, statements.peek, keyOf(address)))[0]?.head ?? null),
    heads: ({ kind, subject, ids }) =>
      read(async (connection) => {
        const items = ids.map((id) => ({ id: toKeyBytes(id) }))
        const found = await inShapes(connection, statements.heads, items, { kind, subject: toKeyBytes(subject) })
        return found.map(({ id, head }) => ({ id: fromKeyBytes(id), head }))
      }),
    list: ({ kind, subject, after, limit }) =>
      read(async (connection) => {
        const owner = { kind, subject: toKeyBytes(subject), limit }
        const found =
          after === null
            ? await ask(connection, statements.list, owner)
            : await ask(connection, statements.listAfter, { ...owner, after: toKeyBytes(after) })
        return found.map(({ id }) => fromKeyBytes(id))
      }),
    reminders: (query) =>
      read(async (connection) => {
        const found = await ask(connection, statements.reminders, query)
        return found.map(({ record, kind, subject, id }) => ({
          record,
          address: { kind, subject: fromKeyBytes(subject), id: fromKeyBytes(id) }
        }))
      }),
    nextAudited: (after) =>
      read(async (connection) => {
        const place = { after: toKeyBytes(after) }
        const found = [
          ...(await ask(connection, statements.nextAuditHead, place)),
          ...(await ask(connection, statements.nextAuditEntry, place))
        ]
        const [first] = found.sort((a, b) => Buffer.compare(a.subject, b.subject))
        return first === undefined ? null : fromKeyBytes(first.subject)
      }),
    auditHead: (subject) =>
      read(async (connection) => (await ask(connection, statements.auditHead, { subject: toKeyBytes(subject) }))[0] ?? null),
    auditRows: ({ subject, after, limit }) =>
      read(async (connection) => {
        const found = await ask(connection, statements.auditRows, { subject: toKeyBytes(subject), after, limit })
        return found.map(({ seq, entry, previous_hash, hash }) => ({ seq, entry, previousHash: previous_hash, hash }))
      }),
    check: () =>
      read(async (connection) => {
        await ask(connection, statements.schemaVersion, {})
      })
  }
}
