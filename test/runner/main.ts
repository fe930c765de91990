/**
 * `npm test`: compiles the tests to JavaScript once, runs them, and prints each file's result, the slowest files and the skipped tests.
 * Names after `--` are files or folders of tests. Default: the quick part, or the part that an option names.
 */
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../../src/tools/arguments.js'
import { changedFiles, testsOf } from './changed-files.js'
import { compileProject } from './compiled-project.js'
import { createImportGraph } from './import-graph.js'
import { intoProcesses } from './processes.js'
import { closingLines, fileLines } from './report.js'
import { newFolder, temporaryFolder } from './temporary-folder.js'
import { listTests, namedTests, partOf } from './test-files.js'
import { type FileOutcome, runTests } from './test-run.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const OPTIONS = {
  /** Run only the part `faults`; see `Part`. */
  faults: { type: 'boolean', default: false },
  /** Run both parts. */
  all: { type: 'boolean', default: false },
  /** Run only tests that reach a file which differs from the last commit. */
  changed: { type: 'boolean', default: false },
  /** Concurrent processes: two more than processors, because some wait for servers or for a failure to be noticed. */
  jobs: { type: 'string', default: String(availableParallelism() + 2) },
  /** Root of the project to test, with a slash at its end. */
  root: { type: 'string', default: ROOT }
} as const

const USAGE = `npm test -- [NAME…] [--faults | --all] [--changed] [--jobs N]
  NAME      folders or files of tests; without any the quick part
  --faults  the part of long histories of faults
  --all     both parts
  --changed only those that reach a file which differs from the last commit
  --jobs    processes at a time`

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line)
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments(USAGE, { allowPositionals: true, options: OPTIONS })
  const all = listTests(values.root)
  const part = values.faults ? 'faults' : 'quick'
  const isAsked = (file: string) => values.all || partOf(file) === part
  const asked = positionals.length === 0 ? all.filter(isAsked) : namedTests(all, positionals)
  if (asked.length === 0) throw new Error(`No test is named ${positionals.join(' ')}`)
  const startedMs = performance.now()
  const compiled = await compileProject(values.root)
  const graph = createImportGraph(compiled)
  const files = values.changed ? testsOf(changedFiles(values.root), asked, graph) : asked
  if (files.length === 0) {
    print(['# No test reaches what has changed'])
    return
  }
  const outcomes: FileOutcome[] = []
  const fixtures = await newFolder(join(values.root, '.tap/run-'))
  const temporary = await temporaryFolder()
  process.once('exit', () => {
    for (const folder of [fixtures, temporary]) rmSync(folder, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  await runTests({
    processes: intoProcesses(files, graph),
    compiled,
    fixtures,
    temporary,
    jobs: Number(values.jobs),
    onFile(outcome) {
      outcomes.push(outcome)
      print(fileLines(outcome))
    }
  })
  if (outcomes.length < files.length || outcomes.some(({ isOk }) => !isOk)) process.exitCode = 1
  print(closingLines(outcomes, performance.now() - startedMs))
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
