/** Many sessions in one process: cost of creating, evicting and holding one. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { populationProgram } from '../built-program.js'
import { type Figure, type Findings, figureOf, type MeasureOptions } from '../figures.js'

const POPULATIONS = [100, 1_000, 10_000]

/** Goal: 10,000 sessions of 20 memories in 1 GiB. With fewer sessions than the minimum, the fixed cost of the process dominates. */
const FILLED_KIB_MAX = 2 ** 20 / 10_000
const FILLED_MIN = 1_000
/** Memories of a session that is filled, and of one after a run. */
const FILLED = 20
const IDLE = 1
const MEMORY_BYTES_MAX = 3_000

/** Results of `bench/population.ts`: milliseconds of processor time per session, and its size after a run. */
export interface PopulationFindings extends Readonly<Record<'createMs' | 'runMs' | 'overflowMs' | 'sweepMs' | 'idleBytes', number>> {
  /** Size of a session with 20 memories; null if there are too many sessions to fill. */
  readonly filledBytes: number | null
}

export async function measureSessions({ isShort }: MeasureOptions): Promise<Findings> {
  const figures: Figure[] = []
  for (const population of isShort ? [10] : POPULATIONS) figures.push(...figuresOf(population, await measured(population)))
  return { figures }
}

async function measured(population: number): Promise<PopulationFindings> {
  const child = fork(await populationProgram(), [String(population)], {
    execArgv: ['--expose-gc'],
    env: { PATH: process.env['PATH'] ?? '' }
  })
  const exited = once(child, 'exit')
  const [found] = (await Promise.race([
    once(child, 'message'),
    exited.then(() => {
      throw new Error('the sessions ended')
    })
  ])) as [PopulationFindings]
  await exited
  return found
}

function figuresOf(population: number, { createMs, runMs, overflowMs, sweepMs, idleBytes, filledBytes }: PopulationFindings): Figure[] {
  const among = `of ${population.toLocaleString('en')} sessions`
  return [
    figureOf(`making one ${among}`, 'ms', [createMs]),
    figureOf(`first run of one ${among}`, 'ms', [runMs]),
    figureOf(`making one more, with an eviction, ${among}`, 'ms', [overflowMs]),
    figureOf(`sweeping one ${among}`, 'ms', [sweepMs]),
    figureOf(`holding one after a run, ${among}`, 'KiB', [idleBytes / 1_024]),
    ...(filledBytes === null ? [] : filledFigures({ population, among, idleBytes, filledBytes }))
  ]
}

interface Filled {
  readonly population: number
  readonly among: string
  readonly idleBytes: number
  readonly filledBytes: number
}

function filledFigures({ population, among, idleBytes, filledBytes }: Filled): Figure[] {
  const goal = (atMost: number): Figure['goal'] => (population < FILLED_MIN ? undefined : { atMost })
  return [
    figureOf(`holding one of ${String(FILLED)} memories, ${among}`, 'KiB', [filledBytes / 1_024], goal(FILLED_KIB_MAX)),
    figureOf(`a memory among ${String(FILLED)}, ${among}`, 'B', [(filledBytes - idleBytes) / (FILLED - IDLE)], goal(MEMORY_BYTES_MAX))
  ]
}
