import t from 'tap'
import { attempt, type AttemptOptions, backoffMs } from '../../src/client/attempts.js'
import { EngramError } from '../../src/client/engram-error.js'
import type { Timers } from '../../src/client/timers.js'
import { createTimers } from '../support/manual-timers.js'

const OPTIONS: AttemptOptions = { deadlineMs: 10_000, retries: 4, isRepeatable: true }
const unavailable = (retryAfterMs: number | null = null) =>
  new EngramError({ kind: 'unavailable', status: 503, detail: 'Busy', retryAfterMs })

/** Fails with each of the errors in turn, then returns `done`. */
function failing(errors: readonly EngramError[], timers: Timers) {
  const at: number[] = []
  const work = async () => {
    at.push(timers.nowMs())
    const error = errors[at.length - 1]
    if (error !== undefined) throw error
    return 'done'
  }
  return { work, at }
}

const outcomeOf = (asked: Promise<unknown>) =>
  asked.then(
    (value) => value,
    (error: unknown) => (error instanceof EngramError ? `${error.kind} after ${String(error.attempts)}` : error)
  )

t.test('a lost call is tried again later each time, until it is answered', async (t) => {
  const { timers, pass, pending } = createTimers()
  const { work, at } = failing([unavailable(), unavailable(), new EngramError({ kind: 'unreachable', detail: 'Gone' })], timers)
  const asked = outcomeOf(attempt(work, OPTIONS, timers))
  await pass(1_000)
  t.equal(await asked, 'done')
  t.same(at, [0, 50, 150, 350], 'half of 100, 200 and 400 ms')
  t.equal(pending(), 0, 'no timer is left')
})

t.test('a call waits as long as the service wants, and gives up at once when that is beyond its deadline', async (t) => {
  const first = createTimers()
  const patient = failing([unavailable(3_000)], first.timers)
  const asked = outcomeOf(attempt(patient.work, OPTIONS, first.timers))
  await first.pass(4_000)
  t.equal(await asked, 'done')
  t.same(patient.at, [0, 3_050])
  const second = createTimers()
  // With the client's own back-off of 50 ms, the first of these leaves no time at all.
  for (const retryAfterMs of [9_950, 60_000]) {
    const hopeless = failing([unavailable(retryAfterMs)], second.timers)
    t.equal(await outcomeOf(attempt(hopeless.work, OPTIONS, second.timers)), 'unavailable after 1')
    t.equal(second.pending(), 0)
  }
})

t.test('a call that may not be repeated is tried again only when it was refused before it began', async (t) => {
  const { timers, pass } = createTimers()
  const once = { ...OPTIONS, isRepeatable: false }
  t.equal(await outcomeOf(attempt(failing([unavailable()], timers).work, once, timers)), 'unavailable after 1')
  const lost = failing([new EngramError({ kind: 'unreachable', detail: 'Gone' })], timers)
  t.equal(await outcomeOf(attempt(lost.work, once, timers)), 'unreachable after 1')
  const limited = failing([new EngramError({ kind: 'rate_limited', status: 429, detail: 'Too many', retryAfterMs: 1_000 })], timers)
  const asked = outcomeOf(attempt(limited.work, once, timers))
  await pass(2_000)
  t.equal(await asked, 'done')
})

t.test('what is refused for good is not tried again, nor is more than was allowed', async (t) => {
  const { timers, pass } = createTimers()
  for (const [kind, status] of [
    ['invalid', 422],
    ['not_found', 404],
    ['conflict', 409],
    ['unauthorized', 401]
  ] as const) {
    const { work } = failing([new EngramError({ kind, status, detail: kind })], timers)
    t.equal(await outcomeOf(attempt(work, OPTIONS, timers)), `${kind} after 1`)
  }
  const { work } = failing([unavailable(), unavailable(), unavailable()], timers)
  const asked = outcomeOf(attempt(work, { ...OPTIONS, retries: 2 }, timers))
  await pass(5_000)
  t.equal(await asked, 'unavailable after 3')
})

t.test('of failures of the service or on the way those are tried again that may pass', async (t) => {
  const triesOf = async (status: number | null, kind: 'unavailable' | 'unreachable' | 'unexpected' = 'unavailable') => {
    const { timers, pass } = createTimers()
    const { work, at } = failing([new EngramError({ kind, status, detail: kind })], timers)
    const asked = outcomeOf(attempt(work, OPTIONS, timers))
    await pass(1_000)
    await asked
    return at.length
  }
  for (const status of [408, 425, 500, 502, 503, 504]) t.equal(await triesOf(status), 2, String(status))
  for (const status of [409, 499, 501, 505]) t.equal(await triesOf(status), 1, String(status))
  t.equal(await triesOf(null, 'unreachable'), 2)
  t.equal(await triesOf(null, 'unexpected'), 1)
})

t.test('a pause is a share of 100 ms, twice that each time, and of 5 seconds at most, on top of what the service wants', async (t) => {
  const pauses = (share: number, retryAfterMs: number | null) =>
    [1, 2, 6, 7, 30].map((attempts) => backoffMs(attempts, retryAfterMs, { random: () => share }))
  t.same(pauses(1, null), [100, 200, 3_200, 5_000, 5_000])
  t.same(pauses(0.5, 1_000), [1_050, 1_100, 2_600, 3_500, 3_500])
})

t.test('a program error is passed on as it is', async (t) => {
  const { timers } = createTimers()
  const wrong = new TypeError('wrong')
  t.equal(await outcomeOf(attempt(() => Promise.reject(wrong), OPTIONS, timers)), wrong)
})

/** Never answers; ends with its signal. */
const silent = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended')), { once: true }))

t.test('a deadline ends a call that is not answered, and all of its tries together', async (t) => {
  const { timers, pass, pending } = createTimers()
  const asked = outcomeOf(attempt(silent, { ...OPTIONS, deadlineMs: 700 }, timers))
  await pass(699)
  t.equal(pending(), 1)
  await pass(1)
  t.equal(await asked, 'deadline after 1')
  t.equal(pending(), 0)
})

t.test('a later try has what the earlier ones have left of the deadline', async (t) => {
  const { timers, pass, pending } = createTimers()
  const { work, at } = failing([unavailable(300)], timers)
  const asked = outcomeOf(attempt((signal) => (at.length === 0 ? work() : silent(signal)), { ...OPTIONS, deadlineMs: 700 }, timers))
  await pass(700)
  t.equal(pending(), 0)
  t.equal(await asked, 'deadline after 2')
})

t.test('a signal ends a call before it begins, under way, and between two tries', async (t) => {
  const { timers, pass, pending } = createTimers()
  t.equal(await outcomeOf(attempt(silent, { ...OPTIONS, signal: AbortSignal.abort() }, timers)), 'aborted after 1')
  for (const work of [silent, failing([unavailable(1_000)], timers).work]) {
    const controller = new AbortController()
    const asked = outcomeOf(attempt(work, { ...OPTIONS, signal: controller.signal }, timers))
    await pass(100)
    controller.abort()
    t.equal(await asked, 'aborted after 1')
    t.equal(pending(), 0)
  }
})
