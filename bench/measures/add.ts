/**
 * Adding memories to a session of 1,000: singly, by many clients and by one, and in batches of a hundred. Processor time of the service's
 * process. For one client it wakes and sleeps for each add, which many clients share.
 */
import { type Findings, figureOf, histogramOf, type MeasureOptions } from '../figures.js'
import { fillSessions, sendLoad } from '../load.js'
import { startServed } from '../service-process.js'
import { textOf } from '../texts.js'
import { CONNECTIONS, costOf } from './run.js'

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
  const aloneMs: number[] = []
  const batchMs: number[] = []
  let number = 1_000_000
  // Sessions per round, so that they stay near 1,000 memories.
  await fillSessions(served.url, { name: 's', sessions: rounds + 2, memories: isShort ? 10 : 1_000 })
  const addAll = (session: string, { connections, requests }: { connections: number; requests: number }) =>
    sendLoad({ url: served.url, path: `${session}/memory`, connections, requests, bodyOf: () => ({ text: textOf(number++) }) })
  const addBatches = (session: string) =>
    sendLoad({
      ...{ url: served.url, path: `${session}/memories`, connections: 1, requests: BATCHES },
      bodyOf: () => ({ memories: Array.from({ length: BATCH }, () => ({ text: textOf(number++) })) })
    })
  const sessionOf = (round: number) => `/v1/session/s${String(round)}`
  for (let round = 0; round <= rounds; round++) {
    const session = sessionOf(round)
    if (round === 0 && !isShort) await addAll(session, { connections: CONNECTIONS, requests: WARM_UP_ADDS })
    const alone = await costOf(served, () => addAll(session, { connections: 1, requests: ADDS }))
    const one = await costOf(served, () => addAll(session, { connections: CONNECTIONS, requests: ADDS }))
    const batch = await costOf(served, () => addBatches(session))
    // The first round is a warm-up.
    if (round === 0) continue
    oneMs.push(one / ADDS)
    aloneMs.push(alone / ADDS)
    batchMs.push(batch / BATCHES)
  }
  const last = sessionOf(rounds + 1)
  const stretches = histogramOf(
    await served.stretchesMs(async () => {
      await addAll(last, { connections: CONNECTIONS, requests: ADDS })
      await addBatches(last)
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
