/** Opens the storage of a service for read-only commands: a missing database is not created. */
import { stat } from 'node:fs/promises'
import { openDurableStorage } from '../../composition/durable-storage.js'
import { EXIT_CONFIG } from '../../composition/start-refusal.js'
import { CommandFailure } from '../console/failure.js'

/** Throws CommandFailure if there is no SQLite database at the path; otherwise like `openDurableStorage`. */
export const openKeptStorage: typeof openDurableStorage = async (config, outside) => {
  const [, path] = /^sqlite:(.*)$/s.exec(config.url) ?? []
  if (path !== undefined) await requireDatabase(path)
  return openDurableStorage(config, outside)
}

/** An empty file counts as missing: nothing was ever written to it. */
async function requireDatabase(path: string): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found === null || (found.isFile() && found.size === 0)) throw new CommandFailure(`There is no database at ${path}.`, EXIT_CONFIG)
}
