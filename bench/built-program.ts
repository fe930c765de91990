/** The service as it ships, in separate processes: built once by each measuring process, and deleted when that ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildPrograms } from '../src/tools/program-build.js'
import { freePort } from '../test/support/free-port.js'

/** Milliseconds between two checks whether it answers. */
const POLL_MS = 2
const PACKAGES = dirname(dirname(createRequire(import.meta.url).resolve('libsql')))

/** The service with its interface for the parent, built from the same chunks as the programs that ship. */
const SERVED = 'bench/served'

/** The program with many sessions of such a service. */
const POPULATION = 'bench/population'

export interface Started {
  readonly child: ChildProcess
  readonly url: string
  /** Seconds from the start to the first 200. */
  readonly startedS: number
  stop(): Promise<void>
}

let built: Promise<string> | null = null

/** Starts the program that ships. Resolves at its first 200. */
export async function startProgram(env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const program = join(await builtFolder(), 'src/main.js')
  const port = await freePort()
  const url = `http://127.0.0.1:${String(port)}`
  const settings = { SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical', SERVICE_PORT: String(port), ...env }
  const startedMs = performance.now()
  const child = spawn(process.execPath, [program], { stdio: 'ignore', env: { PATH: process.env['PATH'] ?? '', ...settings } })
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
}

/** Path of the built `bench/served.ts`. */
export async function servedProgram(): Promise<string> {
  return join(await builtFolder(), `${SERVED}.js`)
}

/** Path of the built `bench/population.ts`. */
export async function populationProgram(): Promise<string> {
  return join(await builtFolder(), `${POPULATION}.js`)
}

function builtFolder(): Promise<string> {
  built ??= build()
  return built
}

async function build(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-program-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  await symlink(PACKAGES, join(folder, 'node_modules'))
  await buildPrograms(dirname(PACKAGES), join(folder, 'dist/'), [SERVED, POPULATION])
  return join(folder, 'dist')
}

async function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ status }) => status === 200,
    () => false
  )
}
