/** Runs compiled test files under tap, a process each, and gathers what came of them. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { Spawn, t } from 'tap'

export interface TestRun {
  /** Paths from the project's root, `test/x.test.ts`, in the order in which they begin. */
  readonly files: readonly string[]
  /** Folder that has them as JavaScript, with a slash at its end. */
  readonly compiled: string
  /** Files at a time. */
  readonly jobs: number
  /** Called as each file ends. */
  onFile(outcome: FileOutcome): void
}

/** Counts are of assertions, not of the tests around them. */
export interface Counts {
  readonly total: number
  readonly pass: number
  readonly fail: number
  readonly skip: number
  readonly todo: number
}

export interface FileOutcome {
  readonly file: string
  readonly ms: number
  readonly counts: Counts
  readonly isOk: boolean
  readonly failures: readonly Failure[]
  readonly skips: readonly Skip[]
  /** Whatever it wrote to its standard error. */
  readonly said: string
}

export interface Failure {
  readonly name: string
  /** What tap found out: place, source, difference. */
  readonly diag: unknown
}

export interface Skip {
  readonly name: string
  readonly reason: string
}

/** A file that takes longer has hung, unless it set a limit of its own. */
const FILE_MS_MAX = 300_000
/** `env` becomes node without the options by which tap records processes and modules: nothing reads that, and each child would pay. */
const LAUNCHER = ['-u', 'NODE_OPTIONS', process.execPath, '--enable-source-maps']

type Subtest = Parameters<Parameters<typeof t.on<'subtestEnd'>>[1]>[0]

/** Resolves when every file has ended. The process's exit code is set by tap. */
export async function runTests({ files, compiled, jobs, onFile }: TestRun): Promise<void> {
  t.register()
  // What tap would print is told by `onFile`.
  t.resume()
  t.setTimeout(0)
  t.jobs = jobs
  t.plan(files.length)
  const said = new Map<string, string>()
  t.on('subtestEnd', (ended) => onFile(outcomeOf(ended, said.get(ended.name) ?? '')))
  t.on('subtestStart', (child) => {
    if (!(child instanceof Spawn)) return
    child.on('process', ({ stderr }) => {
      stderr?.setEncoding('utf8').on('data', (text: string) => said.set(child.name, (said.get(child.name) ?? '') + text))
    })
  })
  const children: Promise<unknown>[] = []
  for (const file of files) {
    const child = t.spawn('env', [...LAUNCHER, join(compiled, file.replace(/\.ts$/, '.js'))], {
      name: file,
      buffered: true,
      timeout: FILE_MS_MAX,
      stdio: 'pipe',
      env: { ...process.env, TAP_TIMEOUT: String(FILE_MS_MAX / 1000), TMPDIR: tmpdir() }
    })
    children.push(child)
  }
  await Promise.all(children)
}

function outcomeOf(ended: Subtest, said: string): FileOutcome {
  const { results, counts, lists } = ended
  const { pass, fail, skip, todo, total } = counts
  const isOk = results?.ok ?? false
  // Cut short, or ended with an error after its last assertion: that is a failure of its own.
  const extra = isOk || fail > 0 ? 0 : 1
  return {
    file: ended.name,
    ms: ended.time,
    counts: { pass, fail: fail + extra, skip, todo, total: total + extra },
    isOk,
    failures: lists.fail.map(({ fullname, diag }) => ({ name: fullname, diag: diag as unknown })),
    skips: lists.skip.map(({ fullname, skip }) => ({ name: fullname, reason: String(skip) })),
    said
  }
}
