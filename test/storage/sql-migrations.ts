/** Tests of opening a database with an earlier version of the schema. */
import t from 'tap'
import { addressKey } from '../../src/domain/address.js'
import { createPlan } from '../../src/storage/sql/plan.js'
import type { SqlDialect } from '../../src/storage/sql/statement.js'
import type { SqlStorage } from '../../src/storage/sql/storage.js'
import { activated, at, codeOf, created, headed, row, SUBJECT } from './contract-cases.js'
import { waking, walked } from './contract-wakes.js'

export interface OpenDatabase {
  /** Runs any number of SQL statements. */
  readonly run: (sql: string) => Promise<unknown>
  /** The database's query plan for a statement. */
  readonly explain: (sql: string) => Promise<string>
  readonly openStorage: () => Promise<SqlStorage>
  readonly stop: () => Promise<void>
}

interface Words {
  readonly whole: string
  readonly number: string
  readonly bytes: string
  readonly guards: readonly string[]
  hex(digits: string): string
}

const WORDS: Readonly<Record<SqlDialect, Words>> = {
  sqlite: {
    whole: 'integer',
    number: 'integer primary key',
    bytes: 'blob',
    guards: ['update', 'delete'].map(
      (action) => `create trigger "audit_entries_no_${action}" before ${action} on audit_entries
        begin select raise(abort, 'The audit trail is append-only'); end`
    ),
    hex: (digits) => `x'${digits}'`
  },
  postgres: {
    whole: 'bigint',
    number: 'bigint generated always as identity primary key',
    bytes: 'bytea',
    guards: [
      `create function audit_entries_refuse() returns trigger language plpgsql as
    $$ begin raise exception 'The audit trail is append-only'; end $$`,
      `create trigger audit_entries_append_only before update or delete or truncate on audit_entries
    for each statement execute function audit_entries_refuse()`
    ],
    hex: (digits) => `'\\x${digits}'`
  }
}

/** Schema of version 1 as it was published. Never update it. */
function versionOne({ whole, number, bytes, guards }: Words): string[] {
  const named = (name: string, type: string) => `"${name}" ${type} not null`
  const records = [
    named('kind', 'text'),
    ...['subject', 'id'].map((name) => named(name, bytes)),
    ...['epoch', 'version'].map((name) => named(name, whole)),
    named('is_deleted', 'integer'),
    named('head', bytes)
  ]
  const entries = [
    named('subject', bytes),
    named('seq', 'bigint'),
    ...['entry', 'previous_hash', 'hash'].map((name) => named(name, 'text'))
  ]
  return [
    `create table "actor_records" ("record" ${number}, ${records.join(', ')}, constraint "actor_records_address" unique ("kind", "subject", "id"))`,
    `create table "actor_rows" (${named('record', whole)}, ${['collection', 'row_id', 'body'].map((name) => named(name, bytes)).join(', ')}, constraint "actor_rows_name" primary key ("record", "collection", "row_id"))`,
    `create table "audit_entries" (${entries.join(', ')}, constraint "audit_entries_place" primary key ("subject", "seq"))`,
    `create table "audit_heads" ("subject" ${bytes} primary key, "seq" bigint not null, "hash" text not null)`,
    ...guards
  ]
}

const MIGRATIONS = 'create table "actor_migrations" ("version" integer primary key, "applied_at" text default current_timestamp not null)'

/** A record of epoch 3, version 5, head `{ n: 1 }` and one row, and a tombstone of epoch 7. */
function contents({ hex }: Words): string[] {
  const subject = hex(Buffer.from(SUBJECT).toString('hex'))
  const columns = '(kind, subject, id, epoch, version, is_deleted, head)'
  return [
    'insert into actor_migrations (version) values (1)',
    `insert into actor_records ${columns} values ('session', ${subject}, ${hex('61')}, 3, 5, 0, ${hex('81a16e01')}), ('session', ${subject}, ${hex('62')}, 7, 9, 1, ${hex('')})`,
    `insert into actor_rows (record, collection, row_id, body) select record, ${hex(Buffer.from('memories').toString('hex'))}, ${hex('72')}, ${hex('a36f6e65')} from actor_records where is_deleted = 0`
  ]
}

/** Runs the contract. `open` opens a new, empty database. */
export function migrationContract(dialect: SqlDialect, open: () => Promise<OpenDatabase>): void {
  const words = WORDS[dialect]
  const plan = createPlan(dialect)

  t.test(`${dialect}: a schema that was published is never changed`, async (t) => {
    t.strictSame(
      plan.migrations.versions[0]?.map(({ sql }) => sql),
      versionOne(words)
    )
  })

  t.test(`${dialect}: a database of version 1 keeps its records when it is opened and takes their wishes to be woken`, async (t) => {
    const { run, openStorage, stop } = await open()
    t.teardown(stop)
    await run([MIGRATIONS, ...versionOne(words), ...contents(words)].join(';\n'))
    const first = await openStorage()
    t.same(await walked(first), [])
    const record = await activated(first, at('a'))
    t.strictSame(record, { token: { epoch: 4, version: 5 }, head: { n: 1 }, rows: [row('r', 'one')] })
    t.equal(await codeOf(first.commit(at('b'), { epoch: 7, version: 9 }, waking())), 'fenced', 'the tombstone holds')
    t.equal((await created(first, at('b'), waking())).epoch, 8)
    const token = await first.commit(at('a'), record.token, waking({ n: 2 }))
    await first.close()

    const again = await openStorage()
    t.same(await walked(again), [at('a'), at('b')].map(addressKey))
    await again.commit(at('a'), token, headed({ n: 3 }))
    t.same(await walked(again), [addressKey(at('b'))])
    await again.close()
  })

  t.test(`${dialect}: a walk over the records to be woken goes through their index`, async (t) => {
    const { explain, openStorage, stop } = await open()
    t.teardown(stop)
    await (await openStorage()).close()
    t.match(await explain(plan.statements.reminders.sql.replaceAll(/\?|\$\d/g, '1')), /actor_records_wakeful/)
  })
}
