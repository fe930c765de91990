/** Every statement for a database, compiled for its dialect: plain data, which can be passed to a thread. */
import { createBuilder } from './builder.js'
import { type MigrationPlan, planMigrations } from './schema.js'
import type { SqlDialect } from './statement.js'
import { createStatements, type Statements } from './statements.js'

export interface Plan {
  readonly statements: Statements
  readonly migrations: MigrationPlan
}

export function createPlan(dialect: SqlDialect): Plan {
  const builder = createBuilder(dialect)
  return { statements: createStatements(builder, dialect), migrations: planMigrations(builder, dialect) }
}
