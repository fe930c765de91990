/** Prepared statements as plain data, so that a thread can run them without the query builder that made them. */

export type SqlDialect = 'sqlite' | 'postgres'

export type SqlValue = string | number | Uint8Array | null

/** Where a parameter's value comes from: a field of the values, or of one of their items. */
export interface Placeholder {
  readonly field: string
  /** Position among the items; null for a field of the values themselves. */
  readonly item: number | null
}

export interface Statement<Values, Row = unknown> {
  readonly name: string
  readonly sql: string
  readonly parameters: readonly (SqlValue | Placeholder)[]
  /** Never set: they carry the types of what is bound and of what comes back. */
  readonly types?: (values: Values) => Row
}

/** One statement for each number of items; see `ROWS_A_STATEMENT`. */
export type Shaped<Values, Item, Row = unknown> = ReadonlyMap<number, Statement<Values & { readonly items: readonly Item[] }, Row>>

/** Items of one statement, largest first: a few shapes, so that the server keeps a plan for each, and a turn's few rows are one or two. */
export const ROWS_A_STATEMENT = [64, 8, 2, 1] as const

export interface BoundStatement {
  /** Unique within a connection, which keeps the plan under it. Null: sent once, not kept. */
  readonly name: string | null
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

export function bind<Values extends object, Row>({ name, sql, parameters }: Statement<Values, Row>, values: Values): BoundStatement {
  const fields = values as Readonly<Record<string, SqlValue>> & { readonly items?: readonly Readonly<Record<string, SqlValue>>[] }
  const valueOf = ({ field, item }: Placeholder) => (item === null ? fields[field] : fields.items?.[item]?.[field]) as SqlValue
  return { name, sql, parameters: parameters.map((parameter) => (isPlaceholder(parameter) ? valueOf(parameter) : parameter)) }
}

function isPlaceholder(parameter: SqlValue | Placeholder): parameter is Placeholder {
  return typeof parameter === 'object' && parameter !== null && 'field' in parameter
}
