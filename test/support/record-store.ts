/** The SQL adapter's record store over SQLite, in a temporary file. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { RecordStore } from '../../src/storage/sql/operations.js'
import { createPlan } from '../../src/storage/sql/plan.js'
import { createRecordStore } from '../../src/storage/sql/record-store.js'
import { openSqlite } from '../../src/storage/sql/sqlite-database.js'

/** Opens an empty store; closed when the test ends. */
export async function openRecordStore(t: Test): Promise<RecordStore> {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'))
  const store = createRecordStore(openSqlite(join(folder, 'records.db')), createPlan('sqlite'))
  await store.migrate()
  t.teardown(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  return store
}
