/** Cost of a run as sessions grow, beside the constant answer: processor time of the service's process, and latency for one client. */
import { type Findings, figureOf, histogramOf, medianOf, type MeasureOptions } from '../figures.js'
import { fillSessions, sendLoad } from '../load.js'
import { type ServiceProcess, startServed } from '../service-process.js'
import { textOf } from '../texts.js'

/**
 * Memories, rotating sessions, and runs per sample. Each run adds a memory; with so many sessions none grows by half, except from a single
 * one, which shows what a run costs besides finding memories.
 */
const SIZES = [
  { memories: 1, sessions: 2_000, runs: 300 },
  { memories: 100, sessions: 64, runs: 300 },
  { memories: 1_000, sessions: 8, runs: 200 },
  { memories: 10_000, sessions: 1, runs: 60 },
  { memories: 100_000, sessions: 1, runs: 20 }
]
const SHORT = [{ memories: 20, sessions: 2, runs: 10 }]
type Size = (typeof SIZES)[number]
const CONSTANT_REQUESTS = 2_000
/** Runs in sessions of their own beforehand: until then, compilation takes as much processor time as running. */
const WARM_UP_RUNS = 3_000
const WARM_UP = { memories: 200, sessions: 64, runs: WARM_UP_RUNS }
const ROUNDS = 7
/** Connections of one licence subject: the default limit of its concurrent commands. */
export const CONNECTIONS = 32
/** Sequential runs. */
const ALONE = 15

/** Goals: milliseconds at 1,000 memories, its share of the constant answer's speed, and the growth from 100 to 100,000 memories. */
const RUN_MS_MAX = 0.45
const SHARE_MIN = 0.06
const GROWTH_MAX = 4

export async function measureRun({ isShort }: MeasureOptions): Promise<Findings> {
  const sizes = isShort ? SHORT : SIZES
  const served = await startServed()
  const warmUp = isShort ? [] : [WARM_UP]
  for (const { memories, sessions } of [...warmUp, ...sizes])
    await fillSessions(served.url, { name: `m${String(memories)}-`, sessions, memories })
  let number = 1_000_000
  const runs = ({ memories, sessions }: Size, connections: number, requests: number) =>
    sendLoad({
      ...{ url: served.url, path: '/v1/run', connections, requests },
      bodyOf: () => ({ session_id: `m${String(memories)}-${String(number % sessions)}`, message: textOf(number++) })
    })
  const constant = () =>
    sendLoad({
      ...{ url: served.constantUrl, path: '/v1/run', connections: CONNECTIONS, requests: isShort ? 10 : CONSTANT_REQUESTS },
      bodyOf: (at) => ({ session_id: 's', message: textOf(at) })
    })
  await constant()
  for (const size of [...warmUp, ...sizes]) await runs(size, CONNECTIONS, size.runs)

  const constantMs: number[] = []
  const usedMs = new Map<number, number[]>()
  const aloneMs = new Map<number, number[]>()
  for (let round = 0; round < (isShort ? 2 : ROUNDS); round++) {
    constantMs.push((await costOf(served, constant)) / (isShort ? 10 : CONSTANT_REQUESTS))
    for (const size of sizes) {
      add(usedMs, size.memories, (await costOf(served, () => runs(size, CONNECTIONS, size.runs))) / size.runs)
      add(aloneMs, size.memories, medianOf(await runs(size, 1, isShort ? 3 : ALONE)))
    }
  }
  const stretches = histogramOf(
    await served.stretchesMs(async () => {
      for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) for (const size of sizes) await runs(size, CONNECTIONS, size.runs)
    })
  )
  await served.close()

  const figures = [figureOf('constant answer', 'ms', constantMs)]
  for (const [memories, samples] of usedMs) {
    figures.push(figureOf(`run ${named(memories)}`, 'ms', samples, memories === 1_000 ? { atMost: RUN_MS_MAX } : undefined))
    const shares = samples.map((sample, round) => (constantMs[round] ?? NaN) / sample)
    figures.push(
      figureOf(`constant answer over a run ${named(memories)}`, '×', shares, memories === 1_000 ? { atLeast: SHARE_MIN } : undefined)
    )
  }
  for (const [memories, samples] of aloneMs) figures.push(figureOf(`p50 of one client ${named(memories)}`, 'ms', samples))
  const [least, most] = [aloneMs.get(100), aloneMs.get(100_000)]
  if (least !== undefined && most !== undefined) {
    const growth = most.map((sample, round) => sample / (least[round] ?? NaN))
    figures.push(figureOf('p50 at 100,000 over p50 at 100', '×', growth, { atMost: GROWTH_MAX }))
  }
  return { figures, stretches }
}

/** Processor milliseconds of the service's process during `work`. */
export async function costOf(served: ServiceProcess, work: () => Promise<unknown>): Promise<number> {
  const before = await served.usedMs()
  await work()
  return (await served.usedMs()) - before
}

function add(samples: Map<number, number[]>, key: number, sample: number): void {
  samples.set(key, [...(samples.get(key) ?? []), sample])
}

function named(memories: number): string {
  return memories === 1 ? 'at 1 memory' : `at ${memories.toLocaleString('en')} memories`
}
