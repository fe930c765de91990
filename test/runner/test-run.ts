/** Runs compiled test files under tap, a process each, and gathers what came of them. */
import { join } from 'node:path'
import process from 'node:process'
import { Spawn, t } from 'tap'
import { compiledProgram } from '../support/program.js'
import { SCOPE_NAME } from './scope-name.js'
import { createWrittenPlaces, type WrittenPlaces } from './written-places.js'

export interface TestRun {
  /** Paths from the project's root, `test/x.test.ts`, by process, in the order in which those begin. */
  readonly processes: readonly (readonly string[])[]
  /** Folder that has them as JavaScript, with a slash at its end. */
  readonly compiled: string
  /** Folder for fixtures, which are called by their tests: of this run alone, as others may have the same tests. */
  readonly fixtures: string
  /** Folder for everything else, as `os.tmpdir()` tells it. */
  readonly temporary: string
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

/** A file that takes longer has hung, unless it set a limit of its own: the longest take 80 s, and ten times that where others work too. */
const FILE_MS_MAX = 900_000
/**
 * Where much lives for a while, as whole nodes do, it is collected less often: a fifth of a simulation's time, and a tenth more when there
 * is room from the beginning.
 */
const ROOM = ['--min-semi-space-size=16', '--max-semi-space-size=64']
/**
 * A function is optimised once it has run six times as long as it has to elsewhere: most tests call most functions a few times, and end.
 * With the room, a sixth of the processor time. Of the V8 in Node.js 20: later ones count in another way, and refuse the option.
 */
const LATE_OPTIMISING = Number.parseInt(process.versions.v8) < 12 ? ['--interrupt-budget=400000'] : []
/** `env` becomes node without the options by which tap records processes and modules: nothing reads that, and each child would pay. */
const LAUNCHER = ['-u', 'NODE_OPTIONS', process.execPath, ...ROOM, ...LATE_OPTIMISING]

// Tap's limit of 30 s would count from the import on, and with it what a slow machine takes to compile.
t.setTimeout(0)

/** Runs the files that SHARED_TESTS names. */
const SHARED_PROCESS = 'test/runner/shared-process.ts'

type Parser = Spawn['parser']
type Ended = NonNullable<Spawn['results']>
type Result = Spawn['lists']['fail'][number]

/** Resolves when every file has ended. */
export async function runTests({ processes, compiled, fixtures, temporary, jobs, onFile }: TestRun): Promise<void> {
  t.register()
  // What tap would print is told by `onFile`.
  t.resume()
  // Each process listens for its end.
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
      // Of several files each has its own limit.
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
  // What they said last is told then.
  await new Promise(setImmediate)
}

interface Watched {
  /** Files that have not ended yet; the first one is at work. */
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
    // What it said comes by another way than its results, and may come a little later.
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
  // Names begin with that of the file.
  const named = (name: string) => (isShared ? name.slice(`${child.name} > `.length).replace(` > ${SCOPE_NAME}`, '') : name)
  child.parser.on('result', (result: Result) => add(found, result, named(result.fullname)))
  // A file that was cut short leaves a nameless one behind.
  if (isShared)
    child.parser.on('child', (file: Parser) => file.once('complete', ({ ok }: Ended) => (file.name === left[0] ? end(ok) : undefined)))
  t.on('subtestEnd', (ended) => {
    if (ended !== child) return
    // Tap leaves the exit code to its own output.
    const isOk = ended.results?.ok === true && exitCode === 0
    if (isShared && left.length === 0 && (isOk || hasFailed)) return
    // Of a shared process, those that it never came to; or it broke after all of them.
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
  // Cut short, without a test, or ended with an error after its last assertion: that is a failure of its own.
  const fail = isOk ? 0 : Math.max(failures.length, 1)
  const counts = { pass: passed, fail, skip: skips.length, todo, total: passed + fail + skips.length + todo }
  return { file, ms: ended.ms, counts, isOk, failures, skips }
}
