/** The service as it ships: built once for a measure, and started as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildPrograms } from '../src/tools/program-build.js'
import { freePort } from '../test/support/free-port.js'

/** Milliseconds between two looks whether it answers. */
const POLL_MS = 2
const PACKAGES = dirname(dirname(createRequire(import.meta.url).resolve('libsql')))

export interface Started {
  readonly child: ChildProcess
  readonly url: string
  /** From its start to its first 200. */
  readonly startedS: number
  stop(): Promise<void>
}

export interface BuiltProgram {
  /** Resolves with its first 200. */
  start(env?: Readonly<Record<string, string>>): Promise<Started>
  remove(): Promise<void>
}

export async function buildProgram(): Promise<BuiltProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-program-'))
  await symlink(PACKAGES, join(folder, 'node_modules'))
  await buildPrograms(dirname(PACKAGES), join(folder, 'dist/'))
  return {
    async start(env = {}) {
      const port = await freePort()
      const url = `http://127.0.0.1:${String(port)}`
      const settings = { SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical', SERVICE_PORT: String(port), ...env }
      const startedMs = performance.now()
      const child = spawn(process.execPath, [join(folder, 'dist/src/main.js')], {
        stdio: 'ignore',
        env: { PATH: process.env['PATH'] ?? '', ...settings }
      })
      const exited = once(child, 'exit')
      while (!(await isUp(`${url}/v1/health`))) await wait(POLL_MS)
      const startedS = (performance.now() - startedMs) / 1_000
      return {
        child,
        url,
        startedS,
        async stop() {
          child.kill('SIGTERM')
          await exited
        }
      }
    },
    remove: () => rm(folder, { recursive: true })
  }
}

async function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ status }) => status === 200,
    () => false
  )
}
