import { join } from 'node:path'
import t from 'tap'
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
