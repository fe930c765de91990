/** Many sessions in one process: cost of creating, evicting and holding one. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { populationProgram } from '../built-program.js'
import { type Figure, type Findings, figureOf, type MeasureOptions } from '../figures.js'

const POPULATIONS = [100, 1_000, 10_000]

/** Goal: 10,000 sessions of 20 memories in 1 GiB. With fewer sessions than the minimum, the fixed cost of the process dominates. */
const FILLED_KIB_MAX = 2 ** 20 / 10_000
const FILLED_MIN = 1_000

/** Results of `bench/population.ts`: milliseconds of processor time per session, and its size after a run. */
export interface PopulationFindings extends Readonly<Record<'createMs' | 'runMs' | 'overflowMs' | 'sweepMs' | 'idleKib', number>> {
  /** Size of a session with 20 memories; null if there are too many sessions to fill. */
  readonly filledKib: number | null
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

function figuresOf(population: number, { createMs, runMs, overflowMs, sweepMs, idleKib, filledKib }: PopulationFindings): Figure[] {
  const among = `of ${population.toLocaleString('en')} sessions`
  return [
    figureOf(`making one ${among}`, 'ms', [createMs]),
    figureOf(`first run of one ${among}`, 'ms', [runMs]),
    figureOf(`making one more, with an eviction, ${among}`, 'ms', [overflowMs]),
    figureOf(`sweeping one ${among}`, 'ms', [sweepMs]),
    figureOf(`holding one after a run, ${among}`, 'KiB', [idleKib]),
    ...(filledKib === null ? [] : [figureOf(`holding one of 20 memories, ${among}`, 'KiB', [filledKib], filledGoal(population))])
  ]
}

function filledGoal(population: number): Figure['goal'] {
  return population < FILLED_MIN ? undefined : { atMost: FILLED_KIB_MAX }
}
