/** The project's folder, also for tests that run compiled elsewhere. */
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** Returns the parent folder of `node_modules`. */
export function projectRoot(): string {
  return dirname(dirname(dirname(createRequire(import.meta.url).resolve('libsql'))))
}
