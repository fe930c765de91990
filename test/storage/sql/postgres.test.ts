import t from 'tap'
import type { Logger } from '../../../src/ports.js'
import type { SqlConnection, SqlDatabase } from '../../../src/storage/sql/database.js'
import { openPostgres } from '../../../src/storage/sql/postgres.js'
import { allNeed } from '../../support/needs.js'
import { type PostgresServer, startPostgres } from '../../support/postgres.js'

const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

allNeed(t, 'initdb')
cases()

function cases(): void {
  let server: PostgresServer
  let url: string
  let database: SqlDatabase
  t.before(async () => {
    server = await startPostgres()
  })
  t.teardown(() => server.stop())
  t.beforeEach(async () => {
    url = await server.createDatabase()
    await server.run(url, 'create table notes (text text unique)')
    database = openPostgres({ url, logger, writersMax: 1 })
  })
  t.afterEach(async () => {
    await database.close()
    await server.dropDatabase(url)
  })

  t.test('a transaction flushes its log before it is acknowledged, whatever the database has as its default', async (t) => {
    await database.close()
    await server.run(
      url,
      `do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$;
      do $$ begin execute format('alter database %I set default_transaction_isolation = serializable', current_database()); end $$;
      create function noted() returns trigger language plpgsql as
        $$ begin new.text := current_setting('synchronous_commit') || ', ' || current_setting('transaction_isolation'); return new; end $$;
      create trigger noted before insert on notes for each row execute function noted()`
    )
    database = openPostgres({ url, logger, writersMax: 1 })
    await database.transaction((connection) => note(connection, 'anything'))
    t.same(await server.run(url, 'select text from notes'), [{ text: 'on, read committed' }])
  })

  t.test('the server ends what takes longer than a client waits', async (t) => {
    const setting = async (connection: SqlConnection, name: string) =>
      (await connection.run({ name: null, sql: 'select current_setting($1) as setting', parameters: [name] }))[0]
    t.same(await database.read((connection) => setting(connection, 'statement_timeout')), { setting: '4s' })
    t.same(await database.transaction((connection) => setting(connection, 'statement_timeout')), { setting: '4s' })
    t.same(await database.transaction((connection) => setting(connection, 'idle_in_transaction_session_timeout')), { setting: '4s' })
  })

  t.test('a commit that the server answers by rolling back is none', async (t) => {
    const transaction = database.transaction(async (connection) => {
      await note(connection, 'a')
      await note(connection, 'a').catch(() => undefined)
    })
    await t.rejects(transaction, { code: 'ROLLED_BACK', isRefusal: false })
    t.same(await server.run(url, 'select text from notes'), [])
    t.equal(await database.transaction(async () => 'the next one is well'), 'the next one is well')
  })

  t.test('work that goes on after its transaction failed writes nothing', async (t) => {
    const late: SqlConnection[] = []
    const transaction = database.transaction(async (connection) => {
      late.push(connection)
      throw new Error('enough')
    })
    await t.rejects(transaction, { message: 'enough' })
    for (const connection of late) await t.rejects(note(connection, 'b'), { code: 'TRANSACTION_ENDED' })
    t.equal(late.length, 1)
    t.same(await server.run(url, 'select text from notes'), [])
  })
}

async function note(connection: SqlConnection, text: string): Promise<void> {
  await connection.run({ name: null, sql: 'insert into notes values ($1)', parameters: [text] })
}
