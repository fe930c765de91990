/**
 * Runs per second of one worker and of two behind one port, alternating. The clients share the processors: on a machine with two, they take
 * part of what the second worker could use.
 */
import { startProgram } from '../built-program.js'
import { type Findings, figureOf, type MeasureOptions } from '../figures.js'
import { fillSessions, sendLoad } from '../load.js'
import { textOf } from '../texts.js'

const SESSIONS = 64
const RUNS = 1_280
const ROUNDS = 7
/** Rounds that are not counted: each of two workers has half of the runs, and is compiled as late again as a single one. */
const WARM_ROUNDS = 6
const GAIN_MIN = 1.6
const COUNTS = [1, 2]

export async function measureWorkers({ isShort }: MeasureOptions): Promise<Findings> {
  const sessions = isShort ? 4 : SESSIONS
  const runs = isShort ? 8 : RUNS
  const env = { SERVICE_RATE_LIMIT_PER_MINUTE: '0', SERVICE_LOG_LEVEL: 'error', SERVICE_SUBJECT_CONCURRENCY: '64' }
  const started = await Promise.all(COUNTS.map((count) => startProgram({ ...env, SERVICE_WORKERS: String(count) })))
  for (const { url } of started) await fillSessions(url, { name: 's', sessions, memories: isShort ? 5 : 200 })
  let number = 1_000_000
  const rateOf = async (url: string): Promise<number> => {
    const startedMs = performance.now()
    const bodyOf = (at: number) => ({ session_id: `s${String(at % sessions)}`, message: textOf(number++) })
    await sendLoad({ url, path: '/v1/run', connections: sessions, requests: runs, bodyOf })
    return runs / ((performance.now() - startedMs) / 1_000)
  }
  for (let round = 0; round < (isShort ? 1 : WARM_ROUNDS); round++) for (const { url } of started) await rateOf(url)
  const rates: number[][] = COUNTS.map(() => [])
  for (let round = 0; round < (isShort ? 1 : ROUNDS); round++)
    for (const [at, { url }] of started.entries()) rates[at]?.push(await rateOf(url))
  for (const { stop } of started) await stop()
  const [one = [], two = []] = rates
  return {
    figures: [
      figureOf('runs from one worker', '/s', one),
      figureOf('runs from two workers', '/s', two),
      figureOf(
        'two workers over one',
        '×',
        two.map((rate, round) => rate / (one[round] ?? NaN)),
        { atLeast: GAIN_MIN }
      )
    ]
  }
}
