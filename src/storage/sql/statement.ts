/** Prepared statements as plain data, so that a thread can run them without the query builder. */

export type SqlDialect = 'sqlite' | 'postgres'

export type SqlValue = string | number | Uint8Array | null

/** Where a parameter's value comes from: a field of the values, or of one item. */
export interface Placeholder {
  readonly field: string
  /** Index of the item; null for a field of the values. */
  readonly item: number | null
}

export interface Statement<Values, Row = unknown> {
  readonly name: string
  readonly sql: string
  readonly parameters: readonly (SqlValue | Placeholder)[]
  /** Never set: carries the types of the bound values and of the rows returned. */
  readonly types?: (values: Values) => Row
}

/** One statement per number of items; see `ROWS_A_STATEMENT`. */
export type Shaped<Values, Item, Row = unknown> = ReadonlyMap<number, Statement<Values & { readonly items: readonly Item[] }, Row>>

/**
 * Numbers of items in one statement, largest first. A few shapes, so that the server keeps a plan for each, and the few rows of a turn take
 * one or two.
 */
export const ROWS_A_STATEMENT = [64, 8, 2, 1] as const

export interface BoundStatement {
  /** Unique within a connection, which keeps the plan under this name. Null: sent once and not kept. */
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
