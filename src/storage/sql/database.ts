/** A database as the record store sees it: SQLite in a thread of its own, or PostgreSQL over a pool. */
import { bind, type BoundStatement, type Statement } from './statement.js'

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
