/** Latency of the slowest runs: 64 connections, each run in one of 64 sessions of 1,000 memories. */
import { type Findings, figureOf, histogramOf, type MeasureOptions, percentile } from '../figures.js'
import { fillSessions, sendLoad } from '../load.js'
import { startServed } from '../service-process.js'
import { textOf } from '../texts.js'

const SESSIONS = 64
const ROUNDS = 5
const RUNS = 640
const TAIL_MAX = 3

export async function measureTail({ isShort }: MeasureOptions): Promise<Findings> {
  const sessions = isShort ? 2 : SESSIONS
  const served = await startServed()
  await fillSessions(served.url, { name: 's', sessions, memories: isShort ? 10 : 1_000 })
  let number = 1_000_000
  const runs = () =>
    sendLoad({
      ...{ url: served.url, path: '/v1/run', connections: sessions, requests: isShort ? 10 : RUNS },
      bodyOf: (at) => ({ session_id: `s${String(at % sessions)}`, message: textOf(number++) })
    })
  await runs()
  const rounds: number[][] = []
  for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) rounds.push((await runs()).toSorted((a, b) => a - b))
  const stretches = histogramOf(await served.stretchesMs(runs))
  await served.close()
  const at = (share: number) => rounds.map((tookMs) => percentile(tookMs, share))
  return {
    figures: [
      figureOf('p50 of runs, 64 connections, 64 sessions of 1,000', 'ms', at(0.5)),
      figureOf('p99 of runs, 64 connections, 64 sessions of 1,000', 'ms', at(0.99)),
      figureOf(
        'p99 over p50',
        '×',
        rounds.map((tookMs) => percentile(tookMs, 0.99) / percentile(tookMs, 0.5)),
        { atMost: TAIL_MAX }
      )
    ],
    stretches
  }
}
