/**
 * Sends requests designed to be expensive to a service in this process, and measures how long each occupies the event loop: `npm run
 * fuzz:cost`, or `-- --requests 500 --memories 20000 --seconds 300`, which ends at whichever limit comes first. Prints the worst ten. Exits
 * with 1 when a stretch took more processor time than a request may, or a request missed its deadline.
 */
import { mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { readArguments } from '../src/tools/arguments.js'
import { readConfig } from '../src/config.js'
import { createService, type Service } from '../src/service.js'
import { type CostlyRequest, costlyRequests, type CostlySession, type Surroundings } from './costly-requests.js'
import { COSTLY_TEXTS, createChance, nearTwin } from './costly-texts.js'
import { watchPauses } from './stretches.js'

/** Maximum processor milliseconds of a request in one stretch. */
const STRETCH_MS_MAX = 250

const SHOWN = 10

/** Milliseconds after which the service answers with a time-out: no request here takes that long unless it hangs. */
const DEADLINE_MS = 30_000

/** Requests between two lines of progress. */
const TOLD_EACH = 250
const INGESTED_AT_ONCE = 1_000

/** User name for the metrics; the service runs in this process and does not listen. */
const METRICS_NAME = 'fuzz'

const SESSIONS: readonly CostlySession[] = [
  { id: 'small', dimension: 384 },
  { id: 'other', dimension: 384 },
  { id: 'wide', dimension: 16_384 }
]
const CROWDED: CostlySession = { id: 'crowded', dimension: 384 }

interface Measured {
  readonly name: string
  readonly status: number
  readonly bytes: number
  readonly longestMs: number
  /** Pause of the garbage collector during the longest stretch, in wall time. */
  readonly collectedMs: number
  readonly totalMs: number
  /** Wall time until the end of the answer. */
  readonly answeredMs: number
}

/** Between two clock readings. */
interface Stretch {
  readonly workedMs: number
  readonly fromMs: number
  readonly toMs: number
}

const USAGE = `npm run fuzz:cost -- [--requests N] [--seed N] [--memories N] [--seconds N] [--only NAME,…]`

async function main(): Promise<void> {
  const { values } = readArguments(USAGE, {
    options: {
      requests: { type: 'string', default: '5000' },
      seed: { type: 'string', default: '1' },
      memories: { type: 'string', default: '100000' },
      seconds: { type: 'string', default: 'Infinity' },
      only: { type: 'string', default: '' }
    }
  })
  const folder = mkdtempSync(join(tmpdir(), 'engram-cost-'))
  const config = readConfig({
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_RATE_LIMIT_PER_MINUTE: '0',
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_LOG_LEVEL: 'error',
    SERVICE_STATE_PERSIST: '1',
    SERVICE_COMPLIANCE: '1',
    METRICS_USER: METRICS_NAME,
    METRICS_PASSWORD: METRICS_NAME,
    DATABASE_URL: `sqlite:${join(folder, 'state.db')}`
  })
  const service = await createService(config)
  await service.start()
  try {
    const around = await prepare(service, Number(values.memories))
    const measured: Measured[] = []
    const wanted = values.only.split(',')
    const requests = costlyRequests(Number(values.seed), around)
    const endsAtMs = performance.now() + Number(values.seconds) * 1_000
    while (measured.length < Number(values.requests) && performance.now() < endsAtMs) {
      const request = requests.next().value
      if (!wanted.some((prefix) => request.name.startsWith(prefix))) continue
      const taken = await measure(service, request)
      measured.push(taken)
      if (taken.longestMs > STRETCH_MS_MAX) console.error(lineOf(taken))
      if (measured.length % TOLD_EACH === 0) console.error(await progressOf(service, measured))
    }
    process.exitCode = report(measured) ? 0 : 1
  } finally {
    await service.close()
    rmSync(folder, { recursive: true })
  }
}

/**
 * Creates sessions of every kind: wide ones, one with many memories, one with near-duplicates, clusters, and regions of them that realign
 * at each drift. Also exports some.
 */
async function prepare(service: Service, memories: number): Promise<Surroundings> {
  const clusters: CostlySession[] = []
  for (const { id, dimension } of [...SESSIONS, CROWDED]) {
    for (const name of [id, `twins-${id}`, `reset-${id}`, `copies-${id}`])
      await demand(service, 'POST', '/v1/session/create', { session_id: name, dimension })
    const { cluster_id: clusterId } = (await demand(service, 'POST', '/v1/cluster/', { dimension, coupling_factor: 0.5 })) as {
      cluster_id: string
    }
    clusters.push({ id: clusterId, dimension })
    await demand(service, 'POST', `/v1/cluster/${clusterId}/members`, { session_id: id })
    await demand(service, 'POST', `/v1/session/twins-${id}/memories`, {
      memories: Array.from({ length: 1_000 }, (_, at) => ({ text: nearTwin(at, at < 500 ? 80 : 900) }))
    })
  }
  const regions: string[] = []
  for (const dimension of new Set(clusters.map((cluster) => cluster.dimension))) {
    // Any drift is a sufficient vote, and realigns the region.
    const { region_id: regionId } = (await demand(service, 'POST', '/v1/region/', { consensus_threshold: 0.01 })) as { region_id: string }
    for (const { id } of clusters.filter((cluster) => cluster.dimension === dimension))
      await demand(service, 'POST', `/v1/region/${regionId}/clusters`, { cluster_id: id })
    regions.push(regionId)
  }
  const chance = createChance(0)
  const words = COSTLY_TEXTS['usual words'] as NonNullable<(typeof COSTLY_TEXTS)[string]>
  for (let at = 0; at < memories; at += INGESTED_AT_ONCE) {
    const texts = Array.from(
      { length: Math.min(INGESTED_AT_ONCE, memories - at) },
      (_, number) => `${words(60, chance)} ${String(at + number)}`
    )
    await demand(service, 'POST', '/v1/session/crowded/memories', { memories: texts.map((text) => ({ text })) })
  }
  const exports = new Map<string, unknown>()
  for (const id of ['twins-small', 'twins-other']) exports.set(id, await demand(service, 'GET', `/v1/session/${id}/export`, null))
  return { sessions: SESSIONS, crowded: CROWDED, clusters, regions, exports }
}

async function demand(service: Service, method: CostlyRequest['method'], url: string, body: unknown, tries = 5): Promise<unknown> {
  const answer = await service.http.inject({ method, url, ...(body !== null && { payload: body as object }) })
  // A busy machine may have caused a time-out; a repeated request has no further effect.
  if (answer.statusCode === 503 && tries > 1) return demand(service, method, url, body, tries - 1)
  if (answer.statusCode >= 300) throw new Error(`${method} ${url} answered ${String(answer.statusCode)}: ${answer.body.slice(0, 300)}`)
  return answer.json()
}

async function measure(service: Service, { name, method, url, body, before = [] }: CostlyRequest): Promise<Measured> {
  for (const asked of before) await demand(service, asked.method, asked.url, asked.body)
  const payload = body === null ? undefined : Buffer.from(JSON.stringify(body))
  const stretches: Stretch[] = []
  const began = workedMs()
  const askedAtMs = performance.now()
  let last = { workMs: began, atMs: askedAtMs }
  const note = (): void => {
    const now = { workMs: workedMs(), atMs: performance.now() }
    stretches.push({ workedMs: now.workMs - last.workMs, fromMs: last.atMs, toMs: now.atMs })
    last = now
  }
  const stopPauses = watchPauses()
  const ticker = setInterval(note, 1)
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  // As a stream, because otherwise a long answer would first be assembled as one text.
  const answer = await service.http.inject({ method, url, headers, payloadAsStream: true, ...(payload !== undefined && { payload }) })
  await finished(answer.stream().resume())
  const answeredMs = performance.now() - askedAtMs
  await new Promise<void>((resolve) => setTimeout(resolve, 2))
  clearInterval(ticker)
  note()
  // Pauses are reported in a later iteration.
  await new Promise<void>((resolve) => setTimeout(resolve, 2))
  const longest = stretches.reduce((a, b) => (b.workedMs > a.workedMs ? b : a))
  const collectedMs = stopPauses()
    .filter(({ fromMs }) => fromMs >= longest.fromMs && fromMs < longest.toMs)
    .reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  return {
    name,
    status: answer.statusCode,
    bytes: payload?.length ?? 0,
    longestMs: longest.workedMs,
    collectedMs,
    totalMs: last.workMs - began,
    answeredMs
  }
}

/** Progress, and memory of the process by V8 and by the service's own accounting. */
async function progressOf({ http }: Service, measured: readonly Measured[]): Promise<string> {
  const tooLong = measured.filter(({ longestMs }) => longestMs > STRETCH_MS_MAX).length
  const { heapUsed, rss } = process.memoryUsage()
  const authorization = `Basic ${Buffer.from(`${METRICS_NAME}:${METRICS_NAME}`).toString('base64')}`
  const { body } = await http.inject({ method: 'GET', url: '/metrics', headers: { authorization } })
  const counted = [...body.matchAll(/^service_held_heap_bytes\{.*\} (\S+)$/gm)].reduce((sum, [, bytes]) => sum + Number(bytes), 0)
  const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)
  return `${String(measured.length)} requests, ${String(tooLong)} too long; MiB: heap ${mib(heapUsed)}, counted ${mib(counted)}, resident ${mib(rss)}`
}

function lineOf({ name, status, bytes, longestMs, collectedMs, totalMs }: Measured): string {
  return `${longestMs.toFixed(0).padStart(6)} ms at a stretch (${collectedMs.toFixed(0).padStart(4)} collecting), ${totalMs.toFixed(0).padStart(6)} ms in all, ${String(bytes).padStart(8)} bytes, ${String(status)}  ${name}`
}

/** Prints the report; returns false when a request took too long at a stretch. */
function report(measured: readonly Measured[]): boolean {
  const worst = measured.toSorted((a, b) => b.longestMs - a.longestMs)
  const tooLong = worst.filter(({ longestMs }) => longestMs > STRETCH_MS_MAX)
  const faults = measured.filter(({ status, answeredMs }) => (status >= 500 && status !== 503) || answeredMs >= DEADLINE_MS)
  for (const taken of worst.slice(0, SHOWN)) console.log(lineOf(taken))
  console.log(
    `${String(measured.length)} requests, ${String(tooLong.length)} with more than ${String(STRETCH_MS_MAX)} ms at a stretch, ${String(faults.length)} faults`
  )
  for (const { name, status, answeredMs } of faults.slice(0, SHOWN))
    console.log(`${String(status)} after ${answeredMs.toFixed(0)} ms: ${name}`)
  return tooLong.length === 0 && faults.length === 0
}

/**
 * Milliseconds that the main thread has been on a processor: proc(5), first number of /proc/pid/schedstat. On other systems, the processor
 * time of the process.
 */
function createWorkReader(): () => number {
  const text = Buffer.alloc(128)
  try {
    const file = openSync('/proc/self/schedstat', 'r')
    return () => Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ')[0]) / 1e6
  } catch {
    return () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1_000
    }
  }
}

const workedMs = createWorkReader()

await main()
