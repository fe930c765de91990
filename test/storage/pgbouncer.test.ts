/** PostgreSQL behind PgBouncer, which gives each transaction another connection: the storage keeps its contract. */
import t from 'tap'
import type { Logger } from '../../src/ports.js'
import { openPostgres } from '../../src/storage/sql/postgres.js'
import { allNeed } from '../support/needs.js'
import { type Pgbouncer, startPgbouncer } from '../support/pgbouncer.js'
import { type PostgresServer, startPostgres } from '../support/postgres.js'
import { postgresContract } from './postgres-contract.js'

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }

allNeed(t, 'initdb', 'pgbouncer')
cases()

function cases(): void {
  let server: PostgresServer
  let pooler: Pgbouncer
  t.before(async () => {
    server = await startPostgres()
    pooler = await startPgbouncer(await server.createDatabase())
  })
  t.teardown(async () => {
    await pooler.stop()
    await server.stop()
  })

  postgresContract(
    'pgbouncer',
    () => server,
    (url) => pooler.urlOf(url)
  )

  t.test('statements lose their names once the pooler refuses one, and what was refused is done once', async (t) => {
    const url = await server.createDatabase()
    await server.run(url, 'create table notes (text text)')
    const warned: unknown[] = []
    const logger = { ...silent, warn: (...given: unknown[]) => void warned.push(given) }
    const databases = [0, 1].map(() => openPostgres({ url: pooler.urlOf(url), logger, writersMax: 2 }))
    const note = (text: string) => ({ name: 'note', sql: 'insert into notes values ($1)', parameters: [text] })
    const texts = Array.from({ length: 40 }, (_, number) => String(number).padStart(2, '0'))
    const writes = databases.flatMap((database, at) =>
      texts.filter((_, number) => number % 2 === at).map((text) => database.transaction((connection) => connection.run(note(text))))
    )
    await Promise.all(writes)
    t.same(
      await server.run(url, 'select text from notes order by 1'),
      texts.map((text) => ({ text }))
    )
    t.ok(warned.length === 1 || warned.length === 2, 'at most once for each node')
    for (const one of warned) t.match(one, [{ code: /^(26000|42P05)$/ }, 'The database keeps no named statements: each is planned anew'])
    await Promise.all(databases.map((database) => database.close()))
    await server.dropDatabase(url)
  })
}
