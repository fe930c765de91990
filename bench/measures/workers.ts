/**
 * Runs per second of one worker and of two behind one port, alternating. The clients share the processors: on a machine with two, they take
 * part of what the second worker could use. What is left can be seen from two services that share nothing, with half of the sessions each.
 */
import { startProgram } from '../built-program.js'
import { type Findings, figureOf, type MeasureOptions } from '../figures.js'
import { fillSessions, sendLoad } from '../load.js'
import { textOf } from '../texts.js'

const SESSIONS = 64
const RUNS = 1_280
const ROUNDS = 15
/** Rounds that are not counted: each of two workers has half of the runs, and is compiled as late again as a single one. */
const WARM_ROUNDS = 6
const GAIN_MIN = 1.6
/** Of the services: two with workers to compare, and two to be used together. */
const WORKERS = [1, 2, 1, 1]

export async function measureWorkers({ isShort }: MeasureOptions): Promise<Findings> {
  const sessions = isShort ? 4 : SESSIONS
  const runs = isShort ? 8 : RUNS
  const env = { SERVICE_RATE_LIMIT_PER_MINUTE: '0', SERVICE_LOG_LEVEL: 'error', SERVICE_SUBJECT_CONCURRENCY: '64' }
  const started = await Promise.all(WORKERS.map((count) => startProgram({ ...env, SERVICE_WORKERS: String(count) })))
  for (const { url } of started) await fillSessions(url, { name: 's', sessions, memories: isShort ? 5 : 200 })
  const [one, two, ...apart] = started.map(({ url }) => url) as [string, string, string, string]
  let number = 1_000_000
  /** Runs per second of all services, each of which is sent its part of the sessions. */
  const rateOf = async (urls: readonly string[]): Promise<number> => {
    const parts = urls.length
    const startedMs = performance.now()
    const load = (url: string, part: number): Promise<unknown> => {
      const bodyOf = (at: number) => ({ session_id: `s${String((at * parts + part) % sessions)}`, message: textOf(number++) })
      return sendLoad({ url, path: '/v1/run', connections: sessions / parts, requests: runs / parts, bodyOf })
    }
    await Promise.all(urls.map(load))
    return runs / ((performance.now() - startedMs) / 1_000)
  }
  const kinds = [[one], [two], apart]
  for (let round = 0; round < (isShort ? 1 : WARM_ROUNDS); round++) for (const urls of kinds) await rateOf(urls)
  const rates: number[][] = kinds.map(() => [])
  for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) for (const [at, urls] of kinds.entries()) rates[at]?.push(await rateOf(urls))
  for (const { stop } of started) await stop()
  const [ofOne = [], ofTwo = [], ofApart = []] = rates
  const overOne = (those: readonly number[]): number[] => those.map((rate, round) => rate / (ofOne[round] ?? NaN))
  return {
    figures: [
      figureOf('runs from one worker', '/s', ofOne),
      figureOf('runs from two workers', '/s', ofTwo),
      figureOf('two workers over one', '×', overOne(ofTwo), { atLeast: GAIN_MIN }),
      figureOf('two services that share nothing over one', '×', overOne(ofApart))
    ]
  }
}
