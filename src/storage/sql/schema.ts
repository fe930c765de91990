/** Migrations from an empty database to the current tables. */
import { type Compilable, type Kysely, sql } from 'kysely'
import { compileOnce } from './builder.js'
import type { BoundStatement, SqlDialect } from './statement.js'
import type { Schema } from './tables.js'

type Build = (db: Kysely<Schema>, dialect: SqlDialect) => readonly Compilable[]

/** Append only: a migration's version is its position, from 1. */
const MIGRATIONS: readonly Build[] = [
  (db, dialect) => [
    ...recordTables(db, dialect),
    ...auditTables(db, dialect),
    ...(dialect === 'sqlite' ? sqliteGuards(db) : postgresGuards(db))
  ],
  (db) => reminderRecords(db),
  (db, dialect) => tombstones(db, dialect)
]

export interface MigrationPlan {
  /** Creates the table of versions if it is missing. */
  readonly start: BoundStatement
  /** Statements of each version, from 1. */
  readonly versions: readonly (readonly BoundStatement[])[]
}

export function planMigrations(db: Kysely<Schema>, dialect: SqlDialect): MigrationPlan {
  return { start: compileOnce(migrationsTable(db)), versions: MIGRATIONS.map((build) => build(db, dialect).map(compileOnce)) }
}

function migrationsTable(db: Kysely<Schema>): Compilable {
  return db.schema
    .createTable('actor_migrations')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('applied_at', 'text', (column) => column.notNull().defaultTo(sql`current_timestamp`))
}

function bytesType(dialect: SqlDialect) {
  return dialect === 'sqlite' ? ('blob' as const) : ('bytea' as const)
}

function recordTables(db: Kysely<Schema>, dialect: SqlDialect): Compilable[] {
  const bytes = bytesType(dialect)
  const whole = dialect === 'sqlite' ? ('integer' as const) : ('bigint' as const)
  return [
    db.schema
      .createTable('actor_records')
      .addColumn('record', whole, (column) =>
        dialect === 'sqlite' ? column.primaryKey() : column.primaryKey().generatedAlwaysAsIdentity()
      )
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('subject', bytes, (column) => column.notNull())
      .addColumn('id', bytes, (column) => column.notNull())
      .addColumn('epoch', whole, (column) => column.notNull())
      .addColumn('version', whole, (column) => column.notNull())
      .addColumn('is_deleted', 'integer', (column) => column.notNull())
      .addColumn('head', bytes, (column) => column.notNull())
      .addUniqueConstraint('actor_records_address', ['kind', 'subject', 'id']),
    db.schema
      .createTable('actor_rows')
      .addColumn('record', whole, (column) => column.notNull())
      .addColumn('collection', bytes, (column) => column.notNull())
      .addColumn('row_id', bytes, (column) => column.notNull())
      .addColumn('body', bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('actor_rows_name', ['record', 'collection', 'row_id'])
  ]
}

/** A partial index over the few records that want to be woken. A commit that does not change the wish does not touch it. */
function reminderRecords(db: Kysely<Schema>): Compilable[] {
  return [
    db.schema.alterTable('actor_records').addColumn('wakes', 'integer', (column) => column.notNull().defaultTo(0)),
    db.schema.createIndex('actor_records_wakeful').on('actor_records').column('record').where(sql.ref('wakes'), '=', 1)
  ]
}

function tombstones(db: Kysely<Schema>, dialect: SqlDialect): Compilable[] {
  return [
    db.schema
      .createTable('actor_tombstones')
      .addColumn('record', dialect === 'sqlite' ? 'integer' : 'bigint', (column) => column.primaryKey())
      .addColumn('buried_at', 'double precision', (column) => column.notNull())
      .addColumn('rows', bytesType(dialect), (column) => column.notNull()),
    db.schema.createIndex('actor_tombstones_age').on('actor_tombstones').column('buried_at')
  ]
}

function auditTables(db: Kysely<Schema>, dialect: SqlDialect): Compilable[] {
  const bytes = bytesType(dialect)
  return [
    db.schema
      .createTable('audit_entries')
      .addColumn('subject', bytes, (column) => column.notNull())
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('entry', 'text', (column) => column.notNull())
      .addColumn('previous_hash', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('audit_entries_place', ['subject', 'seq']),
    db.schema
      .createTable('audit_heads')
      .addColumn('subject', bytes, (column) => column.primaryKey())
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
  ]
}

function sqliteGuards(db: Kysely<Schema>): Compilable[] {
  return (['update', 'delete'] as const).map((action) => ({
    compile: () =>
      sql`create trigger ${sql.ref(`audit_entries_no_${action}`)} before ${sql.raw(action)} on audit_entries
        begin select raise(abort, 'The audit trail is append-only'); end`.compile(db)
  }))
}

function postgresGuards(db: Kysely<Schema>): Compilable[] {
  const refuse = sql`create function audit_entries_refuse() returns trigger language plpgsql as
    $$ begin raise exception 'The audit trail is append-only'; end $$`
  const guard = sql`create trigger audit_entries_append_only before update or delete or truncate on audit_entries
    for each statement execute function audit_entries_refuse()`
  return [refuse, guard].map((query) => ({ compile: () => query.compile(db) }))
}
