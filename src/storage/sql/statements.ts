/** All statements of the storage. Each identifies its record by the whole address, or by the number that such a statement returned. */
import type { Expression, ExpressionBuilder, Kysely, OnConflictDatabase, OnConflictTables, SqlBool } from 'kysely'
import type { ActorKind } from '../../domain/address.js'
import { auditStatements } from './audit-statements.js'
import { type Place, prepare, prepareShaped } from './builder.js'
import { pageStatements, type RowNameValues } from './page-statements.js'
import type { SqlDialect } from './statement.js'
import type { Schema } from './tables.js'

export interface KeyValues {
  readonly kind: ActorKind
  readonly subject: Uint8Array
  readonly id: Uint8Array
}

interface TokenValues extends KeyValues {
  readonly epoch: number
  readonly version: number
}

/** Columns that every write of a record sets. */
export interface WrittenValues {
  readonly head: Uint8Array
  /** 0 or 1. */
  readonly wakes: number
}

interface CreatedValues extends KeyValues, WrittenValues {
  /** Epoch to use when there is no tombstone. */
  readonly firstEpoch: number
}

interface RowValues extends RowNameValues {
  readonly body: Uint8Array
}

type Db = Kysely<Schema>
export type Statements = ReturnType<typeof createStatements>

export function createStatements(db: Db, dialect: SqlDialect) {
  return {
    ...recordStatements(db),
    ...tombstoneStatements(db),
    ...rowStatements(db),
    ...pageStatements(db, dialect),
    ...auditStatements(db)
  }
}

const EMPTY = new Uint8Array(0)

function at<Values extends KeyValues>(place: Place<Values>) {
  return (eb: ExpressionBuilder<Schema, 'actor_records'>) =>
    eb.and([
      eb('actor_records.kind', '=', place('kind')),
      eb('actor_records.subject', '=', place('subject')),
      eb('actor_records.id', '=', place('id')),
      eb('actor_records.is_deleted', '=', 0)
    ])
}

function held<Values extends TokenValues>(place: Place<Values>) {
  return (eb: ExpressionBuilder<Schema, 'actor_records'>) =>
    eb.and([at(place)(eb), eb('actor_records.epoch', '=', place('epoch')), eb('actor_records.version', '=', place('version'))])
}

function recordStatements(db: Db) {
  return {
    /** Creates a record, or the next life of a tombstone with a higher epoch and version. Does nothing while the record exists. */
    create: prepare('create', (place: Place<CreatedValues>) => created(db, place, (eb) => eb('actor_records.is_deleted', '=', 1))),
    /** Like `create`, but only over a tombstone with this epoch. */
    createAfter: prepare('create_after', (place: Place<CreatedValues & { tombstoneEpoch: number }>) =>
      created(db, place, (eb) => eb.and([eb('actor_records.is_deleted', '=', 1), eb('actor_records.epoch', '=', place('tombstoneEpoch'))]))
    ),
    activate: prepare('activate', (place: Place<KeyValues>) =>
      db
        .updateTable('actor_records')
        .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
        .where(at(place))
        .returning(['record', 'epoch', 'version', 'head'])
    ),
    commit: prepare('commit', (place: Place<TokenValues & WrittenValues>) =>
      db
        .updateTable('actor_records')
        .set((eb) => ({ version: eb('version', '+', 1), head: place('head'), wakes: place('wakes') }))
        .where(held(place))
        .returning(['record', 'epoch', 'version'])
    ),
    remove: prepare('remove', (place: Place<TokenValues>) =>
      db
        .updateTable('actor_records')
        .set({ is_deleted: 1, head: EMPTY, wakes: 0 })
        .where(held(place))
        .returning(['record', 'epoch', 'version'])
    ),
    /** Takes a record that is removed, as long as it was not created again. */
    takeRemoved: prepare('take_removed', (place: Place<{ record: number; epoch: number }>) =>
      db
        .updateTable('actor_records')
        .set({ is_deleted: 1 })
        .where('record', '=', place('record'))
        .where('epoch', '=', place('epoch'))
        .where('is_deleted', '=', 1)
        .returning('record')
    ),
    find: prepare('find', (place: Place<KeyValues>) => db.selectFrom('actor_records').select(['epoch', 'version']).where(at(place))),
    look: prepare('look', (place: Place<KeyValues>) =>
      db.selectFrom('actor_records').select(['record', 'epoch', 'version', 'head']).where(at(place))
    ),
    nextOwner: prepare('next_owner', (place: Place<Pick<KeyValues, 'kind'> & { after: Uint8Array }>) =>
      db
        .selectFrom('actor_records')
        .select('subject')
        .where('kind', '=', place('kind'))
        .where('subject', '>', place('after'))
        .orderBy('subject')
        .limit(1)
    ),
    peek: prepare('peek', (place: Place<KeyValues>) => db.selectFrom('actor_records').select('head').where(at(place))),
    heads: prepareShaped('heads', (place: Place<Omit<KeyValues, 'id'>>, items: readonly Place<Pick<KeyValues, 'id'>>[]) =>
      db
        .selectFrom('actor_records')
        .select(['id', 'head'])
        .where('kind', '=', place('kind'))
        .where('subject', '=', place('subject'))
        .where(
          'id',
          'in',
          items.map((item) => item('id'))
        )
        .where('is_deleted', '=', 0)
    ),
    list: prepare('list', (place: Place<Omit<KeyValues, 'id'> & { limit: number }>) => listed(db, place).select('id')),
    listAfter: prepare('list_after', (place: Place<Omit<KeyValues, 'id'> & { after: Uint8Array; limit: number }>) =>
      listed(db, place).select('id').where('id', '>', place('after'))
    ),
    // The condition is a literal in the text: only then do the planners see that the partial index answers it.
    reminders: prepare('reminders', (place: Place<{ after: number; limit: number }>) =>
      db
        .selectFrom('actor_records')
        .select(['record', 'kind', 'subject', 'id'])
        .where((eb) => eb('wakes', '=', eb.lit(1)))
        .where('record', '>', place('after'))
        .orderBy('record')
        .limit(place('limit'))
    ),
    /** Always one row; the version is null before the first migration. */
    schemaVersion: prepare('schema_version', () => db.selectFrom('actor_migrations').select((eb) => eb.fn.max('version').as('version'))),
    setSchemaVersion: prepare('set_schema_version', (place: Place<{ version: number }>) =>
      db.insertInto('actor_migrations').values({ version: place('version') })
    )
  }
}

function created<Values extends CreatedValues>(
  db: Db,
  place: Place<Values>,
  mayLiveAgain: (
    eb: ExpressionBuilder<OnConflictDatabase<Schema, 'actor_records'>, OnConflictTables<'actor_records'>>
  ) => Expression<SqlBool>
) {
  return db
    .insertInto('actor_records')
    .values({
      kind: place('kind'),
      subject: place('subject'),
      id: place('id'),
      epoch: place('firstEpoch'),
      version: 1,
      is_deleted: 0,
      head: place('head'),
      wakes: place('wakes')
    })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject', 'id'])
        .doUpdateSet((eb) => ({
          epoch: eb('actor_records.epoch', '+', 1),
          version: eb('actor_records.version', '+', 1),
          is_deleted: 0,
          head: eb.ref('excluded.head'),
          wakes: eb.ref('excluded.wakes')
        }))
        .where(mayLiveAgain)
    )
    .returning(['record', 'epoch', 'version'])
}

function tombstoneStatements(db: Db) {
  return {
    bury: prepare('bury', (place: Place<{ record: number; rows: Uint8Array; buriedAt: number }>) =>
      db
        .insertInto('actor_tombstones')
        .values({ record: place('record'), buried_at: place('buriedAt'), rows: place('rows') })
        .onConflict((conflict) =>
          conflict.column('record').doUpdateSet((eb) => ({ buried_at: eb.ref('excluded.buried_at'), rows: eb.ref('excluded.rows') }))
        )
    ),
    /** One row while the record is removed. After a removal by an earlier version, `rows` may be null. */
    tombstone: prepare('tombstone', (place: Place<KeyValues>) =>
      db
        .selectFrom('actor_records')
        .leftJoin('actor_tombstones', 'actor_tombstones.record', 'actor_records.record')
        .select(['actor_records.epoch', 'actor_tombstones.rows'])
        .where('actor_records.kind', '=', place('kind'))
        .where('actor_records.subject', '=', place('subject'))
        .where('actor_records.id', '=', place('id'))
        .where('actor_records.is_deleted', '=', 1)
    ),
    /** `epoch` of the removed record; null if it exists again. */
    dueTombstones: prepare('due_tombstones', (place: Place<{ before: number; limit: number }>) =>
      db
        .selectFrom('actor_tombstones')
        .leftJoin('actor_records', (join) =>
          join.onRef('actor_records.record', '=', 'actor_tombstones.record').on('actor_records.is_deleted', '=', 1)
        )
        .select(['actor_tombstones.record', 'actor_records.epoch'])
        .where('buried_at', '<', place('before'))
        .orderBy('buried_at')
        .limit(place('limit'))
    ),
    /** Does nothing if the record was created again meanwhile, which raises the epoch. */
    forget: prepare('forget', (place: Place<{ record: number; epoch: number }>) =>
      db.deleteFrom('actor_records').where('record', '=', place('record')).where('epoch', '=', place('epoch')).where('is_deleted', '=', 1)
    ),
    dropTombstone: prepare('drop_tombstone', (place: Place<{ record: number; before: number }>) =>
      db.deleteFrom('actor_tombstones').where('record', '=', place('record')).where('buried_at', '<', place('before'))
    )
  }
}

function listed<Values extends Omit<KeyValues, 'id'> & { limit: number }>(db: Db, place: Place<Values>) {
  return db
    .selectFrom('actor_records')
    .where('kind', '=', place('kind'))
    .where('subject', '=', place('subject'))
    .where('is_deleted', '=', 0)
    .orderBy('id')
    .limit(place('limit'))
}

function rowStatements(db: Db) {
  return {
    clear: prepare('clear', (place: Place<{ record: number }>) => db.deleteFrom('actor_rows').where('record', '=', place('record'))),
    /** Deletes the rows up to the one that has `last` before it, which has to be there. */
    clearUpTo: prepare('clear_up_to', (place: Place<{ record: number; last: number }>) =>
      db
        .deleteFrom('actor_rows')
        .where('record', '=', place('record'))
        .where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple('collection', 'row_id'),
            '<=',
            selectFrom('actor_rows')
              .select(['collection', 'row_id'])
              .where('record', '=', place('record'))
              .orderBy('collection')
              .orderBy('row_id')
              .limit(1)
              .offset(place('last'))
              .$asTuple('collection', 'row_id')
          )
        )
    ),
    put: prepareShaped('put', (place: Place<{ record: number }>, items: readonly Place<RowValues>[]) =>
      db
        .insertInto('actor_rows')
        .values(
          items.map((item) => ({ record: place('record'), collection: item('collection'), row_id: item('rowId'), body: item('body') }))
        )
        .onConflict((conflict) =>
          conflict.columns(['record', 'collection', 'row_id']).doUpdateSet((eb) => ({ body: eb.ref('excluded.body') }))
        )
    ),
    // The whole key stands in each term, so that SQLite looks each row up in its index instead of scanning all rows of the record.
    drop: prepareShaped('drop', (place: Place<{ record: number }>, items: readonly Place<RowNameValues>[]) =>
      db
        .deleteFrom('actor_rows')
        .where((eb) =>
          eb.or(
            items.map((item) =>
              eb.and([eb('record', '=', place('record')), eb('collection', '=', item('collection')), eb('row_id', '=', item('rowId'))])
            )
          )
        )
    )
  }
}
