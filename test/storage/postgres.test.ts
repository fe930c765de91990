import { inspect } from 'node:util'
import t from 'tap'
import { createSystemClock } from '../../src/platform/clock.js'
import type { Logger } from '../../src/ports.js'
import { createSqlStorage } from '../../src/storage/sql/storage.js'
import { allNeed } from '../support/needs.js'
import { type PostgresServer, startPostgres } from '../support/postgres.js'
import { until } from '../support/until.js'
import { activated, at, codeOf, created, headed } from './contract-cases.js'
import { postgresContract } from './postgres-contract.js'
import { sqlContract } from './sql-contract.js'
import { migrationContract } from './sql-migrations.js'

const clock = createSystemClock()
const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

allNeed(t, 'initdb')
cases()

function cases(): void {
  let server: PostgresServer
  t.before(async () => {
    server = await startPostgres()
  })
  t.teardown(() => server.stop())

  postgresContract('postgres', () => server)

  let lastUrl = ''
  const openSql = async () => {
    const url = await server.createDatabase()
    lastUrl = url
    const [storage, other] = await Promise.all([createSqlStorage({ url, clock, logger }), createSqlStorage({ url, clock, logger })])
    const run = (sql: string) => server.run(url, sql)
    const count = async (table: string) => Number((await run(`select count(*) as n from ${table}`))[0]?.['n'])
    return { url, storage, other, run, count, stop: () => server.dropDatabase(url) }
  }
  sqlContract('postgres', {
    open: openSql,
    reopen: () => createSqlStorage({ url: lastUrl, clock, logger }),
    refuseAuditOf: (id) => `alter table audit_entries add constraint refused check (entry not like '%"session_id":"${id}"%')`,
    unguard: 'drop trigger audit_entries_append_only on audit_entries'
  })

  migrationContract('postgres', async () => {
    const url = await server.createDatabase()
    return {
      run: (sql) => server.run(url, sql),
      async explain(sql) {
        // PostgreSQL would scan a table as small as a test's.
        await server.run(url, `do $$ begin execute format('alter database %I set enable_seqscan = off', current_database()); end $$`)
        return JSON.stringify(await server.run(url, `explain ${sql}`))
      },
      openStorage: () => createSqlStorage({ url, clock, logger }),
      stop: () => server.dropDatabase(url)
    }
  })

  t.test('postgres: a purge vacuums every table that holds what users said', async (t) => {
    const { storage, other, run, stop } = await openSql()
    await storage.purge()
    const vacuumed = await run(
      `select relname from pg_class where relname like 'actor\\_%' and relkind = 'r' and reltuples >= 0 order by 1`
    )
    t.same(vacuumed, [{ relname: 'actor_records' }, { relname: 'actor_rows' }, { relname: 'actor_tombstones' }])
    await Promise.all([storage.close(), other.close()])
    await stop()
  })

  t.test('postgres: a server killed while commits are under way keeps every one that it acknowledged', async (t) => {
    const { storage, other, stop } = await openSql()
    const ids = Array.from({ length: 16 }, (_, n) => `s${n}`)
    const acknowledged = new Map<string, number>()
    let commits = 0
    let underway: () => void = () => undefined
    const isUnderway = new Promise<void>((resolve) => {
      underway = resolve
    })
    const writers = ids.map(async (id) => {
      let token = await created(storage, at(id), headed(0))
      acknowledged.set(id, 0)
      for (let n = 1; ; n++) {
        token = await storage.commit(at(id), token, headed(n))
        acknowledged.set(id, n)
        if (++commits === 200) underway()
      }
    })
    const ends = Promise.all(writers.map(codeOf))
    await isUnderway
    await server.kill()
    t.same(new Set(await ends), new Set(['storage_unavailable']))
    t.equal(await codeOf(storage.check()), 'storage_unavailable')
    await server.start()
    for (const id of ids) {
      const { head } = await activated(storage, at(id))
      const last = acknowledged.get(id) ?? 0
      t.ok(head === last || head === last + 1, `${id}: ${String(head)} after ${last}`)
    }
    await Promise.all([storage.close(), other.close()])
    await stop()
  })

  t.test('postgres: a server that stops answering fails what waits and is found again', async (t) => {
    const { storage, other, stop } = await openSql()
    const token = await created(storage, at('a'))
    server.pause()
    t.same(await Promise.all([codeOf(storage.commit(at('a'), token, headed(1))), codeOf(storage.check()), codeOf(other.peek(at('a')))]), [
      'storage_unavailable',
      'storage_unavailable',
      'storage_unavailable'
    ])
    server.resume()
    const record = await activated(other, at('a'))
    t.equal(await codeOf(storage.commit(at('a'), token, headed(2))), 'fenced')
    t.equal((await other.commit(at('a'), record.token, headed(3))).version, record.token.version + 1)
    await Promise.all([storage.close(), other.close()])
    await stop()
  })

  t.test('postgres: a server that takes no writes any more fails its check until it does', async (t) => {
    const { url, storage, other, stop } = await openSql()
    const token = await created(storage, at('a'))
    await server.run(url, 'alter system set default_transaction_read_only = on')
    await server.run(url, 'select pg_reload_conf()')
    // Its connections notice one after the other, so any of these writes may be the first that is refused.
    await until(
      async () => (await codeOf(storage.create(at('b'), headed(0)))) !== 'fulfilled',
      () => codeOf(activated(storage, at('b')).then(({ token: taken }) => storage.remove(at('b'), taken)))
    )
    t.equal(await storage.verify(at('a'), token), true, 'it reads as ever')
    t.equal(await codeOf(storage.check()), 'storage_unavailable')
    t.equal(await codeOf(storage.check()), 'storage_unavailable', 'asking does not make it well')
    await server.run(url, 'alter system reset default_transaction_read_only')
    await server.run(url, 'select pg_reload_conf()')
    await until(
      async () => (await codeOf(storage.check())) === 'fulfilled',
      async () => t.equal(await storage.verify(at('a'), token), true)
    )
    t.ok(await storage.create(at('c'), headed(0)))
    await Promise.all([storage.close(), other.close()])
    await stop()
  })

  t.test('postgres: a server that cannot be reached is refused without its address', async (t) => {
    const { url, storage, other } = await openSql()
    await Promise.all([storage.close(), other.close()])
    await server.kill()
    const error = await createSqlStorage({ url: url.replace('postgres@', 'postgres:secret@'), clock, logger }).catch(
      (cause: unknown) => cause
    )
    t.match(error, { code: 'storage_unavailable', cause: { code: 'ECONNREFUSED' } })
    t.notMatch(inspect(error, { depth: 9 }), /127\.0\.0\.1|secret/)
    await server.start()
  })
}
