/** Creates missing folders. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codeIn } from '../domain/errors.js'

/**
 * Creates `folder` and its missing parents, each with `mode`; default: the system's. Existing folders are fine. Throws the system's error.
 *
 * Does not use Node.js's `recursive` option, which loops for ever on file systems such as `/proc`, where creation in an existing folder
 * fails with ENOENT.
 */
export function makeFolder(folder: string, mode?: number): void {
  const path = resolve(folder)
  try {
    mkdirSync(path, mode === undefined ? {} : { mode })
  } catch (error) {
    if (isFolder(path)) return
    const parent = dirname(path)
    if (codeIn(error) !== 'ENOENT' || isFolder(parent)) throw error
    makeFolder(parent, mode)
    makeFolder(path, mode)
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
