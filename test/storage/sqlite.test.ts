import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import Database from 'libsql'
import t, { type Test } from 'tap'
import { createSystemClock } from '../../src/platform/clock.js'
import type { Logger } from '../../src/ports.js'
import { createSqlStorage } from '../../src/storage/sql/storage.js'
import { activated, at, codeOf, created, headed, row } from './contract-cases.js'
import { storageContract } from './contract.js'
import { EMPTYING, sqlContract } from './sql-contract.js'
import { migrationContract } from './sql-migrations.js'

const clock = createSystemClock()
const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

let lastPath = ''

async function openSql() {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'))
  const path = join(folder, 'records.db')
  lastPath = path
  const open = () => createSqlStorage({ url: `sqlite:${path}`, clock, logger })
  const [storage, other] = await Promise.all([open(), open()])
  const run = (sql: string) => runSql(path, sql)
  return { folder, storage, other, run, count: (table: string) => countRows(path, table), stop: () => rm(folder, { recursive: true }) }
}

async function countRows(path: string, table: string): Promise<number> {
  const database = new Database(path)
  try {
    return (database.prepare(`select count(*) as n from ${table}`).get() as { readonly n: number }).n
  } finally {
    database.close()
  }
}

async function runSql(path: string, sql: string): Promise<void> {
  const database = new Database(path)
  try {
    database.exec(`pragma busy_timeout = 4000; ${sql}`)
  } finally {
    database.close()
  }
}

storageContract('sqlite', {
  async open() {
    const opened = await openSql()
    return { ...opened, empty: () => opened.run(EMPTYING) }
  }
})

sqlContract('sqlite', {
  open: openSql,
  reopen: () => createSqlStorage({ url: `sqlite:${lastPath}`, clock, logger }),
  refuseAuditOf: (id) =>
    `create trigger refused before insert on audit_entries when new.entry like '%"session_id":"${id}"%' begin select raise(abort, 'refused'); end`,
  unguard: 'drop trigger audit_entries_no_update; drop trigger audit_entries_no_delete'
})

migrationContract('sqlite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'))
  const path = join(folder, 'records.db')
  return {
    run: (sql) => runSql(path, sql),
    async explain(sql) {
      const database = new Database(path)
      try {
        return JSON.stringify(database.prepare(`explain query plan ${sql}`).all([]))
      } finally {
        database.close()
      }
    },
    openStorage: () => createSqlStorage({ url: `sqlite:${path}`, clock, logger }),
    stop: () => rm(folder, { recursive: true })
  }
})

async function opened(t: Test, options: { readonly fileBytesMax?: number; readonly logger?: Logger } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'))
  const storage = await createSqlStorage({ url: `sqlite:${join(folder, 'records.db')}`, clock, logger, ...options })
  t.teardown(async () => {
    await storage.close()
    await rm(folder, { recursive: true })
  })
  return { folder, storage }
}

t.test('sqlite: a full disk refuses what does not fit, writes nothing of it, and goes on', async (t) => {
  const { storage } = await opened(t, { fileBytesMax: 1024 * 1024 })
  const tokens = await Promise.all(['a', 'b', 'c'].map((id) => created(storage, at(id), headed('before', [row('kept', 0)]))))
  const large = new Uint8Array(2 * 1024 * 1024)
  const codes = await Promise.all(
    ['a', 'b', 'c'].map((id, n) => {
      const put = id === 'b' ? [row('small', 1), row('large', large)] : [row('small', 1)]
      return codeOf(storage.commit(at(id), tokens[n] as (typeof tokens)[0], { ...headed('after', put), clear: true }))
    })
  )
  t.same(codes, ['fulfilled', 'storage_unavailable', 'fulfilled'])
  await t.resolves(storage.check(), 'there is room for smaller ones')
  const record = await activated(storage, at('b'))
  t.equal(record.head, 'before')
  t.same(record.rows, [row('kept', 0)])
  await t.resolves(storage.commit(at('b'), record.token, headed('later')))
  await t.resolves(storage.check())
})

t.test('sqlite: an outage is said once with its code, and so is its end', async (t) => {
  const said: unknown[] = []
  const { folder, storage } = await opened(t, {
    logger: { ...logger, warn: (...line) => said.push(line), info: (...line) => said.push(line) }
  })
  const token = await created(storage, at('a'), headed('before'))
  const path = join(folder, 'records.db')
  await rename(path, `${path}.moved`)
  for (let n = 0; n < 3; n++) t.equal(await codeOf(storage.commit(at('a'), token, headed('away'))), 'storage_unavailable')
  await t.rejects(storage.check(), { code: 'storage_unavailable' })
  await rename(`${path}.moved`, path)
  for (let n = 0; n < 2; n++) await t.resolves(storage.check())
  await storage.commit(at('a'), token, headed('after'))
  t.same(said, [
    [{ code: 'SQLITE_READONLY_DBMOVED' }, 'The database does not take writes'],
    [{}, 'The database takes writes again']
  ])
})

for (const clearing of ['purge', 'sweep'] as const)
  t.test(`sqlite: what was removed is in none of its files after a ${clearing}`, async (t) => {
    const { folder, storage } = await opened(t)
    const text = 'the secret of the blue teapot'
    const vector = Float32Array.from({ length: 384 }, (_, n) => Math.sin(n * 7.3))
    const needles = [Buffer.from(text), Buffer.from(vector.buffer, 40, 64)]
    const found = async () => {
      const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))))
      return needles.map((needle) => files.some((bytes) => bytes.includes(needle)))
    }
    const fillers = Array.from({ length: 200 }, (_, n) =>
      row(`f${n}`, { text: `filler ${n}`, vector: vector.map((value) => value + n + 1) })
    )
    const first = await created(storage, at('a'), headed({ recent: text }, [...fillers, row('secret', { text, vector })]))
    t.same(await found(), [true, true])
    await storage.commit(at('a'), first, { head: { recent: '' }, put: [], remove: [{ collection: 'memories', id: 'secret' }] })
    await storage[clearing]()
    t.same(await found(), [false, false])
    t.equal((await activated(storage, at('a'))).rows.length, 200)
  })

t.test('sqlite: rows of all sizes removed and replaced in any order are in none of its files after a purge', async (t) => {
  const { folder, storage } = await opened(t)
  const mark = (n: number, life: string) => `<${life} of row ${n}>`
  const body = (n: number, life: string) => mark(n, life).repeat(1 + ((n * 37) % 11) ** 3)
  let token = await created(
    storage,
    at('a'),
    headed(
      0,
      Array.from({ length: 600 }, (_, n) => row(String(n), body(n, 'first')))
    )
  )
  for (let step = 0; step < 30; step++) {
    const mine = Array.from({ length: 600 }, (_, n) => n).filter((n) => (n * 7) % 30 === step)
    const put = mine.filter((n) => n % 3 === 1).map((n) => row(String(n), body(n + 1, 'second')))
    const remove = mine.filter((n) => n % 3 === 2).map((n) => ({ collection: 'memories', id: String(n) }))
    token = await storage.commit(at('a'), token, { head: step, put, remove })
  }
  await storage.purge()
  const files = Buffer.concat(await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name)))))
  const left = Array.from({ length: 600 }, (_, n) => n).filter((n) => n % 3 !== 0 && files.includes(mark(n, 'first')))
  t.same(left, [])
  t.ok(files.includes(mark(0, 'first')), 'what was kept is there')
})

t.test('sqlite: a new file that another process writes to is opened when that one is done', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'))
  const path = join(folder, 'records.db')
  // Its journal is not switched yet, as in the moment in which two processes open the same new file.
  const writer = new Database(path)
  t.teardown(async () => {
    writer.close()
    await rm(folder, { recursive: true })
  })
  writer.exec('create table other (id integer); begin immediate')
  let isSettled = false
  const opening = createSqlStorage({ url: `sqlite:${path}`, clock, logger }).finally(() => (isSettled = true))
  opening.catch(() => {})
  // Three that begin later, one after the other: when they are done, the first has met the writer.
  for (let n = 0; n < 3; n++) await opened(t)
  t.equal(isSettled, false)
  writer.exec('commit')
  const storage = await opening
  await t.resolves(storage.check())
  await storage.close()
})

t.test('sqlite: a file that cannot be opened is refused without its path', async (t) => {
  const error = await createSqlStorage({ url: 'sqlite:/nowhere/at/all/records.db', clock, logger }).catch((cause: unknown) => cause)
  t.match(error, { code: 'storage_unavailable' })
  t.notMatch(inspect(error, { depth: 9 }), /nowhere/)
})

t.test('sqlite: an address of another sort is refused', async (t) => {
  await t.rejects(createSqlStorage({ url: 'mysql://somewhere', clock, logger }), /must begin with sqlite: or postgres:/)
})

t.test('sqlite: the event loop goes on while a transaction is under way', async (t) => {
  const { folder, storage } = await opened(t)
  const token = await created(storage, at('a'))
  const holder = new Database(join(folder, 'records.db'))
  t.teardown(() => holder.close())
  // The transaction waits for this one, which ends with an iteration of the event loop.
  holder.exec('begin immediate')
  const committed = storage.commit(at('a'), token, headed(1))
  for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve))
  holder.exec('rollback')
  t.equal((await committed).version, token.version + 1)
})
