/** Adding memories to a session of 1,000, singly and in batches of a hundred. Processor time of the service's process. */
import { type Findings, figureOf, histogramOf, type MeasureOptions } from '../figures.js'
import { fillSessions, sendLoad } from '../load.js'
import { startServed } from '../service-process.js'
import { textOf } from '../texts.js'
import { costOf } from './run.js'

const ROUNDS = 7
const ADDS = 100
const BATCHES = 5
const BATCH = 100
const ADD_MS_MAX = 0.2
const BATCH_MS_MAX = 6

/** Warm-up adds: before that, compilation takes as much processor time as adding, in threads that are measured too. */
const WARM_UP_ADDS = 2_500

export async function measureAdd({ isShort }: MeasureOptions): Promise<Findings> {
  const served = await startServed()
  const rounds = isShort ? 1 : ROUNDS
  const oneMs: number[] = []
  const batchMs: number[] = []
  let number = 1_000_000
  // Sessions per round, so that they stay near 1,000 memories.
  await fillSessions(served.url, { name: 's', sessions: rounds + 2, memories: isShort ? 10 : 1_000 })
  const addAll = (session: string, requests: number) =>
    sendLoad({ url: served.url, path: `${session}/memory`, connections: 1, requests, bodyOf: () => ({ text: textOf(number++) }) })
  const addBatches = (session: string) =>
    sendLoad({
      ...{ url: served.url, path: `${session}/memories`, connections: 1, requests: BATCHES },
      bodyOf: () => ({ memories: Array.from({ length: BATCH }, () => ({ text: textOf(number++) })) })
    })
  const sessionOf = (round: number) => `/v1/session/s${String(round)}`
  for (let round = 0; round <= rounds; round++) {
    const session = sessionOf(round)
    if (round === 0 && !isShort) await addAll(session, WARM_UP_ADDS)
    const one = await costOf(served, () => addAll(session, ADDS))
    const batch = await costOf(served, () => addBatches(session))
    // The first round is a warm-up.
    if (round === 0) continue
    oneMs.push(one / ADDS)
    batchMs.push(batch / BATCHES)
  }
  const last = sessionOf(rounds + 1)
  const stretches = histogramOf(
    await served.stretchesMs(async () => {
      await addAll(last, ADDS)
      await addBatches(last)
    })
  )
  await served.close()
  return {
    figures: [
      figureOf('one add at 1,000 memories', 'ms', oneMs, { atMost: ADD_MS_MAX }),
      figureOf('batch of 100 adds', 'ms', batchMs, { atMost: BATCH_MS_MAX })
    ],
    stretches
  }
}
