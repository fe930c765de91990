/**
 * Ten thousand sessions in one process: what one costs to make, to run, to evict and to hold, from 100 to 10,000.
 * Run with `npm run bench:sessions` (it needs --expose-gc).
 */
import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import { readConfig } from '../src/config.js'
import { createSystemClock } from '../src/platform/clock.js'
import type { Clock } from '../src/ports.js'
import { createService, type Service } from '../src/service.js'

const POPULATIONS = [100, 1_000, 10_000]
const OVERFLOW = 1_000
const IDLE_TTL_S = 1_800
const AT_ONCE = 50

interface Figures {
  readonly population: number
  readonly createMs: number
  readonly runMs: number
  readonly overflowMs: number
  readonly sweepMs: number
  readonly idleBytes: number
}

async function main(): Promise<void> {
  print(`Node ${process.version}, ${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown processor'}`)
  await measure(100)
  const all: Figures[] = []
  for (const population of POPULATIONS) {
    const figures = await measure(population)
    all.push(figures)
    print(
      `${String(population).padStart(6)} sessions, ms each: create ${figures.createMs.toFixed(3)}, run ${figures.runMs.toFixed(3)}, ` +
        `create over the cap with eviction ${figures.overflowMs.toFixed(3)}, swept after the idle time ${figures.sweepMs.toFixed(3)}; ` +
        `${(figures.idleBytes / 1024).toFixed(1)} KiB each after one run`
    )
  }
  const [first, last] = [all[0], all.at(-1)]
  if (first === undefined || last === undefined) return
  print(
    `${String(last.population)} against ${String(first.population)}: create × ${(last.createMs / first.createMs).toFixed(2)}, sweep × ${(last.sweepMs / first.sweepMs).toFixed(2)}`
  )
}

/** Processor time is measured, not the wall: other processes do not count. Requests are injected, so no socket counts either. */
async function measure(population: number): Promise<Figures> {
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
  const before = heapBytes()
  const createMs = await each(population, (at) => post(service, '/v1/session/create', { session_id: `s${String(at)}` }))
  const runMs = await each(population, (at) =>
    post(service, '/v1/run', { session_id: `s${String(at)}`, message: `How do I reset password number ${String(at)}?` })
  )
  const idleBytes = (heapBytes() - before) / population
  const overflow = Math.min(OVERFLOW, population)
  const overflowMs = await each(overflow, (at) => post(service, '/v1/session/create', { session_id: `over${String(at)}` }))
  aging.add((IDLE_TTL_S + 1) * 1000)
  const started = process.cpuUsage()
  for (;;) {
    const health = await service.http.inject('/v1/health')
    if (health.json<{ active_sessions: number }>().active_sessions === 0) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const sweepMs = cpuMs(started) / population
  await service.close()
  return { population, createMs, runMs, overflowMs, sweepMs, idleBytes }
}

/** Milliseconds of processor time per item, some of them at once. */
async function each(count: number, work: (at: number) => Promise<void>): Promise<number> {
  const started = process.cpuUsage()
  for (let at = 0; at < count; at += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, offset) => work(at + offset)))
  }
  return cpuMs(started) / count
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

function heapBytes(): number {
  globalThis.gc?.()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + external + arrayBuffers
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

await main()
