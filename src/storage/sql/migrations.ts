/** Brings a database's schema up to date. */
import { ask, type SqlDatabase } from './database.js'
import type { Plan } from './plan.js'

/**
 * Applies what is missing, all in one transaction and under a lock, so that several processes may start at once.
 * Throws an Error when the database was made by a later version of the service: an older one would not understand its rows.
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
