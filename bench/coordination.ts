/**
 * Cost of groups of sessions: drift events, realignments, feedback and the observer's samples over 1,000 clusters of 20 members in 100
 * regions, and the effect of each on runs of other sessions. Run with `npm run bench:coordination`; two numbers after `--` set the clusters
 * (a multiple of 10) and members.
 */
import { cpus } from 'node:os'
import { readNumbers } from '../src/tools/arguments.js'
import type { RegionHead } from '../actors/region/state.js'
import { readConfig } from '../src/config.js'
import type { Address } from '../src/domain/address.js'
import { createSystemClock } from '../src/platform/clock.js'
import type { ActorStorage, Clock, RecordChanges } from '../src/ports.js'
import { createService, type Service } from '../src/service.js'
import { createMemoryStorage } from '../src/storage/memory.js'
import { type Cost, latest, moment, type Moment, since, type Stretch, stretchesOf } from './stretches.js'

const [CLUSTERS = 1_000, MEMBERS = 20] = readNumbers('npm run bench:coordination -- [CLUSTERS [MEMBERS]]')
const REGION_SIZE = 10
const TURNS = 2
const AT_ONCE = 50

/** Independent sessions, whose runs must not be delayed. */
const BYSTANDERS = 64

/** Repetitions of each operation before it is measured. */
const WARM_UPS = 5

/** Milliseconds between two of their runs. */
const REST_MS = 2

/** Seconds by which the clock is advanced before each event, so that all earlier votes have left the window of 60 s. */
const FORGET_S = 61

const WORDS = 'invoice password delivery contract holiday server warehouse licence backup customer budget vehicle'.split(' ')

/** An operation, run one at a time; resolves to its cost. */
interface Operation {
  readonly name: string
  readonly repeats: number
  readonly run: (at: number) => Promise<Cost>
}

interface Bench {
  readonly service: Service
  readonly forget: () => void
  /** Resolves when a commit that `isIt` accepts is durable. */
  readonly committed: (isIt: (address: Address, changes: RecordChanges) => boolean) => Promise<Moment>
}

async function main(): Promise<void> {
  print(`Node ${process.version}, ${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown processor'}`)
  const bench = await open()
  const regionIds = await populate(bench)
  await report(bench, null)
  await report(bench, { name: `drift event, region of ${String(REGION_SIZE)}`, repeats: 200, run: driftEvent(bench, regionIds) })
  await report(bench, { name: `realignment of a region of ${String(REGION_SIZE)}`, repeats: 50, run: realignment(bench, regionIds) })
  const ofEach = feedback(bench, (at) => clusterId(at % CLUSTERS))
  await report(bench, { name: `feedback to ${String(MEMBERS)} members`, repeats: 100, run: ofEach })
  await gatherOneOfEach(bench)
  await report(bench, { name: `feedback to ${String(CLUSTERS)} members`, repeats: 20, run: feedback(bench, () => 'wide') })
  await report(bench, { name: `observer's sample of ${String(CLUSTERS)} clusters`, repeats: 20, run: sample(bench) })
  const wideId = await makeRegion(bench.service, { from: 0, to: CLUSTERS })
  const alsoWide = driftEvent(bench, regionIds, wideId)
  await report(bench, { name: `drift event, also in a region of ${String(CLUSTERS)}`, repeats: 200, run: alsoWide })
  await report(bench, { name: `realignment of a region of ${String(CLUSTERS)}`, repeats: 10, run: realignment(bench, [wideId]) })
  await bench.service.close()
}

/** The default storage, observed, and a clock that can be advanced. */
async function open(): Promise<Bench> {
  const waiting = new Map<(address: Address, changes: RecordChanges) => boolean, (at: Moment) => void>()
  const memory = createMemoryStorage({ retains: false })
  const storage: ActorStorage = {
    ...memory,
    async commit(address, token, changes) {
      const next = await memory.commit(address, token, changes)
      for (const [isIt, resolve] of waiting) {
        if (!isIt(address, changes)) continue
        waiting.delete(isIt)
        resolve(moment())
      }
      return next
    }
  }
  const system = createSystemClock()
  let addedS = 0
  const clock: Clock = { ...system, now: () => system.now() + addedS }
  const config = readConfig({
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_RATE_LIMIT_PER_MINUTE: '0',
    SERVICE_LOG_LEVEL: 'error',
    SERVICE_MAX_SESSIONS: String(CLUSTERS * (MEMBERS + 2) + BYSTANDERS),
    SERVICE_SESSION_IDLE_TTL_S: '86400',
    // Makes the first run of every cluster a drift event.
    SERVICE_DRIFT_THRESHOLD: '0'
  })
  const service = await createService(config, { clock, storage })
  await service.start()
  return {
    service,
    forget: () => {
      addedS += FORGET_S
    },
    committed: (isIt) => new Promise((resolve) => waiting.set(isIt, resolve))
  }
}

/** Creates members with some turns each, clusters, regions, and an observer of all. Resolves to the regions' ids. */
async function populate({ service }: Bench): Promise<string[]> {
  const begun = moment()
  await each(BYSTANDERS, (at) => talk(service, bystanderId(at), at))
  await each(CLUSTERS * MEMBERS, (at) => talk(service, memberId(at), at))
  await each(CLUSTERS, async (at) => {
    await post(service, '/v1/cluster/', { cluster_id: clusterId(at), coupling_factor: 0.3 })
    for (let turn = 0; turn < TURNS; turn++) await post(service, `/v1/cluster/${clusterId(at)}/run`, { message: messageOf(at, turn) })
    for (let seat = 0; seat < MEMBERS; seat++) await join(service, clusterId(at), memberId(at * MEMBERS + seat))
  })
  const regionIds: string[] = []
  for (let from = 0; from < CLUSTERS; from += REGION_SIZE) regionIds.push(await makeRegion(service, { from, to: from + REGION_SIZE }))
  // So rarely that only the measured samples are taken.
  await post(service, '/v1/observer/', { sample_interval_seconds: 1e9, region_ids: regionIds })
  const { wallMs, processorMs } = since(begun)
  const residentMiB = process.memoryUsage().rss / 1024 / 1024
  print(
    `${String(CLUSTERS * MEMBERS)} sessions of ${String(TURNS)} turns, ${String(CLUSTERS)} clusters, ${String(regionIds.length)} regions: ` +
      `made in ${(wallMs / 1_000).toFixed(0)} s (processor ${(processorMs / 1_000).toFixed(0)} s), ${residentMiB.toFixed(0)} MiB resident`
  )
  return regionIds
}

/** Creates a cluster of the first members of all others. */
async function gatherOneOfEach({ service }: Bench): Promise<void> {
  await post(service, '/v1/cluster/', { cluster_id: 'wide', coupling_factor: 0.3 })
  await each(CLUSTERS, (at) => join(service, 'wide', memberId(at * MEMBERS)))
}

/** Of clusters `from` to `to`. The threshold is one cluster's share, so that the second vote within a window is a consensus. */
async function makeRegion(service: Service, { from, to }: { from: number; to: number }): Promise<string> {
  const settings = { consensus_threshold: 1 / (to - from), vote_window_seconds: FORGET_S - 1 }
  const made = await post<{ region_id: string }>(service, '/v1/region/', settings)
  const url = `/v1/region/${made.region_id}/clusters`
  for (let at = from; at < to; at++) await post(service, url, { cluster_id: clusterId(at) })
  return made.region_id
}

/** Only entering `drifted` is reported, so the session starts anew each time. */
function drift(service: Service, cluster: number, message: string): Promise<unknown> {
  return post(service, `/v1/cluster/${clusterId(cluster)}/run`, { message, reset_context: true })
}

/** From the commit that acknowledges the run to the one that counts the vote, optionally also in a second region. */
function driftEvent({ service, forget, committed }: Bench, regionIds: readonly string[], wideId?: string) {
  return async (at: number): Promise<Cost> => {
    forget()
    const cluster = (at * (REGION_SIZE + 1)) % CLUSTERS
    const acknowledged = committed(({ kind, id }) => kind === 'session' && id === clusterId(cluster))
    const votes = [regionIds[Math.floor(cluster / REGION_SIZE)], ...(wideId === undefined ? [] : [wideId])]
    const counted = votes.map((regionId) => committed(({ kind, id }) => kind === 'region' && id === regionId))
    await drift(service, cluster, messageOf(at, at))
    return latest(await acknowledged, await Promise.all(counted))
  }
}

/** From the vote that makes a consensus to the commit after which every cluster was realigned. */
function realignment({ service, forget, committed }: Bench, regionIds: readonly string[]) {
  return async (at: number): Promise<Cost> => {
    forget()
    const region = at % regionIds.length
    const stageOf = (work: RegionHead['progress']['work']) =>
      committed(({ kind, id }, { head }) => kind === 'region' && id === regionIds[region] && (head as RegionHead).progress.work === work)
    // With one region the two clusters lie in different groups of ten, so that no other region is realigned.
    const first = regionIds.length === 1 ? at % CLUSTERS : region * REGION_SIZE
    const clusters = [first, (first + (regionIds.length === 1 ? REGION_SIZE : 1)) % CLUSTERS]
    const begun = stageOf('asking')
    for (const cluster of clusters) await drift(service, cluster, messageOf(at, cluster))
    const from = await begun
    return latest(from, [await stageOf('idle')])
  }
}

/** From the request to the commit after which every member has it. */
function feedback({ service, committed }: Bench, clusterOf: (at: number) => string) {
  return async (at: number): Promise<Cost> => {
    const cluster = clusterOf(at)
    const from = moment()
    const spread = committed(({ id }, { remove }) => id === cluster && remove.some(({ collection }) => collection === 'feedback'))
    await post(service, `/v1/cluster/${cluster}/feedback`)
    return latest(from, [await spread])
  }
}

function sample({ service }: Bench) {
  return async (): Promise<Cost> => {
    const from = moment()
    const { clusters_sampled } = await post<{ clusters_sampled: number }>(service, '/v1/observer/sample')
    if (clusters_sampled !== CLUSTERS) throw new Error(`${String(clusters_sampled)} clusters were sampled`)
    return since(from)
  }
}

/** Measures the operation alone, and then beside runs of other sessions. With null it measures only those runs. */
async function report({ service }: Bench, operation: Operation | null): Promise<void> {
  const costs: Cost[] = []
  const repeat = async (keep: (cost: Cost) => void, repeats = operation?.repeats ?? 0) => {
    for (let at = 0; at < repeats; at++) keep((await operation?.run(at)) ?? { wallMs: 0, processorMs: 0 })
    if (operation === null) await new Promise((resolve) => setTimeout(resolve, 5_000))
  }
  // A few repetitions without measurement, for the compiler.
  await repeat(() => undefined, Math.min(operation?.repeats ?? 0, WARM_UPS))
  const stretches = await stretchesOf(() => repeat((cost) => costs.push(cost)))
  const runs = await runsDuring(service, () => repeat(() => undefined))
  print(`${operation?.name ?? 'nothing'}:`)
  if (operation !== null) {
    const [walls, processors] = [costs.map(({ wallMs }) => wallMs), costs.map(({ processorMs }) => processorMs)]
    print(`  ${String(costs.length)} times: ${spreadOf(walls)}; processor ${spreadOf(processors)}`)
  }
  const { own, collecting, wall } = stretches
  print(`  longest stretch of work ${longest(own)}, with a pause of the collector ${longest(collecting)}, of time ${longest(wall)}`)
  print(`  ${String(runs.length)} runs of other sessions meanwhile: ${spreadOf(runs)}`)
}

/** Wall milliseconds of sequential runs during `work`. */
async function runsDuring(service: Service, work: () => Promise<void>): Promise<number[]> {
  const took: number[] = []
  const progress = { isOver: false }
  const over = work().finally(() => {
    progress.isOver = true
  })
  for (let at = 0; !progress.isOver; at++) {
    const from = moment()
    await post(service, '/v1/run', { session_id: bystanderId(at % BYSTANDERS), message: messageOf(at, at % TURNS) })
    took.push(since(from).wallMs)
    await new Promise((resolve) => setTimeout(resolve, REST_MS))
  }
  await over
  return took
}

async function talk(service: Service, sessionId: string, at: number): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await post(service, '/v1/run', { session_id: sessionId, message: messageOf(at, turn) })
}

async function join(service: Service, cluster: string, sessionId: string): Promise<void> {
  await post(service, `/v1/cluster/${cluster}/members`, { session_id: sessionId })
}

async function post<Body>(service: Service, url: string, payload: object = {}): Promise<Body> {
  const response = await service.http.inject({ method: 'POST', url, payload })
  if (response.statusCode >= 300) throw new Error(`${url} answered ${String(response.statusCode)}: ${response.body}`)
  return response.json<Body>()
}

async function each(count: number, work: (at: number) => Promise<void>): Promise<void> {
  for (let at = 0; at < count; at += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, offset) => work(at + offset)))
  }
}

function messageOf(at: number, turn: number): string {
  const word = (step: number) => WORDS[Math.floor(at / WORDS.length ** step + turn * (step + 1)) % WORDS.length] ?? ''
  return `How do I change the ${word(0)} of the ${word(1)} after the ${word(2)} number ${String(at)} arrived?`
}

function memberId(at: number): string {
  return `member-${String(at)}`
}

function clusterId(at: number): string {
  return `cluster-${String(at)}`
}

function bystanderId(at: number): string {
  return `bystander-${String(at)}`
}

function spreadOf(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  const quantile = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0
  return `median ${ms(quantile(0.5))}, p99 ${ms(quantile(0.99))}, most ${ms(sorted.at(-1) ?? 0)}`
}

function longest({ longestMs, tooLong }: Stretch): string {
  return `${ms(longestMs)} (${String(tooLong)} too long)`
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

await main()
