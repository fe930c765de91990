/**
 * Reads a record's rows in pages. The database joins the rows of a page into one answer: a driver creates an object for each row and each
 * value that it returns, which took ten times as long as reading them.
 */
import { type Kysely, sql } from 'kysely'
import { type Place, prepare } from './builder.js'
import type { SqlDialect } from './statement.js'
import type { Schema } from './tables.js'

export interface RowNameValues {
  readonly collection: Uint8Array
  readonly rowId: Uint8Array
}

/** Values that select the rows after a given one. */
interface PageValues extends RowNameValues {
  readonly record: number
  readonly limit: number
}

type RowColumn = 'collection' | 'row_id' | 'body'

/** Each statement returns one row. Its columns are null when the page is empty. */
export function pageStatements(db: Kysely<Schema>, dialect: SqlDialect) {
  const { lengths, joined } = dialect === 'sqlite' ? SQLITE : POSTGRES
  return {
    /** Sizes of the rows after a name, in the order in which `rows` returns them. Reads no body. */
    rowSizes: prepare('row_sizes', (place: Place<PageValues>) =>
      db
        .selectFrom(
          pageAfter(db, place)
            .select(({ fn }) => fn<number>('length', ['body']).as('bytes'))
            .as('page')
        )
        .select(lengths('bytes').as('sizes'))
    ),
    rows: prepare('rows', (place: Place<PageValues>) =>
      db
        .selectFrom(
          pageAfter(db, place)
            .select(({ fn }) => [
              'collection',
              'row_id',
              'body',
              fn<number>('length', ['collection']).as('collection_bytes'),
              fn<number>('length', ['row_id']).as('row_id_bytes'),
              fn<number>('length', ['body']).as('body_bytes')
            ])
            .as('page')
        )
        .select([
          lengths('collection_bytes').as('collection_sizes'),
          lengths('row_id_bytes').as('row_id_sizes'),
          lengths('body_bytes').as('body_sizes'),
          joined('collection').as('collections'),
          joined('row_id').as('row_ids'),
          joined('body').as('bodies')
        ])
    )
  }
}

// All columns of a page are joined in the order in which the rows are found, which is the same for all columns.
const SQLITE = {
  lengths: (column: string) => sql<string | null>`group_concat(${sql.ref(column)})`,
  // `group_concat` makes it text in type only: the bytes are unchanged.
  joined: (column: RowColumn) => sql<Uint8Array | null>`cast(group_concat(${sql.ref(column)}, '') as blob)`
}
const POSTGRES = {
  lengths: (column: string) => sql<string | null>`string_agg(${sql.ref(column)}::text, ',')`,
  joined: (column: RowColumn) => sql<Uint8Array | null>`string_agg(${sql.ref(column)}, ''::bytea)`
}

function pageAfter(db: Kysely<Schema>, place: Place<PageValues>) {
  return db
    .selectFrom('actor_rows')
    .where('record', '=', place('record'))
    .where(({ eb, refTuple, tuple }) => eb(refTuple('collection', 'row_id'), '>', tuple(place('collection'), place('rowId'))))
    .orderBy('collection')
    .orderBy('row_id')
    .limit(place('limit'))
}
