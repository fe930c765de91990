/** Selects the test files of a run. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** `faults`: long tests in which processes, servers and networks fail (`npm run test:faults`). `quick`: everything else. */
export type Part = 'quick' | 'faults'

const FAULTS = /^test\/(faults|torture)\//

/** Paths from the project's root, sorted. */
export function listTests(root: string): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join('test', path))
    .sort()
}

export function partOf(file: string): Part {
  return FAULTS.test(file) ? 'faults' : 'quick'
}

/** The files that names on the command line match: each name is a file, a folder, or the beginning of a path. */
export function namedTests(files: readonly string[], names: readonly string[]): string[] {
  const wanted = names.map((name) => name.replace(/^\.\//, '').replace(/\.js$/, '.ts'))
  return files.filter((file) => wanted.some((name) => file.startsWith(name)))
}
