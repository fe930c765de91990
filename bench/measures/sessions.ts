/** Many sessions in one process: what one costs to make, to evict and to hold. */
import { readConfig } from '../../src/config.js'
import { createSystemClock } from '../../src/platform/clock.js'
import type { Clock } from '../../src/ports.js'
import { createService, type Service } from '../../src/service.js'
import { type Figure, type Findings, figureOf, type MeasureOptions } from '../figures.js'

const POPULATIONS = [100, 1_000, 10_000]
const IDLE_TTL_S = 1_800
const AT_ONCE = 50
const POLL_MS = 50

export async function measureSessions({ isShort }: MeasureOptions): Promise<Findings> {
  const figures: Figure[] = []
  // The first ones warm up.
  await measurePopulation(isShort ? 10 : 100)
  for (const population of isShort ? [10] : POPULATIONS) figures.push(...(await measurePopulation(population)))
  return { figures }
}

/** Processor time is measured, not the wall: other processes do not count. Requests are injected, so no socket counts either. */
async function measurePopulation(population: number): Promise<Figure[]> {
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
  const before = heldBytes()
  const createMs = await each(population, (at) => post(service, '/v1/session/create', { session_id: `s${String(at)}` }))
  const runMs = await each(population, (at) =>
    post(service, '/v1/run', { session_id: `s${String(at)}`, message: `How do I reset password number ${String(at)}?` })
  )
  const idleKib = (heldBytes() - before) / population / 1_024
  const overflowMs = await each(population / 10, (at) => post(service, '/v1/session/create', { session_id: `over${String(at)}` }))
  aging.add((IDLE_TTL_S + 1) * 1_000)
  const started = process.cpuUsage()
  while ((await service.http.inject('/v1/health')).json<{ active_sessions: number }>().active_sessions > 0)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  const sweepMs = usedMs(started) / population
  await service.close()
  const among = `of ${population.toLocaleString('en')} sessions`
  return [
    figureOf(`making one ${among}`, 'ms', [createMs]),
    figureOf(`first run of one ${among}`, 'ms', [runMs]),
    figureOf(`making one more, with an eviction, ${among}`, 'ms', [overflowMs]),
    figureOf(`sweeping one ${among}`, 'ms', [sweepMs]),
    figureOf(`holding one after a run, ${among}`, 'KiB', [idleKib])
  ]
}

/** Milliseconds of processor time per item, some of them at once. */
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

/** The system's clock with a monotonic part that can be put forward, so that idle times need no waiting. */
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

/** `external` holds the array buffers too. */
function heldBytes(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function usedMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}
