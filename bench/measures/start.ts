/** From the start of the built program to its first 200. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildPrograms } from '../../src/tools/program-build.js'
import { freePort } from '../../test/support/free-port.js'
import { type Findings, figureOf, type MeasureOptions } from '../figures.js'

const STARTS = 9
const POLL_MS = 2
const START_S_MAX = 0.6
const PACKAGES = dirname(dirname(createRequire(import.meta.url).resolve('libsql')))

export async function measureStart({ isShort }: MeasureOptions): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-start-'))
  try {
    await symlink(PACKAGES, join(folder, 'node_modules'))
    await buildPrograms(dirname(PACKAGES), join(folder, 'dist/'))
    const starts: Start[] = []
    for (let at = 0; at < (isShort ? 1 : STARTS); at++) starts.push(await start(join(folder, 'dist/src/main.js')))
    return {
      figures: [
        figureOf(
          'start until the first 200',
          's',
          starts.map(({ wallS }) => wallS),
          { atMost: START_S_MAX }
        ),
        figureOf(
          'start, processor time',
          's',
          starts.map(({ usedS }) => usedS)
        )
      ]
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Start {
  readonly wallS: number
  readonly usedS: number
}

async function start(program: string): Promise<Start> {
  const port = await freePort()
  const startedMs = performance.now()
  const env = { PATH: process.env['PATH'] ?? '', SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical', SERVICE_PORT: String(port) }
  const child = spawn(process.execPath, [program], { stdio: 'ignore', env })
  const exited = once(child, 'exit')
  while (!(await isUp(`http://127.0.0.1:${String(port)}/v1/health`))) await wait(POLL_MS)
  const wallS = (performance.now() - startedMs) / 1_000
  const usedS = await usedSecondsOf(child.pid ?? 0)
  child.kill('SIGTERM')
  await exited
  return { wallS, usedS }
}

async function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ status }) => status === 200,
    () => false
  )
}

/** proc(5): the 14th and 15th field of /proc/pid/stat, in hundredths of a second. NaN elsewhere than on Linux. */
async function usedSecondsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
