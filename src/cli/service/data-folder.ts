/** Data folders of services that this command line starts. */
import { ConfigError } from '../../config.js'
import { makeFolder } from '../../platform/folders.js'

/** Accessible to the user alone. */
export const DATA_FOLDER_MODE = 0o700

/** Creates the folder if it is missing. Throws ConfigError. */
export function makeDataFolder(folder: string): void {
  inFolder(folder, () => makeFolder(folder, DATA_FOLDER_MODE))
}

/** Runs `work`. Converts the system's errors to ConfigError. */
export function inFolder<Result>(folder: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    throw new ConfigError([`The folder ${folder} cannot be made or used: ${String(error.code)}`])
  }
}
