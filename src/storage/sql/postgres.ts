/** A PostgreSQL server over two small pools: one writes and the other reads, so that a read never waits for a flush. */
import { Pool, type PoolClient, type PoolConfig } from 'pg'
import { codeIn, hasSucceeded } from '../../domain/errors.js'
import { STORAGE_MS_MAX } from '../../domain/limits.js'
import type { Logger } from '../../ports.js'
import { DatabaseError } from './database-error.js'
import type { SqlConnection, SqlDatabase } from './database.js'

interface PostgresOptions {
  readonly url: string
  readonly logger: Logger
  /** Maximum connections that write. */
  readonly writersMax: number
}

/** Maximum connections that read: a node's activations and point reads are short, and connections are expensive for the server. */
const READERS_MAX = 4

/** Milliseconds to reach the server or to get a connection from the pool. */
const CONNECT_MS_MAX = 3_000

/** Milliseconds after which the server ends a statement: a little less than the client waits, so that the server's error arrives first. */
const STATEMENT_MS_MAX = STORAGE_MS_MAX - 1_000

/** "engr" in ASCII: a number that no other user of the database is likely to lock. */
const SCHEMA_LOCK = 0x656e_6772

/**
 * SQLSTATE classes of refusals by a healthy server: data (22), constraints (23), deadlock and serialization (40), syntax and missing tables
 * (42), full disk or memory (53), program limits (54), exceptions raised by triggers (P0). A statement that took too long (57014) is not
 * among them: it would take too long again.
 */
const REFUSALS = /^(22|23|40|42|53|54|P0)/

/** `code` of a commit that the server answered with a rollback. */
const ROLLED_BACK = 'ROLLED_BACK'

/** Object ids of int8 and int4. Counts here stay far below 2^53. */
const INTEGERS = new Set([20, 23])
const BYTEA = 17

/**
 * Timeouts are set by statements, because poolers such as PgBouncer refuse connections with parameters that they do not know. A transaction
 * whose client is gone keeps its locks no longer than a client waits for them.
 */
const STATEMENT_TIMEOUT = `statement_timeout = ${STATEMENT_MS_MAX}`
const BEGIN = [
  'begin isolation level read committed',
  'set local synchronous_commit = on',
  `set local ${STATEMENT_TIMEOUT}`,
  `set local idle_in_transaction_session_timeout = ${STATEMENT_MS_MAX}`
].join('; ')

/**
 * A named statement that is missing (26000), or there already (42P05): a pooler has changed the server's connection between two
 * transactions, and does not keep statements itself.
 */
const NAME_FAULTS: ReadonlySet<string> = new Set(['26000', '42P05'])

/** Connects with the first call, and reconnects after a connection was lost. */
export function openPostgres({ url, logger, writersMax }: PostgresOptions): SqlDatabase {
  const settings: PoolConfig = {
    connectionString: url,
    application_name: 'engram',
    connectionTimeoutMillis: CONNECT_MS_MAX,
    query_timeout: STORAGE_MS_MAX,
    keepAlive: true,
    // Statements are sent without waiting for the previous answer.
    pipeline: true,
    types: { getTypeParser: (oid: number) => parserOf(oid) }
  }
  const writers = createPool({ ...settings, max: writersMax }, logger)
  const readers = createPool({ ...settings, max: READERS_MAX }, logger)
  // Reads run outside of transactions. If this fails, the connection is broken, and so the read that follows fails.
  readers.on('connect', (client) => void client.query(`set ${STATEMENT_TIMEOUT}`).catch(() => undefined))
  let isNaming = true
  let closing: Promise<void> | undefined

  async function transaction<Result>(work: (connection: SqlConnection) => Promise<Result>): Promise<Result> {
    const client = await connect(writers)
    const connection = connectionOf(client, isNaming)
    try {
      const [, result] = await Promise.all([connection.simple(BEGIN), work(connection)])
      await commit(client)
      client.release()
      return result
    } catch (error) {
      connection.end()
      // A connection that did not answer is closed, which rolls back: a rollback statement would mean a second wait for an answer.
      const isAnswering = !(error instanceof DatabaseError) || error.isRefusal || error.code === ROLLED_BACK
      const isRolledBack = isAnswering && (await hasSucceeded(client.query('rollback')))
      client.release(!isRolledBack)
      throw error
    }
  }

  async function read<Result>(work: (connection: SqlConnection) => Promise<Result>): Promise<Result> {
    const client = await connect(readers)
    try {
      const result = await work(connectionOf(client, isNaming))
      client.release()
      return result
    } catch (error) {
      client.release(!(error instanceof DatabaseError && error.isRefusal))
      throw error
    }
  }

  /** Runs again without names what a pooler refused because of a name. Nothing of it has been committed. */
  async function withoutNamesIfRefused<Result>(run: () => Promise<Result>): Promise<Result> {
    const wasNaming = isNaming
    try {
      return await run()
    } catch (error) {
      if (!wasNaming || !(error instanceof DatabaseError) || !NAME_FAULTS.has(error.code)) throw error
      if (isNaming) logger.warn({ code: error.code }, 'The database keeps no named statements: each is planned anew')
      isNaming = false
      return run()
    }
  }

  return {
    transaction: (work) => withoutNamesIfRefused(() => transaction(work)),
    read: (work) => withoutNamesIfRefused(() => read(work)),
    async lockSchema(connection) {
      await connection.run({ name: null, sql: 'select pg_advisory_xact_lock($1)', parameters: [SCHEMA_LOCK] })
    },
    async purge() {
      const client = await connect(readers)
      try {
        // Takes as long as the tables are large. The connection is not reused.
        await client.query('set statement_timeout = 0')
        await client.query({ text: 'vacuum actor_records, actor_rows, actor_tombstones', query_timeout: PURGE_MS_MAX } as { text: string })
      } catch (error) {
        throw failure(error)
      } finally {
        client.release(true)
      }
    },
    async emptyLog() {},
    close: () => (closing ??= Promise.all([writers.end(), readers.end()]).then(() => undefined))
  }
}

/** One hour: enough for a table of some hundred gigabytes. */
const PURGE_MS_MAX = 3_600_000

function createPool(config: PoolConfig, logger: Logger): Pool {
  const pool = new Pool(config)
  // An idle connection that breaks is replaced by the next call. Without a listener its 'error' event would end the process.
  pool.on('error', (error) => logger.warn({ code: failure(error).code }, 'An idle database connection was lost'))
  // If it breaks while in use, its query fails and reports that.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return pool
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw failure(error)
  }
}

interface Connection extends SqlConnection {
  simple(sql: string): Promise<void>
  /** Refuses further statements: work that continues after its transaction failed must not write outside of it. */
  end(): void
}

/** `isNaming`: the server keeps the plans of named statements. */
function connectionOf(client: PoolClient, isNaming: boolean): Connection {
  let hasEnded = false
  /** The root failure: later statements are only told that the transaction has failed. */
  let first: DatabaseError | undefined
  return {
    async run({ name, sql, parameters }) {
      if (hasEnded) throw new DatabaseError('TRANSACTION_ENDED', { isRefusal: false })
      try {
        const { rows } = await client.query({ ...(name !== null && isNaming && { name }), text: sql, values: [...parameters] })
        return rows as unknown[]
      } catch (error) {
        throw (first ??= failure(error))
      }
    },
    async simple(sql) {
      try {
        await client.query(sql)
      } catch (error) {
        throw (first ??= failure(error))
      }
    },
    end() {
      hasEnded = true
    }
  }
}

/** A commit without an answer may or may not have happened. */
async function commit(client: PoolClient): Promise<void> {
  let command: string
  try {
    command = (await client.query('commit')).command
  } catch (error) {
    throw new DatabaseError(failure(error).code, { isRefusal: false })
  }
  // The server answers the commit of a failed transaction with ROLLBACK instead of an error.
  if (command !== 'COMMIT') throw new DatabaseError(ROLLED_BACK, { isRefusal: false })
}

function failure(error: unknown): DatabaseError {
  const code = codeIn(error) ?? 'CONNECTION_LOST'
  return new DatabaseError(code, { isRefusal: REFUSALS.test(code) })
}

function parserOf(oid: number): (text: string) => unknown {
  if (oid === BYTEA) return (text) => Buffer.from(text.slice(2), 'hex')
  if (INTEGERS.has(oid)) return Number
  return (text) => text
}
