/** Which files of the working tree differ from the last commit, and which tests may tell of it. */
import { spawnSync } from 'node:child_process'
import type { ImportGraph } from './import-graph.js'

/** What decides over every test. */
const FOR_ALL: ReadonlySet<string> = new Set(['package.json', 'package-lock.json', 'tsconfig.json'])
/** A test that reaches it reads every source. */
const READS_ALL = 'test/source-files.ts'

/** Paths from the root: changed, new and not ignored, and deleted ones. Throws outside of a git repository. */
export function changedFiles(root: string): string[] {
  return [
    ...new Set([...git(root, 'diff', '--name-only', '--relative', 'HEAD'), ...git(root, 'ls-files', '--others', '--exclude-standard')])
  ]
}

/** Those of the tests that reach a changed file by what they import or name. */
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
