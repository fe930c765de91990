/** Runs tests in a process and reports only how it ended. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { compiledProgram } from '../support/program.js'

export interface ProcessOptions {
  /** Test files (`test/x.test.ts`); several share the process. */
  readonly files: readonly string[]
  /** Folder of the compiled project, with a slash at its end. */
  readonly compiled: string
  /** Working directory, which holds what tap writes. */
  readonly cwd: string
  /** Folder for temporary files. */
  readonly temporary: string
  /** Time limit; the process is then killed. */
  readonly msMax: number
  /** Folder for V8's coverage reports. Default: no coverage. */
  readonly reports?: string
}

export type Ending = 'passed' | 'failed' | 'late'

/** Heap limit: a change may allocate without end. */
const HEAP_MIB_MAX = 1_024

/** Runs the tests up to the first failure. Resolves when the process has ended, after killing what it left running. */
export async function runProcess({ files, compiled, cwd, temporary, msMax, reports }: ProcessOptions): Promise<Ending> {
  const [first = ''] = files
  const isShared = files.length > 1
  const program = isShared ? await compiledProgram('test/runner/shared-process.ts') : join(compiled, first.replace(/\.ts$/, '.js'))
  const { NODE_OPTIONS: _options, TAP: _tap, NODE_V8_COVERAGE: _coverage, ...env } = process.env
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB_MAX}`, program], {
    cwd,
    // In a process group of its own, which can be killed as a whole.
    detached: true,
    stdio: 'ignore',
    env: {
      ...env,
      TMPDIR: temporary,
      // Programs that tests start are loaded from this tree, too.
      CHANGING_TREE: '1',
      TAP_BAIL: '1',
      TAP_TIMEOUT: String(Math.ceil(msMax / 1_000)),
      ...(reports !== undefined && { NODE_V8_COVERAGE: reports }),
      ...(isShared && { SHARED_TESTS: JSON.stringify({ compiled, files }) })
    }
  })
  return new Promise((resolve, reject) => {
    let isLate = false
    const limit = setTimeout(() => {
      isLate = true
      stopGroup(child.pid)
    }, msMax)
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(limit)
      // Kills servers that the tests left behind.
      stopGroup(child.pid)
      resolve(isLate ? 'late' : code === 0 ? 'passed' : 'failed')
    })
  })
}

function stopGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is empty.
  }
}
