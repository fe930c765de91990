/**
 * Many sessions in one process, built as it ships: TypeScript loaders give each function a name property, which makes a session a quarter
 * larger. The parent sets the number of sessions and receives the results.
 */
import { readConfig } from '../src/config.js'
import { createSystemClock } from '../src/platform/clock.js'
import type { Clock } from '../src/ports.js'
import { createService, type Service } from '../src/service.js'
import { collectGarbage } from './garbage.js'
import type { PopulationFindings } from './measures/sessions.js'
import { textOf } from './texts.js'

const IDLE_TTL_S = 1_800
const AT_ONCE = 50
const POLL_MS = 50
const WARM_UP = 100
/** Maximum number of sessions that are also filled: each takes some milliseconds. */
const FILLED_MAX = 1_000
/** Turns of one session: a message and its answer make two memories. */
const TURNS = 10

const population = Number(process.argv[2])
// Warm-up.
await measurePopulation(Math.min(WARM_UP, population))
const found = await measurePopulation(population)
process.send?.(found, () => process.disconnect())

/** Measures processor time rather than wall time, so that other processes do not count. Requests are injected, so that no sockets count. */
async function measurePopulation(population: number): Promise<PopulationFindings> {
  const aging = createAgingClock()
  const config = readConfig({
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_RATE_LIMIT_PER_MINUTE: '0',
    SERVICE_LOG_LEVEL: 'error',
    SERVICE_MAX_SESSIONS: String(population),
    SERVICE_SESSION_IDLE_TTL_S: String(IDLE_TTL_S),
    SERVICE_SESSION_SWEEP_S: '1'
  })
  const service = await createService(config, { clock: aging.clock })
  await service.start()
  const before = await heldBytes()
  const createMs = await each(population, (at) => post(service, '/v1/session/create', { session_id: `s${String(at)}` }))
  const runMs = await each(population, (at) =>
    post(service, '/v1/run', { session_id: `s${String(at)}`, message: `How do I reset password number ${String(at)}?` })
  )
  const idleBytes = ((await heldBytes()) - before) / population
  const isFilled = population <= FILLED_MAX
  if (isFilled) await fill(service, population)
  const filledBytes = isFilled ? ((await heldBytes()) - before) / population : null
  const overflowMs = await each(population / 10, (at) => post(service, '/v1/session/create', { session_id: `over${String(at)}` }))
  aging.add((IDLE_TTL_S + 1) * 1_000)
  const started = process.cpuUsage()
  while ((await service.http.inject('/v1/health')).json<{ active_sessions: number }>().active_sessions > 0)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  const sweepMs = usedMs(started) / population
  await service.close()
  return { createMs, runMs, overflowMs, sweepMs, idleBytes, filledBytes }
}

/** Fills each session with its turns: texts of a dozen words, most of them new to it. */
async function fill(service: Service, population: number): Promise<void> {
  await each(population, async (at) => {
    const session = { session_id: `s${String(at)}` }
    await post(service, '/v1/store', { ...session, response: textOf(at * TURNS * 2) })
    for (let text = at * TURNS * 2 + 1; text < (at + 1) * TURNS * 2 - 1; text += 2) {
      await post(service, '/v1/run', { ...session, message: textOf(text) })
      await post(service, '/v1/store', { ...session, response: textOf(text + 1) })
    }
  })
}

/** Processor milliseconds per item, with some items concurrent. */
async function each(count: number, work: (at: number) => Promise<void>): Promise<number> {
  const started = process.cpuUsage()
  for (let at = 0; at < count; at += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, offset) => work(at + offset)))
  }
  return usedMs(started) / count
}

async function post(service: Service, url: string, payload: object): Promise<void> {
  const response = await service.http.inject({ method: 'POST', url, payload })
  if (response.statusCode !== 200) throw new Error(`${url} answered ${String(response.statusCode)}: ${response.body}`)
}

/** The system's clock with a monotonic time that can be advanced, so that idle times need no waiting. */
function createAgingClock(): { clock: Clock; add: (ms: number) => void } {
  const system = createSystemClock()
  let addedMs = 0
  return {
    clock: { ...system, monotonicMs: () => performance.now() + addedMs },
    add: (ms) => {
      addedMs += ms
    }
  }
}

/** `external` includes the array buffers. */
async function heldBytes(): Promise<number> {
  await collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function usedMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}
