/** Restoring sessions from SQLite: processor time, and the longest stretches of the event loop. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Findings, figureOf, histogramOf, type MeasureOptions } from '../figures.js'
import { fillSessions } from '../load.js'
import { type ServiceProcess, startServed } from '../service-process.js'
import { costOf } from './run.js'

const SIZES = [1_000, 10_000, 100_000]
const ROUNDS = 3
const RESTORE_MS_MAX = 1_500
const STRETCH_MS_MAX = 10
const TRIES_MAX = 5

export async function measureRestore({ isShort }: MeasureOptions): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-restore-'))
  const env = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(folder, 'records.db')}` }
  const sizes = isShort ? [20] : SIZES
  try {
    const filling = await startServed(env)
    for (const memories of sizes) await fillSessions(filling.url, { name: `m${String(memories)}-`, sessions: 1, memories })
    await fillSessions(filling.url, { name: 'warm', sessions: 1, memories: isShort ? 10 : 2_000 })
    await filling.close()
    const usedMs = new Map<number, number[]>()
    const longestMs = new Map<number, number[]>()
    const all: number[] = []
    for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) {
      await bringBack(env, sizes, async (served, memories, look) => {
        usedMs.set(memories, [...(usedMs.get(memories) ?? []), await costOf(served, look)])
      })
      await bringBack(env, sizes, async (served, memories, look) => {
        const stretchesMs = await served.stretchesMs(look)
        longestMs.set(memories, [...(longestMs.get(memories) ?? []), Math.max(...stretchesMs)])
        all.push(...stretchesMs)
      })
    }
    const named = (memories: number) => `${memories.toLocaleString('en')} memories`
    const isLast = (memories: number) => memories === SIZES.at(-1)
    return {
      figures: sizes.flatMap((memories) => [
        figureOf(
          `bringing back ${named(memories)}`,
          'ms',
          usedMs.get(memories) ?? [],
          isLast(memories) ? { atMost: RESTORE_MS_MAX } : undefined
        ),
        figureOf(`longest stretch of the loop meanwhile, ${named(memories)}`, 'ms', longestMs.get(memories) ?? [], {
          atMost: STRETCH_MS_MAX
        })
      ]),
      stretches: histogramOf(all)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** In a separate process: `measure` requests each session, which restores it. */
async function bringBack(
  env: Readonly<Record<string, string>>,
  sizes: readonly number[],
  measure: (served: ServiceProcess, memories: number, look: () => Promise<void>) => Promise<void>
): Promise<void> {
  const served = await startServed(env)
  await lookAt(`${served.url}/v1/metrics/warm0`)
  for (const memories of sizes) await measure(served, memories, () => lookAt(`${served.url}/v1/metrics/m${String(memories)}-0`))
  await served.close()
}

/** A request that times out is answered so, while the restore continues. */
async function lookAt(url: string): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const { status } = await fetch(url)
    if (status === 200) return
    if (status !== 503) throw new Error(`${url} answered ${String(status)}`)
  }
  throw new Error(`${url} never came back`)
}
