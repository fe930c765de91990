/** Files and folders named on the command line. Errors quote the name as it was typed. */
import { open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeIn } from '../../domain/errors.js'
import { makeFolder } from '../../platform/folders.js'
import { CommandFailure, EXIT, usageFailure } from './failure.js'

interface Reason {
  readonly sentence: (name: string) => string
  readonly exitCode: number
}

/** Failures by the system's error codes. A missing file is the command line's fault. */
const REASONS: Readonly<Record<string, Reason>> = {
  ENOENT: { sentence: (name) => `There is nothing at ${name}.`, exitCode: EXIT.usage },
  ENOTDIR: { sentence: (name) => `${name} leads through a file.`, exitCode: EXIT.usage },
  EISDIR: { sentence: (name) => `${name} is a folder.`, exitCode: EXIT.usage },
  EEXIST: { sentence: (name) => `${name} is there already.`, exitCode: EXIT.failed },
  EACCES: { sentence: (name) => `${name} may not be used by this user.`, exitCode: EXIT.failed },
  EPERM: { sentence: (name) => `${name} may not be used by this user.`, exitCode: EXIT.failed },
  EROFS: { sentence: (name) => `${name} is on a disk that is read-only.`, exitCode: EXIT.failed },
  ENOSPC: { sentence: (name) => `There is no room left for ${name}.`, exitCode: EXIT.failed }
}

/** Runs `work`. Converts the system's errors about the file to CommandFailure. */
export function withName<Result>(name: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw toNamedFailure(name, error)
  }
}

/** Creates a folder if it is missing. Throws CommandFailure when that fails. */
export function makeNamedFolder(name: string): void {
  try {
    makeFolder(name)
  } catch (error) {
    throw codeIn(error) === 'ENOENT'
      ? new CommandFailure(`No folder can be made at ${name}.`, EXIT.failed, { cause: error })
      : toNamedFailure(name, error)
  }
}

/** Throws CommandFailure unless `name` is a file that can be read. */
export async function requireFile(name: string): Promise<void> {
  const found = await orNamedFailure(name, stat(name))
  if (found.isDirectory()) throw usageFailure(`${name} is a folder.`)
  if (!found.isFile()) throw usageFailure(`${name} is no file.`)
  const file = await orNamedFailure(name, open(name))
  await file.close()
}

/** Throws CommandFailure unless the folder of the file to create exists. */
export async function requireFolderOf(name: string): Promise<void> {
  const folder = dirname(name)
  const found = await orNamedFailure(folder, stat(folder))
  if (!found.isDirectory()) throw usageFailure(`${folder} is no folder.`)
}

/** Converts the system's errors about the file to CommandFailure. */
export async function orNamedFailure<Result>(name: string, work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw toNamedFailure(name, error)
  })
}

/** Errors that are not the system's are rethrown unchanged. */
function toNamedFailure(name: string, error: unknown): Error {
  if (!(error instanceof Error)) throw error
  const reason = REASONS[codeIn(error) ?? '']
  return reason === undefined ? error : new CommandFailure(reason.sentence(name), reason.exitCode, { cause: error })
}
