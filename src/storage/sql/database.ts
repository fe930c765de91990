/** A database as the record store sees it: SQLite in a thread of its own, or PostgreSQL over a pool. */
import { yieldToEventLoop } from '../event-loop.js'
import { bind, type BoundStatement, ROWS_A_STATEMENT, type Shaped, type Statement } from './statement.js'

/** Statements sent ahead of their answers: enough to fill a round trip, and few enough to hold no large record twice in memory. */
const AHEAD_MAX = 32

/** Items from which what comes next waits for an iteration of the event loop: a driver copies the values of a statement as it takes it. */
const ITEMS_A_SLICE = 64

export interface SqlConnection {
  /** Statements run in the order of the calls, and a call need not wait for the one before. Throws DatabaseError. */
  run(bound: BoundStatement): Promise<readonly unknown[]>
}

export interface SqlDatabase {
  /**
   * Runs `work` in one transaction that is durable when this resolves, and rolled back when it rejects with a refusal.
   * Any other rejection leaves the outcome unknown. Throws DatabaseError.
   */
  transaction<Result>(work: (connection: SqlConnection) => Promise<Result>): Promise<Result>
  /** Outside any transaction. */
  read<Result>(work: (connection: SqlConnection) => Promise<Result>): Promise<Result>
  /** Waits for, then holds until the transaction ends, the right to change the schema. */
  lockSchema(connection: SqlConnection): Promise<void>
  purge(): Promise<void>
  close(): Promise<void>
}

/** Runs a statement; its rows have the types that the builder found for them. */
export async function ask<Values extends object, Row>(
  connection: SqlConnection,
  statement: Statement<Values, Row>,
  values: Values
): Promise<Row[]> {
  return (await connection.run(bind(statement, values))) as Row[]
}

/** Runs a statement that takes several items, in as few as its shapes allow. The rows of all of them. */
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
      // It is awaited below, and may fail before.
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
