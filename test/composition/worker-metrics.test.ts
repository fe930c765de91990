/** What a scrape of the workers of one machine tells while some of them end, stand still, and start again. */
import t, { type Test } from 'tap'
import { createWorkerBus } from '../../src/bus/workers/bus.js'
import type { ToWorker } from '../../src/bus/workers/messages.js'
import { createSwitchboard, type Switchboard } from '../../src/bus/workers/switchboard.js'
import { createWorkerMetrics, gatherWorkerMetrics, STARTER } from '../../src/composition/worker-metrics.js'
import { createMetrics } from '../../src/metrics/prometheus.js'
import { SILENT } from '../../src/platform/silent-logger.js'
import type { Clock } from '../../src/ports.js'
import { createManualClock, settled } from '../support/manual-clock.js'

const SCRAPE_MS_MAX = 2_000

/** A process at the switchboard whose messages arrive until `isGone`. */
function plugIn(switchboard: Switchboard, name: string, clock: Clock) {
  let hear: (message: ToWorker) => void = () => undefined
  const state = { isGone: false }
  const plug = switchboard.plugIn(name, (message, written) =>
    queueMicrotask(() => {
      if (!state.isGone) hear(message)
      written()
    })
  )
  const bus = createWorkerBus({
    name,
    line: {
      send: (message) => queueMicrotask(() => (state.isGone ? undefined : plug.receive(message))),
      listen: (listener) => (hear = listener)
    },
    clock,
    logger: SILENT
  })
  return { bus, plug, state }
}

function machine() {
  const clock = createManualClock()
  const switchboard = createSwitchboard({ clock })
  const gathering = gatherWorkerMetrics(plugIn(switchboard, STARTER, clock).bus)
  return {
    clock,
    start(name: string) {
      const ended = gathering(name)
      const { bus, plug, state } = plugIn(switchboard, name, clock)
      const metrics = createMetrics()
      const exposed = createWorkerMetrics({ metrics, bus, name })
      metrics.showActors(() => [{ kind: 'session', count: 1 }])
      return {
        metrics,
        /** What it is told no longer reaches it, and what it says reaches nobody. */
        stall: () => (state.isGone = true),
        end(): void {
          state.isGone = true
          plug.pullOut()
          ended()
        },
        async scrape(): Promise<string[]> {
          return (await exposed.expose()).body.split('\n')
        }
      }
    }
  }
}

function answer({ metrics }: ReturnType<ReturnType<typeof machine>['start']>, durationS = 1): void {
  metrics.observe({ method: 'GET', endpoint: '/v1/health', status: 200, durationS })
}

function shows(t: Test, lines: readonly string[], requests: number, sessions: number): void {
  for (const line of [
    `service_requests_total{method="GET",endpoint="/v1/health",status="200"} ${requests}`,
    `service_request_duration_seconds_bucket{le="2.5",method="GET",endpoint="/v1/health"} ${requests}`,
    `service_request_duration_seconds_count{method="GET",endpoint="/v1/health"} ${requests}`,
    `service_active_actors{kind="session"} ${sessions}`
  ])
    t.ok(lines.includes(line), `${line}, not ${lines.filter((other) => other.startsWith(line.replace(/ \d+$/, ''))).join()}`)
}

t.test('worker metrics: what a worker had counted is still counted when it was replaced, twice, and its gauges end with it', async (t) => {
  const { start } = machine()
  const [first, second] = [start('worker-1'), start('worker-2')]
  for (const one of [first, first, second, second, second]) answer(one)
  shows(t, await first.scrape(), 5, 2)
  second.end()
  shows(t, await first.scrape(), 5, 1)
  const third = start('worker-2')
  answer(third)
  shows(t, await third.scrape(), 6, 2)
  third.end()
  first.end()
  shows(t, await start('worker-1').scrape(), 6, 1)
})

t.test('worker metrics: of a worker that does not answer a scrape has the counts of the last one', async (t) => {
  const { start, clock } = machine()
  const [first, second] = [start('worker-1'), start('worker-2')]
  for (const one of [first, second]) answer(one)
  shows(t, await second.scrape(), 2, 2)
  second.stall()
  answer(first)
  const scraped = first.scrape()
  await settled()
  await clock.advance(SCRAPE_MS_MAX)
  shows(t, await scraped, 3, 1)
  second.end()
  shows(t, await first.scrape(), 3, 1)
})

t.test('worker metrics: a worker that was never scraped adds nothing when it ends', async (t) => {
  const { start } = machine()
  const [first, second] = [start('worker-1'), start('worker-2')]
  answer(first)
  answer(second)
  second.end()
  shows(t, await first.scrape(), 1, 1)
})

t.test('worker metrics: a worker that ends while it is asked is counted once', async (t) => {
  const { start } = machine()
  const [first, second] = [start('worker-1'), start('worker-2')]
  answer(second)
  answer(first)
  shows(t, await first.scrape(), 2, 2)
  const scraped = first.scrape()
  await Promise.resolve()
  second.end()
  shows(t, await scraped, 2, 1)
  shows(t, await first.scrape(), 2, 1)
})
