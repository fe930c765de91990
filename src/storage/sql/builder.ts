/** The query builder, used only to compile. The adapters have connections of their own. */
import { createHash } from 'node:crypto'
import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler
} from 'kysely'
import {
  type BoundStatement,
  type Placeholder,
  ROWS_A_STATEMENT,
  type Shaped,
  type SqlDialect,
  type SqlValue,
  type Statement
} from './statement.js'
import type { Schema } from './tables.js'

/** Inserts a placeholder into a statement, for one field of the values that are bound later. */
export type Place<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>

export function createBuilder(dialect: SqlDialect): Kysely<Schema> {
  const isSqlite = dialect === 'sqlite'
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => (isSqlite ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => (isSqlite ? new SqliteIntrospector(db) : new PostgresIntrospector(db)),
      createQueryCompiler: () => (isSqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler())
    }
  })
}

/** Compiles once. Binding is then a walk over the parameters. */
export function prepare<Values, Row = unknown>(name: string, build: (place: Place<Values>) => Compilable<Row>): Statement<Values, Row> {
  return compiled(name, build(placeOf<Values>(null)))
}

/**
 * Compiles the statement for each number of items in `ROWS_A_STATEMENT`. `build` gets a placeholder function for the values, and one for
 * each item.
 */
export function prepareShaped<Values, Item, Row = unknown>(
  name: string,
  build: (place: Place<Values>, items: readonly Place<Item>[]) => Compilable<Row>
): Shaped<Values, Item, Row> {
  return new Map(
    ROWS_A_STATEMENT.map((shape) => {
      const items = Array.from({ length: shape }, (_, n) => placeOf<Item>(n))
      return [shape, compiled(`${name}_${shape}`, build(placeOf<Values>(null), items))]
    })
  )
}

/** Compiles a statement without values that is sent once. */
export function compileOnce(query: Compilable): BoundStatement {
  const { sql, parameters } = query.compile()
  return { name: null, sql, parameters: parameters as readonly SqlValue[] }
}

function placeOf<Values>(item: number | null): Place<Values> {
  return (field) => sql`${{ field, item } satisfies Placeholder}`
}

function compiled<Values, Row>(name: string, query: Compilable<Row>): Statement<Values, Row> {
  const { sql, parameters } = query.compile()
  return { name: `${name}_${digestOf(sql)}`, sql, parameters: parameters as readonly (SqlValue | Placeholder)[] }
}

/** Of a statement's text, for its name: behind a pooler two versions of the service may share a connection, and so its named statements. */
function digestOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex').slice(0, 16)
}
