/** Workers of one port, as separate processes. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { builtProgram } from './built.js'
import { LATE_OPTIMISING } from './program.js'
import { until } from './until.js'

interface LogLine {
  readonly pid: number
  readonly msg?: string
  readonly url?: string
  readonly worker?: string
}

export interface Workers {
  readonly child: ChildProcessWithoutNullStreams
  readonly url: string
  readonly lines: readonly LogLine[]
  /** Process ids of the listening workers, in the order in which they began to listen. */
  pids(): number[]
}

const program = await builtProgram('src/main')

export function runService(env: Readonly<Record<string, string>>): ChildProcessWithoutNullStreams {
  const settings = { SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical', SERVICE_PORT: '0', SERVICE_RATE_LIMIT_PER_MINUTE: '0' }
  return spawn(process.execPath, [...LATE_OPTIMISING, program], { env: { PATH: process.env['PATH'] ?? '', ...settings, ...env } })
}

/** Starts two workers, anonymous and lexical; killed when the test ends. */
export async function startWorkers(t: Test, env: Readonly<Record<string, string>> = {}): Promise<Workers> {
  const child = runService({ SERVICE_WORKERS: '2', METRICS_USER: 'scraper', METRICS_PASSWORD: 'secret', ...env })
  t.teardown(() => child.kill('SIGKILL'))
  const lines: LogLine[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line) as LogLine))
  const listening = () => lines.filter(({ msg }) => msg === 'listening')
  await until(() => listening().length === 2)
  return { child, url: listening()[0]?.url ?? '', lines, pids: () => listening().map(({ pid }) => pid) }
}

/** Uses a new connection, so that requests rotate over the workers. */
export async function call(url: string, body?: object): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { connection: 'close', 'content-type': 'application/json', authorization: `Basic ${btoa('scraper:secret')}` }
  const response = await fetch(url, body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}
