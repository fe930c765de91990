import t from 'tap'
import { readConfig } from '../../src/config.js'
import type { Occurrence } from '../../src/domain/commands/occurrences.js'
import { createStallWatch, sizesOf } from '../../src/metrics/stall-watch.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { createSystemIds } from '../../src/platform/random-sources.js'
import { createService } from '../../src/service.js'
import { createManualClock } from '../support/manual-clock.js'
import { whenSettled } from '../../src/platform/event-loop.js'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

/** An event loop with one timer, whose time passes only by work. */
function createLoop() {
  let elapsedMs = 0
  let due: { atMs: number; listener: () => void } | null = null
  const counted: Occurrence[] = []
  const logged: object[] = []
  const note = (fields: object) => void logged.push(fields)
  const clock = {
    now: () => 0,
    monotonicMs: () => elapsedMs,
    after(delayMs: number, listener: () => void) {
      due = { atMs: elapsedMs + delayMs, listener }
      return () => {
        due = null
      }
    },
    whenSettled
  }
  const logger = { debug: note, info: note, warn: note, error: note }
  const watch = createStallWatch({ clock, logger, counters: { count: (occurrence) => void counted.push(occurrence) } })
  watch.start()
  return {
    watch,
    counted,
    logged,
    get isLooking() {
      return due !== null
    },
    work: (ms: number) => void (elapsedMs += ms),
    /** A later turn: the timer fires, as late as the work was. */
    turn() {
      const timer = due
      if (timer === null) return
      elapsedMs = Math.max(elapsedMs, timer.atMs)
      timer.listener()
    }
  }
}

t.test(
  'what the event loop stood over for more than half a second is counted by its command, and logged with its sizes and without its texts',
  async (t) => {
    const { watch, work, turn, counted, logged } = createLoop()
    watch.during('session.store', { response: 'short' }, () => work(20))
    const command = { type: 'session.run', message: 'a secret', vectors: [[1, 2], [3]], list: new Float32Array(4) }
    t.equal(
      watch.during('session.run', command, () => (work(900), 'done')),
      'done'
    )
    turn()
    t.strictSame(counted, [{ name: 'event_loop_stall', command: 'session.run' }])
    t.strictSame(logged, [
      { command: 'session.run', stoodMs: 670, tookMs: 900, characters: 'session.run'.length + 8, numbers: 3, bytes: 16, items: 5 }
    ])
    turn()
    t.equal(counted.length, 1, 'told once')
  }
)

t.test('work that threw is told of like any other', async (t) => {
  const { watch, work, turn, counted } = createLoop()
  const failing = () => {
    work(900)
    throw new RangeError('no')
  }
  t.throws(() => watch.during('session.import', {}, failing), RangeError)
  turn()
  t.strictSame(counted, [{ name: 'event_loop_stall', command: 'session.import' }])
})

t.test('a loop that is as late as it may be is not told of', async (t) => {
  const { watch, work, turn, counted } = createLoop()
  watch.during('session.run', {}, () => work(750))
  turn()
  t.strictSame(counted, [])
})

t.test('of several pieces of work the longest is told of, whenever it came', async (t) => {
  for (const order of [
    [700, 100],
    [100, 700]
  ]) {
    const { watch, work, turn, counted } = createLoop()
    for (const ms of order) watch.during(ms === 700 ? 'session.import' : 'session.run', {}, () => work(ms))
    turn()
    t.strictSame(counted, [{ name: 'event_loop_stall', command: 'session.import' }])
  }
})

t.test('a stall that nothing noted took most of is counted as another one', async (t) => {
  const { watch, work, turn, counted, logged } = createLoop()
  watch.during('session.run', {}, () => work(200))
  work(2_000)
  turn()
  t.strictSame(counted, [{ name: 'event_loop_stall', command: 'other' }])
  t.match(logged, [{ command: 'other', lastBegun: 'session.run', longest: 'session.run' }])
})

t.test('a watch that is started twice looks once, and stops at once', async (t) => {
  const clock = createManualClock()
  const watch = createStallWatch({ clock, logger: SILENT, counters: { count() {} } })
  watch.start()
  watch.start()
  t.equal(clock.pending, 1)
  watch.stop()
  t.equal(clock.pending, 0)
})

t.test('a watch that was stopped looks no more', async (t) => {
  const loop = createLoop()
  loop.watch.stop()
  t.equal(loop.isLooking, false)
})

t.test('sizes are those of everything inside', async (t) => {
  t.strictSame(sizesOf({ a: ['xy', { b: 'z' }], c: null, d: Buffer.alloc(7), e: undefined }), {
    characters: 3,
    numbers: 0,
    bytes: 7,
    items: 2
  })
})

t.test('a whole service names the step that it stood over, in its log and in its metrics', async (t) => {
  const system = createSystemClock()
  let jumpMs = 0
  let jumpsIn = Infinity
  // Time jumps where a step makes a memory: the second id of a request, the first being its own.
  const ids = {
    uuid: () => {
      if (--jumpsIn === 0) jumpMs += 5_000
      return createSystemIds().uuid()
    }
  }
  const logs: string[] = []
  const config = readConfig({
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_LOG_LEVEL: 'warn',
    METRICS_USER: 'u',
    METRICS_PASSWORD: 'p'
  })
  const clock = { ...system, monotonicMs: () => system.monotonicMs() + jumpMs }
  const service = await createService(config, { clock, ids, logDestination: { write: (line) => void logs.push(line) } })
  t.teardown(() => service.close())
  await service.start()
  const store = (response: string) => service.http.inject({ method: 'POST', url: '/v1/store', payload: { session_id: 's', response } })
  await service.http.inject({ method: 'POST', url: '/v1/session/create', payload: { session_id: 's' } })
  await store('nothing special')
  jumpsIn = 2
  t.equal((await store('my secret text')).statusCode, 200)
  const headers = { authorization: `Basic ${Buffer.from('u:p').toString('base64')}` }
  for (let look = 0; look < 100 && logs.length === 0; look++) await new Promise((resolve) => system.after(20, () => resolve(null)))
  const scraped = await service.http.inject({ url: '/metrics', headers })
  t.match(scraped.body, /service_event_loop_stalls_total\{command="session.store"\} 1/)
  t.match(JSON.parse(logs.find((line) => line.includes('stood still')) ?? '{}'), {
    command: 'session.store',
    characters: 'session.store'.length + 'my secret text'.length
  })
  t.notMatch(logs.join(), /secret|anonymous/)
})
