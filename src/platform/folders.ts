/** Folders that are made where they are missing. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codeIn } from '../domain/errors.js'

/**
 * Makes `folder` and those above it, each with `mode`, by default what the system gives. One that is there already is fine. Throws the
 * system's error.
 *
 * Not by the option of Node.js: where a file system lets nothing be made in a folder that is there, and says that there is none, as
 * `/proc` does, Node.js tries for ever.
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
