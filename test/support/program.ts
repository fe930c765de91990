/**
 * Programs of the project that a test starts in a process of their own: as JavaScript where the test is JavaScript, else through the
 * loader.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compileProject } from '../runner/compiled-project.js'

/** Of the tree that this file is in: the project's own, or the compiled one. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const isCompiled = import.meta.url.endsWith('.js')

/** What node is given to run `source`, a path from the project's root (`src/main.ts`). */
export function programArgs(source: string): readonly string[] {
  return isCompiled ? [compiledPath(ROOT, source)] : ['--import', 'tsx', ROOT + source]
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
