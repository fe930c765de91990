/** Runs compiled test files in processes under tap and collects their results. */
import { join } from 'node:path'
import process from 'node:process'
import { Spawn, t } from 'tap'
import { compiledProgram } from '../support/program.js'
import { SCOPE_NAME } from './scope-name.js'
import { createWrittenPlaces, type WrittenPlaces } from './written-places.js'

export interface TestRun {
  /** Files of each process, as paths from the project's root (`test/x.test.ts`), in the order in which processes start. */
  readonly processes: readonly (readonly string[])[]
  /** Folder of the compiled project, with a slash at its end. */
  readonly compiled: string
  /** Folder for fixtures, which are named after their tests. Each run needs its own, since concurrent runs may share tests. */
  readonly fixtures: string
  /** Folder for all other temporary files, which `os.tmpdir()` returns in tests. */
  readonly temporary: string
  /** Concurrent processes. */
  readonly jobs: number
  /** Called as each file ends. */
  onFile(outcome: FileOutcome): void
}

/** Numbers of assertions, not of the tests that contain them. */
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
  /** What the file wrote to standard error. */
  readonly said: string
}

export interface Failure {
  readonly name: string
  /** Tap's diagnostics: place, source, difference. */
  readonly diag: unknown
}

export interface Skip {
  readonly name: string
  readonly reason: string
}

/** Time limit of a file that sets none of its own: the longest files take 80 s, and up to ten times that on a busy machine. */
const FILE_MS_MAX = 900_000
/**
 * A larger young generation, collected less often: many objects, such as whole nodes, live for a while. The maximum saves a fifth of a
 * simulation's time, the minimum another tenth.
 */
const ROOM = ['--min-semi-space-size=16', '--max-semi-space-size=64']
/**
 * Optimises a function only after six times the usual amount of execution, because most tests call most functions a few times and end.
 * Together with ROOM it saves a sixth of the processor time. For the V8 of Node.js 20; later versions count differently and refuse it.
 */
const LATE_OPTIMISING = Number.parseInt(process.versions.v8) < 12 ? ['--interrupt-budget=400000'] : []
/** Starts node through `env` without the options by which tap records processes and modules: nothing reads that, and it costs time. */
const LAUNCHER = ['-u', 'NODE_OPTIONS', process.execPath, ...ROOM, ...LATE_OPTIMISING]

// Tap's limit of 30 s counts from the import on and so would include the time to compile.
t.setTimeout(0)

/** Program that runs the files that SHARED_TESTS names. */
const SHARED_PROCESS = 'test/runner/shared-process.ts'

type Parser = Spawn['parser']
type Ended = NonNullable<Spawn['results']>
type Result = Spawn['lists']['fail'][number]

/** Resolves when every file has ended. */
export async function runTests({ processes, compiled, fixtures, temporary, jobs, onFile }: TestRun): Promise<void> {
  t.register()
  // Discards tap's own output: `onFile` reports the results.
  t.resume()
  // `watchProcess` adds a listener per process.
  t.setMaxListeners(0)
  t.jobs = jobs
  t.plan(processes.length)
  const sharedProcess = await compiledProgram(SHARED_PROCESS)
  const places = createWrittenPlaces(compiled)
  const watched = new Map<string, Watched>()
  t.on('subtestStart', (child) => {
    const watch = watched.get(child.name)
    if (watch !== undefined && child instanceof Spawn) watchProcess(child, watch)
  })
  const children = processes.map((files, index) => {
    const isShared = files.length > 1
    const name = isShared ? `process ${String(index)}` : (files[0] ?? '')
    watched.set(name, { left: [...files], isShared, places, onFile })
    const program = isShared ? sharedProcess : join(compiled, name.replace(/\.ts$/, '.js'))
    return t.spawn('env', [...LAUNCHER, program], {
      name,
      buffered: true,
      // Each of several files also has its own limit, see `shared-process.ts`.
      timeout: FILE_MS_MAX * files.length,
      stdio: 'pipe',
      env: {
        ...process.env,
        TAP_TIMEOUT: String(FILE_MS_MAX / 1000),
        TAP_CWD: fixtures,
        TMPDIR: temporary,
        ...(isShared && { SHARED_TESTS: JSON.stringify({ compiled, files }) })
      }
    })
  })
  await Promise.all(children)
  // Lets the last calls of `onFile` happen.
  await new Promise(setImmediate)
}

interface Watched {
  /** Files that have not ended yet; the first one is running. */
  readonly left: string[]
  readonly isShared: boolean
  readonly places: WrittenPlaces
  readonly onFile: TestRun['onFile']
}

function watchProcess(child: Spawn, { left, isShared, places, onFile }: Watched): void {
  let found = nothingFound()
  let said = ''
  let startedMs = performance.now()
  let hasFailed = false
  let exitCode: number | null = null
  const end = (isOk: boolean) => {
    hasFailed ||= !isOk
    const failures = found.failures.map(({ name, diag }) => ({ name, diag: places.inDiag(diag) }))
    const outcome = outcomeOf(left.shift() ?? child.name, { ...found, failures }, { isOk, ms: performance.now() - startedMs })
    // Standard error is a separate stream and may arrive a little after the results.
    setImmediate(() => {
      onFile({ ...outcome, said: places.inText(said) })
      said = ''
    })
    found = nothingFound()
    startedMs = performance.now()
  }
  child.on('process', (started) => {
    started.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
    started.once('exit', (code) => (exitCode = code))
  })
  // In a shared process, full names begin with the process and the file.
  const named = (name: string) => (isShared ? name.slice(`${child.name} > `.length).replace(` > ${SCOPE_NAME}`, '') : name)
  child.parser.on('result', (result: Result) => add(found, result, named(result.fullname)))
  // A file that was cut short leaves a nameless parser behind.
  if (isShared)
    child.parser.on('child', (file: Parser) => file.once('complete', ({ ok }: Ended) => (file.name === left[0] ? end(ok) : undefined)))
  t.on('subtestEnd', (ended) => {
    if (ended !== child) return
    // Tap's results do not include the exit code.
    const isOk = ended.results?.ok === true && exitCode === 0
    if (isShared && left.length === 0 && (isOk || hasFailed)) return
    // Fails the files that a shared process never reached, or the process itself if it broke after all of them.
    do end(isOk && !isShared)
    while (left.length > 0)
  })
}

interface Found {
  readonly failures: Failure[]
  readonly skips: Skip[]
  passed: number
  todo: number
}

function nothingFound(): Found {
  return { failures: [], skips: [], passed: 0, todo: 0 }
}

function add(found: Found, { ok, todo, skip, diag }: Result, name: string): void {
  if (todo !== false) found.todo++
  else if (skip !== false) found.skips.push({ name, reason: String(skip) })
  else if (ok) found.passed++
  else found.failures.push({ name, diag: diag as unknown })
}

function outcomeOf(
  file: string,
  { failures, skips, passed, todo }: Found,
  ended: Pick<FileOutcome, 'isOk' | 'ms'>
): Omit<FileOutcome, 'said'> {
  const isOk = ended.isOk && passed + skips.length + todo > 0
  // A file that was cut short, has no test, or ended with an error after its last assertion counts as one failure.
  const fail = isOk ? 0 : Math.max(failures.length, 1)
  const counts = { pass: passed, fail, skip: skips.length, todo, total: passed + fail + skips.length + todo }
  return { file, ms: ended.ms, counts, isOk, failures, skips }
}
