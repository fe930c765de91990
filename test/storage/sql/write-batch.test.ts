/** What each guard of a write is for: with it the harm does not happen, and taken out of the compiled statements it does. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { AuditEntry } from '../../../src/ports.js'
import type { SqlConnection, SqlDatabase } from '../../../src/storage/sql/database.js'
import type { EncodedChanges, RecordStore, WriteOperation, WriteResult } from '../../../src/storage/sql/operations.js'
import { createPlan, type Plan } from '../../../src/storage/sql/plan.js'
import { createRecordStore } from '../../../src/storage/sql/record-store.js'
import { auditsOf } from '../../../src/storage/sql/write-batch.js'
import { openSqlite } from '../../../src/storage/sql/sqlite-database.js'
import { at, SUBJECT } from '../contract-cases.js'

const PLAN = createPlan('sqlite')
const ENTRY: AuditEntry = { action: 'run', userId: 'u', sessionId: 'a', requestId: 'r', timestamp: 1, digest: '', size: 0 }

async function open(t: Test, plan: Plan, database: (file: SqlDatabase) => SqlDatabase = (file) => file): Promise<RecordStore> {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'))
  const store = createRecordStore(database(openSqlite(join(folder, 'records.db'))), plan)
  await store.migrate()
  t.teardown(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  return store
}

function without(condition: 'epoch' | 'version'): Plan {
  const { commit } = PLAN.statements
  const sql = commit.sql.replace(`"actor_records"."${condition}" = ?`, '? > 0')
  if (sql === commit.sql) throw new Error('The statement has no such condition')
  return { ...PLAN, statements: { ...PLAN.statements, commit: { ...commit, sql } } }
}

/** Writes the audit trail in a transaction of its own, after the one with the state. */
function auditingLater(file: SqlDatabase): SqlDatabase {
  return {
    ...file,
    async transaction(work) {
      const later: Parameters<SqlConnection['run']>[0][] = []
      const result = await file.transaction((connection) =>
        work({
          run: async (bound) => {
            if (bound.name?.startsWith('append_audit') !== true) return connection.run(bound)
            later.push(bound)
            return []
          }
        })
      )
      if (later.length > 0) await file.transaction((connection) => Promise.all(later.map((bound) => connection.run(bound))))
      return result
    }
  }
}

function changes(head: number, audit: readonly AuditEntry[] = []): EncodedChanges {
  return { head: Uint8Array.of(head), put: [], remove: [], clear: false, audit, wakes: false, bytes: 1 }
}

async function write(store: RecordStore, operation: WriteOperation): Promise<WriteResult> {
  return (await store.write([operation]))[0] as WriteResult
}

/** A writer that was overtaken by an activation commits: what became of it, and the head. */
async function overtaken(store: RecordStore) {
  const first = await write(store, { action: 'create', address: at('a'), changes: changes(0) })
  await write(store, { action: 'activate', address: at('a') })
  return lateCommit(store, first)
}

/** A writer commits twice on one token. */
async function repeated(store: RecordStore) {
  const first = await write(store, { action: 'create', address: at('a'), changes: changes(0) })
  if (first.outcome === 'written') await write(store, { action: 'commit', address: at('a'), token: first.token, changes: changes(0) })
  return lateCommit(store, first)
}

async function lateCommit(store: RecordStore, first: WriteResult) {
  if (first.outcome !== 'written') throw new Error('The record was not created')
  const { outcome } = await write(store, { action: 'commit', address: at('a'), token: first.token, changes: changes(9) })
  return { outcome, head: (await store.peek(at('a')))?.[0] }
}

/** The place of the next entry is taken, so the trail refuses it. */
async function refusedByTrail(t: Test, database?: (file: SqlDatabase) => SqlDatabase) {
  let connection: SqlDatabase | undefined
  const store = await open(t, PLAN, (file) => (connection = database === undefined ? file : database(file)))
  const first = await write(store, { action: 'create', address: at('a'), changes: changes(0, [ENTRY]) })
  if (first.outcome !== 'written') throw new Error('The record was not created')
  await connection?.transaction((own) => own.run({ name: null, sql: 'update audit_heads set seq = 0', parameters: [] }))
  const { outcome } = await write(store, { action: 'commit', address: at('a'), token: first.token, changes: changes(9, [ENTRY]) })
  return {
    outcome,
    head: (await store.peek(at('a')))?.[0],
    entries: (await store.auditRows({ subject: SUBJECT, after: 0, limit: 9 })).length
  }
}

t.test('a late writer that the epoch condition holds up gets through without it', async (t) => {
  t.same(await overtaken(await open(t, PLAN)), { outcome: 'unchanged', head: 0 })
  t.same(await overtaken(await open(t, without('epoch'))), { outcome: 'written', head: 9 })
})

t.test('a repeated commit that the version condition holds up gets through without it', async (t) => {
  t.same(await repeated(await open(t, PLAN)), { outcome: 'unchanged', head: 0 })
  t.same(await repeated(await open(t, without('version'))), { outcome: 'written', head: 9 })
})

t.test('a state whose audit entry is refused goes with it, and stays without the shared transaction', async (t) => {
  t.same(await refusedByTrail(t), { outcome: 'failed', head: 0, entries: 1 })
  t.match(await refusedByTrail(t, auditingLater), { head: 9, entries: 1 })
})

t.test('two writes of one subject may have more audit entries than a call has arguments', async (t) => {
  const edit = {
    operation: { action: 'create', address: at('a'), changes: changes(0, new Array<AuditEntry>(200_000).fill(ENTRY)) }
  } as const
  t.equal(auditsOf([edit, edit]).get(SUBJECT)?.length, 400_000)
})
