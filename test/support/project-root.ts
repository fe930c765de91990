/** The folder of the project, also for tests that run compiled elsewhere. */
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** The folder above the packages. */
export function projectRoot(): string {
  return dirname(dirname(dirname(createRequire(import.meta.url).resolve('libsql'))))
}
