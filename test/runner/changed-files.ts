/** Finds the files of the working tree that differ from the last commit, and the tests that they may affect. */
import { spawnSync } from 'node:child_process'
import type { ImportGraph } from './import-graph.js'

/** Files that affect every test. */
const FOR_ALL: ReadonlySet<string> = new Set(['package.json', 'package-lock.json', 'tsconfig.json'])
/** A test that imports it, directly or not, reads every source. */
const READS_ALL = 'test/source-files.ts'

/** Paths, from the root, of files that were changed, deleted, or added and are not ignored. Throws outside of a git repository. */
export function changedFiles(root: string): string[] {
  return [
    ...new Set([...git(root, 'diff', '--name-only', '--relative', 'HEAD'), ...git(root, 'ls-files', '--others', '--exclude-standard')])
  ]
}

/** The test files among `files` that reach a changed file by imports or by paths that they name. */
export function testsOf(changed: readonly string[], files: readonly string[], graph: ImportGraph): string[] {
  if (changed.length === 0) return []
  if (changed.some((path) => FOR_ALL.has(path))) return [...files]
  return files.filter((file) => {
    const reached = graph.reachOf(file)
    return reached.has(READS_ALL) || changed.some((path) => reached.has(path))
  })
}

function git(root: string, ...args: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`git failed: ${stderr.trim()}`)
  return stdout.split('\n').filter(Boolean)
}
