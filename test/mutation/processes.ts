/** One process of tests, of which only the ending is of interest. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { compiledProgram } from '../support/program.js'

export interface ProcessOptions {
  /** Tests (`test/x.test.ts`): several share the process. */
  readonly files: readonly string[]
  /** Compiled project that they are in, with a slash at its end. */
  readonly compiled: string
  /** Where it runs: what tap writes is beside. */
  readonly cwd: string
  /** For what tests write elsewhere. */
  readonly temporary: string
  /** After so long it is stopped. */
  readonly msMax: number
  /** Where V8 writes what ran, if it is wanted. */
  readonly reports?: string
}

export type Ending = 'passed' | 'failed' | 'late'

/** A change may want more memory without end. */
const HEAP_MIB_MAX = 1_024

/** Resolves when it and whatever it has started are gone. It ends at its first failure. */
export async function runProcess({ files, compiled, cwd, temporary, msMax, reports }: ProcessOptions): Promise<Ending> {
  const [first = ''] = files
  const isShared = files.length > 1
  const program = isShared ? await compiledProgram('test/runner/shared-process.ts') : join(compiled, first.replace(/\.ts$/, '.js'))
  const { NODE_OPTIONS: _options, TAP: _tap, NODE_V8_COVERAGE: _coverage, ...env } = process.env
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB_MAX}`, program], {
    cwd,
    // Of a group of its own, which is stopped as one.
    detached: true,
    stdio: 'ignore',
    env: {
      ...env,
      TMPDIR: temporary,
      // Programs that tests start are the modules of this tree, too.
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
      // Servers that it left behind.
      stopGroup(child.pid)
      resolve(isLate ? 'late' : code === 0 ? 'passed' : 'failed')
    })
  })
}

function stopGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left.
  }
}
