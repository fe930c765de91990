/** A database as the record store sees it: SQLite in its own thread, or PostgreSQL over a pool. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { bind, type BoundStatement, ROWS_A_STATEMENT, type Shaped, type Statement } from './statement.js'

/** Statements sent ahead of their answers: enough to fill a round trip, and few enough not to hold a large record twice in memory. */
const AHEAD_MAX = 32

/**
 * Items after which the next statement waits for an iteration of the event loop, because a driver copies a statement's values on receipt.
 */
const ITEMS_A_SLICE = 64

export interface SqlConnection {
  /** Runs a statement. Statements run in the order of the calls; a call need not wait for the one before. Throws DatabaseError. */
  run(bound: BoundStatement): Promise<readonly unknown[]>
}

export interface SqlDatabase {
  /**
   * Runs `work` in one transaction. It is durable when this resolves, and rolled back when this rejects with a refusal. After any other
   * rejection the outcome is unknown. Throws DatabaseError.
   */
  transaction<Result>(work: (connection: SqlConnection) => Promise<Result>): Promise<Result>
  /** Runs `work` outside of any transaction. */
  read<Result>(work: (connection: SqlConnection) => Promise<Result>): Promise<Result>
  /** Waits for the exclusive right to change the schema, and holds it until the transaction ends. */
  lockSchema(connection: SqlConnection): Promise<void>
  purge(): Promise<void>
  /** Empties the log of SQLite as a purge does, unless another process needs it now. No-op on PostgreSQL. */
  emptyLog(): Promise<void>
  close(): Promise<void>
}

/** Runs a statement and returns its rows, with the types that the builder inferred. */
export async function ask<Values extends object, Row>(
  connection: SqlConnection,
  statement: Statement<Values, Row>,
  values: Values
): Promise<Row[]> {
  return (await connection.run(bind(statement, values))) as Row[]
}

/** Runs a statement over many items in as few calls as its shapes allow. Returns the rows of all calls. */
export async function inShapes<Item, Values extends object, Row>(
  connection: SqlConnection,
  shapes: Shaped<Values, Item, Row>,
  items: readonly Item[],
  values: Values
): Promise<Row[]> {
  const rows: Row[] = []
  const ahead: Promise<Row[]>[] = []
  for (let at = 0; at < items.length;) {
    const shape = ROWS_A_STATEMENT.find((size) => size <= items.length - at) ?? 1
    const statement = shapes.get(shape)
    if (statement !== undefined) {
      const asked = ask(connection, statement, { ...values, items: items.slice(at, at + shape) })
      // Awaited below; a rejection before that must not count as unhandled.
      asked.catch(() => undefined)
      ahead.push(asked)
    }
    at += shape
    if (ahead.length === AHEAD_MAX) rows.push(...(await Promise.all(ahead.splice(0))).flat())
    if (shape >= ITEMS_A_SLICE) await yieldToEventLoop()
  }
  rows.push(...(await Promise.all(ahead)).flat())
  return rows
}
