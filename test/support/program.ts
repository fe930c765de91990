/**
 * Programs of the project that a test starts in a process of their own: as JavaScript where the test is JavaScript, else through the
 * loader.
 */
import { existsSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { compileProject } from '../runner/compiled-project.js'

/** Of the tree that this file is in: the project's own, or the compiled one. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const isCompiled = import.meta.url.endsWith('.js')

/** What the runner has given this process, and processes that a test starts should have as well: most end before optimising pays. */
export const LATE_OPTIMISING = process.execArgv.filter((arg) => arg.startsWith('--interrupt-budget='))

/** What node is given to run `source`, a path from the project's root (`src/main.ts`). */
export function programArgs(source: string): readonly string[] {
  return isCompiled ? [...LATE_OPTIMISING, compiledPath(ROOT, source)] : ['--import', 'tsx', ROOT + source]
}

/** Path of `source` as JavaScript, which starts several times as fast as through the loader; compiled now unless it is already. */
export async function compiledProgram(source: string): Promise<string> {
  return compiledPath(isCompiled ? ROOT : await compileProject(ROOT), source)
}

function compiledPath(root: string, source: string): string {
  const path = root + source.replace(/\.ts$/, '.js')
  if (!existsSync(path)) throw new Error(`There is no ${path}`)
  return path
}
