/** Folders that a service of this command line keeps its data in. */
import { ConfigError } from '../../config.js'
import { makeFolder } from '../../platform/folders.js'

/** Readable by the user alone. */
export const DATA_FOLDER_MODE = 0o700

/** Made where it is missing. Throws ConfigError. */
export function makeDataFolder(folder: string): void {
  inFolder(folder, () => makeFolder(folder, DATA_FOLDER_MODE))
}

/** Runs `work`. Throws ConfigError for what the system does not let it do there. */
export function inFolder<Result>(folder: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    throw new ConfigError([`The folder ${folder} cannot be made or used: ${String(error.code)}`])
  }
}
