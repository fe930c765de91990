/** One SQLite database file. Its calls block, so it runs in its own thread (`sqlite-main.ts`). */
import { closeSync, openSync, statSync } from 'node:fs'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import Database from 'libsql'
import { codeIn } from '../../domain/errors.js'
import { DatabaseError } from './database-error.js'
import type { SqlConnection, SqlDatabase } from './database.js'
import type { BoundStatement } from './statement.js'

/**
 * Milliseconds that a statement waits for another process's transaction: less than the service waits for its storage (`STORAGE_MS_MAX`).
 */
const BUSY_MS = 4_000
const BUSY_TIMEOUT = `busy_timeout=${BUSY_MS}`

/** Milliseconds between two attempts where SQLite itself does not wait. */
const RETRY_MS = 10

/** Codes of refusals by a healthy database: a rule of the schema, its size, or a bad request. */
const REFUSALS = /^SQLITE_(CONSTRAINT|FULL|TOOBIG|MISMATCH|RANGE|ERROR)/

/**
 * Page cache in KiB: large enough that the rows whose sizes are read together, and those of the previous page, are read from the file once.
 */
const CACHE_KIB = 8_192

/**
 * Only the owner may read and write, because what is remembered is private. SQLite gives its write-ahead log and its index the same mode.
 */
const FILE_MODE = 0o600

/**
 * Uses the system's file layer directly. By default the driver puts SQLite3 Multiple Ciphers (1.8.1) in front, also without encryption: it
 * reports a failed read as successful, and stale bytes in the buffer are taken for the page.
 */
const FILE_SYSTEM = process.platform === 'win32' ? 'win32' : 'unix'

/** Maximum number of prepared statements that are kept: enough for all that the storage has. */
const STATEMENTS_MAX = 64

type Prepared = ReturnType<InstanceType<typeof Database>['prepare']>

/**
 * Opens the file or creates it; an existing file keeps its mode. `synchronous=FULL` with a write-ahead log flushes once per transaction,
 * before it is acknowledged. `secure_delete` overwrites removed data with zeros. Throws DatabaseError.
 */
export function openSqlite(path: string, fileBytesMax?: number): SqlDatabase {
  makePrivate(path)
  const database = asked(() => new Database(`${pathToFileURL(path).href}?vfs=${FILE_SYSTEM}`), 'SQLITE_CANTOPEN')
  const prepared = new Map<string, Prepared>()
  whileBusy(() => asked(() => database.prepare('pragma journal_mode=WAL').all([])))
  const set = (setting: string) => asked(() => database.prepare(`pragma ${setting}`).all([]))
  for (const setting of [BUSY_TIMEOUT, 'synchronous=FULL', 'secure_delete=ON', `cache_size=-${CACHE_KIB}`]) set(setting)
  const mode = asked(() => database.prepare('pragma journal_mode').get([])) as { readonly journal_mode: string }
  if (mode.journal_mode !== 'wal') throw new DatabaseError('NO_WAL', { isRefusal: false })

  if (fileBytesMax !== undefined) {
    const { page_size: pageBytes } = asked(() => database.prepare('pragma page_size').get([])) as { readonly page_size: number }
    asked(() => database.prepare(`pragma max_page_count=${Math.max(1, Math.floor(fileBytesMax / pageBytes))}`).all([]))
  }

  const opened = fileAt(path)

  function statement({ name, sql }: BoundStatement): Prepared {
    const known = name === null ? undefined : prepared.get(name)
    if (known !== undefined) return known
    const made = database.prepare(sql)
    if (name !== null && prepared.size < STATEMENTS_MAX) prepared.set(name, made)
    return made
  }
  const connection: SqlConnection = {
    async run(bound) {
      return asked(() => {
        const found = statement(bound)
        if (found.reader) return found.all([...bound.parameters]).map(withBytes)
        found.run([...bound.parameters])
        return []
      })
    }
  }
  /** Moves the write-ahead log into the database and empties it. Returns false when another process still needs it. */
  const emptyLog = (): boolean => {
    const [outcome] = set('wal_checkpoint(truncate)') as { readonly busy: number }[]
    return outcome?.busy === 0
  }
  const rollBack = () => {
    // When the disk is full, SQLite may have rolled back already.
    if (database.inTransaction) asked(() => database.exec('rollback'))
  }

  return {
    async transaction(work) {
      // SQLite makes this check itself only without a write-ahead log. Writes to a file that was moved or replaced would be lost with this
      // process.
      if (fileAt(path) !== opened) throw new DatabaseError('SQLITE_READONLY_DBMOVED', { isRefusal: false })
      asked(() => database.exec('begin immediate'))
      const guarded = createGuard(connection)
      try {
        const result = await work(guarded.connection)
        asked(() => database.exec('commit'))
        return result
      } catch (error) {
        guarded.end()
        rollBack()
        throw error
      } finally {
        guarded.end()
      }
    },
    read: (work) => work(connection),
    // No-op: the transaction holds the only write lock.
    async lockSchema() {},
    async purge() {
      // A reader or writer of another process still needs the log.
      if (!emptyLog()) throw new DatabaseError('SQLITE_BUSY', { isRefusal: false })
    },
    async emptyLog() {
      // Without waiting: a backup may read for long, and commits would wait behind this.
      set('busy_timeout=0')
      try {
        emptyLog()
      } finally {
        set(BUSY_TIMEOUT)
      }
    },
    async close() {
      if (database.open) database.close()
    }
  }
}

/**
 * Creates the file with its mode. Only a new file is opened and closed here: closing one that is open elsewhere in this process would drop
 * its locks (SQLite, How To Corrupt, 2.2). A file that cannot be created is left for SQLite to report.
 */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', FILE_MODE))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}

/** Identity of the file of this name; null when there is none. */
function fileAt(path: string): string | null {
  const found = asked(() => statSync(path, { throwIfNoEntry: false }))
  return found === undefined ? null : `${found.dev}:${found.ino}`
}

/** Refuses statements once the transaction has ended: work that continues after a failure must not write outside of it. */
function createGuard(connection: SqlConnection): { readonly connection: SqlConnection; end(): void } {
  let hasEnded = false
  return {
    connection: {
      async run(bound) {
        if (hasEnded) throw new DatabaseError('TRANSACTION_ENDED', { isRefusal: false })
        return connection.run(bound)
      }
    },
    end() {
      hasEnded = true
    }
  }
}

/** Converts blobs, which the driver returns as ArrayBuffer. */
function withBytes(row: unknown): unknown {
  const columns = row as Record<string, unknown>
  for (const [name, value] of Object.entries(columns)) if (value instanceof ArrayBuffer) columns[name] = new Uint8Array(value)
  return columns
}

/**
 * Retries for at most `BUSY_MS`. SQLite's own wait does not cover the switch of the journal mode: when two processes open a new file at
 * once and both want to switch, it refuses one without waiting.
 */
function whileBusy(call: () => void): void {
  const never = new Int32Array(new SharedArrayBuffer(4))
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      return call()
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code.startsWith('SQLITE_BUSY')) || waitedMs >= BUSY_MS) throw error
    }
    Atomics.wait(never, 0, 0, RETRY_MS)
  }
}

/** The driver gives no code for some errors. */
function asked<Result>(call: () => Result, codeless = 'SQLITE'): Result {
  try {
    return call()
  } catch (error) {
    const code = codeIn(error) ?? codeless
    throw new DatabaseError(code, { isRefusal: REFUSALS.test(code) })
  }
}
