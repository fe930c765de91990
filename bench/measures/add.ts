/**
 * Adding memories to a session of 1,000: singly, by many clients and by one, and in batches of a hundred. Processor time of the service's
 * process while it is busy. For one client it wakes and sleeps for each add, which many clients share.
 */
import { type Findings, figureOf, histogramOf, type MeasureOptions } from '../figures.js'
import { fillSessions, sendLoad } from '../load.js'
import { startServed } from '../service-process.js'
import { textOf } from '../texts.js'
import { CONNECTIONS, costOf } from './run.js'

const ROUNDS = 7
/** Adds of many clients, and of one. */
const ADDS = 800
const ADDS_ALONE = 100
/** Sessions that the adds of a round go to in turn, so that none grows by a half. The batches go to the first. */
const SESSIONS_A_ROUND = 4
const BATCHES = 5
const BATCH = 100
const ADD_MS_MAX = 0.2
const BATCH_MS_MAX = 6

/** Rounds that are not counted: until then, compilation takes as much processor time as adding, in threads that are measured too. */
const WARM_ROUNDS = 6

export async function measureAdd({ isShort }: MeasureOptions): Promise<Findings> {
  const served = await startServed()
  const [warmRounds, rounds, adds, alones] = isShort ? [1, 1, 10, 10] : [WARM_ROUNDS, ROUNDS, ADDS, ADDS_ALONE]
  const oneMs: number[] = []
  const aloneMs: number[] = []
  const batchMs: number[] = []
  let number = 1_000_000
  await fillSessions(served.url, { name: 's', sessions: (warmRounds + rounds + 1) * SESSIONS_A_ROUND, memories: isShort ? 10 : 1_000 })
  const sessionOf = (round: number, at: number) => `/v1/session/s${String(round * SESSIONS_A_ROUND + (at % SESSIONS_A_ROUND))}`
  const textNext = () => ({ text: textOf(number++) })
  const addAll = (round: number, { connections, requests }: { connections: number; requests: number }) =>
    sendLoad({ url: served.url, path: (at) => `${sessionOf(round, at)}/memory`, connections, requests, bodyOf: textNext })
  const addBatches = (round: number) =>
    sendLoad({
      ...{ url: served.url, path: `${sessionOf(round, 0)}/memories`, connections: 1, requests: BATCHES },
      bodyOf: () => ({ memories: Array.from({ length: BATCH }, textNext) })
    })
  for (let round = 0; round < warmRounds + rounds; round++) {
    const alone = await costOf(served, () => addAll(round, { connections: 1, requests: alones }))
    const one = await costOf(served, () => addAll(round, { connections: CONNECTIONS, requests: adds }))
    const batch = await costOf(served, () => addBatches(round))
    if (round < warmRounds) continue
    oneMs.push(one / adds)
    aloneMs.push(alone / alones)
    batchMs.push(batch / BATCHES)
  }
  const stretches = histogramOf(
    await served.stretchesMs(async () => {
      await addAll(warmRounds + rounds, { connections: CONNECTIONS, requests: adds })
      await addBatches(warmRounds + rounds)
    })
  )
  await served.close()
  return {
    figures: [
      figureOf('one add at 1,000 memories', 'ms', oneMs, { atMost: ADD_MS_MAX }),
      figureOf('one add of one client', 'ms', aloneMs),
      figureOf('batch of 100 adds', 'ms', batchMs, { atMost: BATCH_MS_MAX })
    ],
    stretches
  }
}
