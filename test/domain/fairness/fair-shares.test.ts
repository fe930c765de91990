import t from 'tap'
import { createFairShares } from '../../../src/domain/fairness/fair-shares.js'

/** Milliseconds of the measurement, and of one piece of work. */
const MEASURED_MS = 10_000
const PIECE_MS = 2

interface Worker {
  /** Milliseconds of one piece, and milliseconds from its end to the request for the next. */
  readonly pieceMs: number
  readonly pauseMs: number
  readonly untilMs?: number
}

/** Simulates one event loop, in which workers queue for their next piece. Returns what each has used in total, and rested. */
function measured(workers: Readonly<Record<string, Worker>>, fromMs = 0) {
  const shares = createFairShares()
  const lines = Object.entries(workers).map(([subject, worker]) => ({ subject, ...worker, nextMs: 0, usedMs: 0, restedMs: 0 }))
  for (let nowMs = 0; nowMs < MEASURED_MS;) {
    const next = lines.filter(({ untilMs = Infinity }) => nowMs < untilMs).sort((a, b) => a.nextMs - b.nextMs)[0]
    if (next === undefined) break
    nowMs = Math.max(nowMs, next.nextMs) + next.pieceMs
    const restMs = shares.use(next.subject, next.pieceMs, nowMs)
    if (nowMs > fromMs) {
      next.usedMs += next.pieceMs
      next.restedMs += restMs
    }
    next.nextMs = nowMs + next.pauseMs + restMs
  }
  return Object.fromEntries(lines.map(({ subject, usedMs, restedMs }) => [subject, { usedMs, restedMs }]))
}

const BUSY: Worker = { pieceMs: PIECE_MS, pauseMs: 0 }

t.test('a subject alone never rests', async (t) => {
  t.same(measured({ busy: BUSY }), { busy: { usedMs: MEASURED_MS, restedMs: 0 } })
})

t.test('a busy subject beside one that seldom works uses a fifth of the time, and the other one never rests', async (t) => {
  const { busy, light } = measured({ busy: BUSY, light: { pieceMs: 1, pauseMs: 100 } })
  t.ok(Math.abs((busy?.usedMs ?? 0) - MEASURED_MS / 5) < MEASURED_MS / 50, `${String(busy?.usedMs)} ms`)
  t.equal(light?.restedMs, 0)
})

t.test('subjects that are all busy use all the time there is', async (t) => {
  for (const count of [2, 3]) {
    const workers = Object.fromEntries(Array.from({ length: count }, (_, at) => [`busy-${String(at)}`, BUSY]))
    const used = Object.values(measured(workers)).map(({ usedMs }) => usedMs)
    t.ok(used.reduce((sum, ms) => sum + ms, 0) > 0.95 * MEASURED_MS, used.join(' '))
    t.ok(Math.max(...used) - Math.min(...used) < MEASURED_MS / 20, used.join(' '))
  }
})

t.test('a busy subject whose lighter neighbour has gone rests no longer', async (t) => {
  const { busy } = measured({ busy: BUSY, light: { pieceMs: 1, pauseMs: 100, untilMs: 1_000 } }, 2_000)
  t.equal(busy?.restedMs, 0)
})

t.test('a subject is present for half a second after its work', async (t) => {
  const restOf = (atMs: number): number => {
    const shares = createFairShares()
    shares.use('light', 1, 0)
    return shares.use('busy', 400, atMs)
  }
  t.equal(restOf(500), 50)
  t.equal(restOf(501), 0)
})

t.test('one long piece of work costs a subject no more than a rest of 50 ms', async (t) => {
  const shares = createFairShares()
  shares.use('light', 1, 0)
  t.equal(shares.use('busy', 400, 400), 50)
})

t.test('a subject whose cost is estimated does not rest for more time than has passed', async (t) => {
  const shares = createFairShares()
  shares.use('light', 0.5, 0)
  for (let request = 0; request < 1_000; request++) t.equal(shares.use('busy', 0.5, 0), 0)
  t.equal(shares.use('busy', 0.5, 2), 0, 'two milliseconds are within its credit')
  let rests = 0
  for (let atMs = 3; atMs < 100; atMs++) if (shares.use('busy', 1, atMs) > 0) rests += 1
  t.ok(rests > 0, 'once there was time for it')
})
