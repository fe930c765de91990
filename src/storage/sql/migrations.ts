/** Migrates a database's schema. */
import { ask, type SqlDatabase } from './database.js'
import type { Plan } from './plan.js'

/**
 * Applies the missing migrations in one transaction and under a lock, so that several processes may start at once. Throws an Error when a
 * later version of the service made the database, because this version would not understand its rows.
 */
export async function migrate(database: SqlDatabase, { migrations, statements }: Plan): Promise<void> {
  const known = migrations.versions.length
  await database.transaction(async (connection) => {
    await database.lockSchema(connection)
    await connection.run(migrations.start)
    const version = (await ask(connection, statements.schemaVersion, {}))[0]?.version ?? 0
    if (version > known) throw new Error(`The database has schema version ${version}, made by a later build: this one knows ${known}`)
    for (const [index, steps] of migrations.versions.entries()) {
      if (index < version) continue
      for (const step of steps) await connection.run(step)
      await ask(connection, statements.setSchemaVersion, { version: index + 1 })
    }
  })
}
