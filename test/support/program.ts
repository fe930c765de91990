/** Programs of the project that tests run in separate processes: as JavaScript if the test is JavaScript, else through the loader. */
import { existsSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { compileProject } from '../runner/compiled-project.js'

/** Root of the tree that contains this file: the project, or its compiled copy. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const isCompiled = import.meta.url.endsWith('.js')

/** The runner's options for this process, to be passed to started processes: most end before optimising pays off. */
export const LATE_OPTIMISING = process.execArgv.filter((arg) => arg.startsWith('--interrupt-budget='))

/** Returns Node.js's arguments for running `source`, a path from the project's root (`src/main.ts`). */
export function programArgs(source: string): readonly string[] {
  return isCompiled ? [...LATE_OPTIMISING, compiledPath(ROOT, source)] : ['--import', 'tsx', ROOT + source]
}

/** Path of `source` as JavaScript, which starts several times as fast as through the loader. Compiles it if necessary. */
export async function compiledProgram(source: string): Promise<string> {
  return compiledPath(isCompiled ? ROOT : await compileProject(ROOT), source)
}

function compiledPath(root: string, source: string): string {
  const path = root + source.replace(/\.ts$/, '.js')
  if (!existsSync(path)) throw new Error(`There is no ${path}`)
  return path
}
