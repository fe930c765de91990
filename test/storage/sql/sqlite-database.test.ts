import { chmodSync, closeSync, openSync, readdirSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import t from 'tap'
import { skippedFor } from '../../support/needs.js'
import { openSqlite } from '../../../src/storage/sql/sqlite-database.js'

/** The values that SQLite's own documentation gives the settings. */
const SETTINGS = [
  { name: 'journal_mode', value: 'wal', meaning: 'a commit is one flush of the log' },
  { name: 'synchronous', value: 2, meaning: 'FULL: a commit is flushed before it is acknowledged' },
  { name: 'secure_delete', value: 1, meaning: 'ON: what is removed is overwritten with zeros' }
]

for (const { name, value, meaning } of SETTINGS) {
  t.test(`sqlite: every connection has ${name}, ${meaning}`, async (t) => {
    const path = join(t.testdir(), 'records.db')
    // The second one finds a file that is there already.
    for (const state of ['new', 'known']) {
      const database = openSqlite(path)
      const [row] = await database.read((connection) => connection.run({ name: null, sql: `pragma ${name}`, parameters: [] }))
      t.same(row, { [name]: value }, state)
      await database.close()
    }
  })
}

t.test('sqlite: a file that may not grow beyond so many bytes has as many whole pages, and at least one', async (t) => {
  const pagesOf = async (fileBytesMax: number) => {
    const database = openSqlite(join(t.testdir(), 'records.db'), fileBytesMax)
    const ask = async (name: string) => {
      const [row] = await database.read((connection) => connection.run({ name: null, sql: `pragma ${name}`, parameters: [] }))
      return (row as Readonly<Record<string, number>> | undefined)?.[name] ?? NaN
    }
    const found = { pageBytes: await ask('page_size'), pages: await ask('max_page_count') }
    await database.close()
    return found
  }
  const { pageBytes } = await pagesOf(1_000_000)
  t.equal((await pagesOf(10.5 * pageBytes)).pages, 10)
  t.equal((await pagesOf(1)).pages, 1)
})

t.test('sqlite: a new file is its owner alone to read, with all beside it; one that is there keeps its mode', async (t) => {
  const modeOf = (path: string) => statSync(path).mode & 0o777
  const path = join(t.testdir({ 'shared.db': '' }), 'records.db')
  const shared = path.replace('records', 'shared')
  chmodSync(shared, 0o640)
  for (const [file, mode] of [
    [path, 0o600],
    [shared, 0o640]
  ] as const) {
    const database = openSqlite(file)
    await database.transaction((connection) => connection.run({ name: null, sql: 'create table a (b)', parameters: [] }))
    for (const end of ['', '-wal', '-shm']) t.equal(modeOf(`${file}${end}`), mode, end)
    await database.close()
  }
})

t.test('sqlite: a file that cannot be opened is told by its code', (t) => {
  t.throws(() => openSqlite(join(t.testdir(), 'nowhere', 'records.db')), { code: 'SQLITE_CANTOPEN', isRefusal: false })
  t.end()
})

t.test('sqlite: nothing is written into a file that was moved or replaced, until it is in its place again', async (t) => {
  const path = join(t.testdir(), 'records.db')
  const database = openSqlite(path)
  t.teardown(() => database.close())
  const run = (sql: string) => database.transaction((connection) => connection.run({ name: null, sql, parameters: [] }))
  await run('create table kept (id integer primary key)')
  renameSync(path, `${path}.moved`)
  await t.rejects(run('insert into kept values (1)'), { code: 'SQLITE_READONLY_DBMOVED', isRefusal: false }, 'moved')
  writeFileSync(path, '')
  await t.rejects(run('insert into kept values (2)'), { code: 'SQLITE_READONLY_DBMOVED' }, 'replaced')
  renameSync(`${path}.moved`, path)
  await run('insert into kept values (3)')
  const kept = await database.read((connection) => connection.run({ name: null, sql: 'select id from kept', parameters: [] }))
  t.same(kept, [{ id: 3 }])
})

t.test('sqlite: the log is emptied between statements, and stays while another process reads from it', async (t) => {
  const path = join(t.testdir(), 'records.db')
  const database = openSqlite(path)
  const reader = new Database(path)
  t.teardown(async () => {
    reader.close()
    await database.close()
  })
  const run = (sql: string) => database.transaction((connection) => connection.run({ name: null, sql, parameters: [] }))
  const logBytes = () => statSync(`${path}-wal`).size
  await run('create table kept (id integer primary key)')
  await run('insert into kept values (1)')
  reader.exec('begin')
  t.same(reader.prepare('select id from kept').all(), [{ id: 1 }])
  await run('insert into kept values (2)')
  await database.emptyLog()
  t.not(logBytes(), 0)
  t.same(await database.read((connection) => connection.run({ name: null, sql: 'pragma busy_timeout', parameters: [] })), [
    { timeout: 4_000 }
  ])
  reader.exec('commit')
  await database.emptyLog()
  t.equal(logBytes(), 0)
  t.same(reader.prepare('select id from kept').all(), [{ id: 1 }, { id: 2 }])
})

const hasNoDescriptors = process.platform === 'linux' ? null : 'Open files are not listed here'

t.test(
  'sqlite: a page that the disk does not give is an error, not an empty answer, and is read once it does',
  skippedFor(hasNoDescriptors),
  async (t) => {
    const path = join(t.testdir(), 'records.db')
    const database = openSqlite(path)
    t.teardown(() => database.close())
    const run = (sql: string) => database.transaction((connection) => connection.run({ name: null, sql, parameters: [] }))
    await run('create table kept (id integer primary key, body blob)')
    await run(
      'with recursive n(n) as (values (1) union all select n + 1 from n where n < 4000) insert into kept select n, zeroblob(3000) from n'
    )
    await database.purge()
    const find = (id: number) =>
      database.read((connection) =>
        connection.run({ name: null, sql: `select id, length(body) as size from kept where id = ${id}`, parameters: [] })
      )

    const descriptor = descriptorOf(path)
    // The same number, for a file that is open to be written only: each read of it fails.
    closeSync(descriptor)
    t.equal(openSync(path, 'a'), descriptor)
    for (let id = 1; id <= 1_000; id += 100) await t.rejects(find(id), { code: /^SQLITE_IOERR/ })
    closeSync(descriptor)
    t.equal(openSync(path, 'r+'), descriptor)
    for (let id = 1; id <= 1_000; id += 100) t.same(await find(id), [{ id, size: 3_000 }])
  }
)

/** Of this process, for the file that the database has open. */
function descriptorOf(path: string): number {
  const found = readdirSync('/proc/self/fd').find((name) => {
    try {
      return realpathSync(`/proc/self/fd/${name}`) === realpathSync(path)
    } catch {
      return false
    }
  })
  if (found === undefined) throw new Error('The file is not open')
  return Number(found)
}
