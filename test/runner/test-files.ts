/** Which test files a run is made of. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Long histories of faults, in which processes, servers and networks fail; `npm run test:faults`. Everything else is quick. */
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

/** Those that a name on the command line means: a file, a folder, or what their paths begin with. */
export function namedTests(files: readonly string[], names: readonly string[]): string[] {
  const wanted = names.map((name) => name.replace(/^\.\//, '').replace(/\.js$/, '.ts'))
  return files.filter((file) => wanted.some((name) => file.startsWith(name)))
}
