/**
 * Cost of several nodes on one machine: a run at its owner compared with one through another node; the throughput of one, two and three
 * nodes; messages and database writes at rest and per run. Client, nodes, broker and database share the processors, so their shares are
 * reported. Run with `npm run bench:nodes`, or `-- latency`, `-- throughput`, `-- traffic` for a part.
 */
import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import { readArguments, refuseArguments } from '../src/tools/arguments.js'
import { createNodeRig, metricOf, type NodeRig, type Nodes, pause, processorUse, type ProcessorUse } from './node-rig.js'

const NODES_MAX = 3
/** Pairs of runs per load, over this many sessions. */
const PAIRS = 2_000
const SESSIONS = 24
const LOADS = [1, 8]
/** Runs per measurement of throughput, sessions, and concurrent runs. */
const RUNS = 2_500
const RUN_SESSIONS = 200
const RUNS_AT_ONCE = 24
const ROUNDS = 3
const WARM_RUNS = 600
/** Runs per measurement of traffic, and seconds at rest. */
const COUNTED_RUNS = 500
const REST_S = 20
/**
 * Milliseconds after which PostgreSQL's processes have reported their counts: at most ten seconds after they become idle
 * (`PGSTAT_IDLE_INTERVAL`).
 */
const TOLD_MS = 11_000

async function main(): Promise<void> {
  const parts: Readonly<Record<string, (rig: NodeRig) => Promise<void>>> = { latency, throughput, traffic }
  const usage = `npm run bench:nodes -- [${Object.keys(parts).join('|')}]…`
  const { positionals: wanted } = readArguments(usage, { allowPositionals: true })
  const unknown = wanted.find((name) => !Object.hasOwn(parts, name))
  if (unknown !== undefined) refuseArguments(usage, `There is no part ${unknown}`)
  print(
    `Node ${process.version}, ${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown processor'}; lexical embedder, 384 dimensions, PostgreSQL and NATS on this machine too`
  )
  const rig = await createNodeRig()
  try {
    for (const [name, measure] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) await measure(rig)
  } finally {
    await rig.close()
  }
}

/** The order within pairs alternates, so that other load on the machine affects both alike. */
async function latency(rig: NodeRig): Promise<void> {
  const nodes = await rig.startNodes(NODES_MAX)
  await runAll('warm', WARM_RUNS, (at) => nodes.urls[at % NODES_MAX] ?? '')
  for (const load of LOADS) {
    const ownerMs: number[] = []
    const otherMs: number[] = []
    let pairs = 0
    const client = async (): Promise<void> => {
      for (let at = pairs++; at < PAIRS; at = pairs++) {
        const session = `l${String(load)}-${String(at % SESSIONS)}`
        const isOwnerFirst = Math.floor(at / SESSIONS) % 2 === 0
        for (const isOwner of [isOwnerFirst, !isOwnerFirst]) {
          const url = isOwner ? nodes.ownerOf(session) : otherThanOwner(nodes, session, at)
          const started = performance.now()
          await run(url, session, at * 2 + Number(isOwner))
          ;(isOwner ? ownerMs : otherMs).push(performance.now() - started)
        }
      }
    }
    const before = await forwardsOf(nodes)
    await Promise.all(Array.from({ length: load }, client))
    const forwards = (await forwardsOf(nodes)) - before
    print(
      `\nA run, ms, ${String(load)} at once, ${String(PAIRS)} pairs on ${String(NODES_MAX)} nodes; ${String(forwards)} asks were forwarded`
    )
    print(`  on its owner         p50 ${quantile(ownerMs, 0.5)}  p99 ${quantile(ownerMs, 0.99)}`)
    print(`  through another node p50 ${quantile(otherMs, 0.5)}  p99 ${quantile(otherMs, 0.99)}`)
  }
  await nodes.stop()
}

/** The numbers of nodes alternate. 0 is one process without a broker. */
async function throughput(rig: NodeRig): Promise<void> {
  const counts = [0, 1, 2, NODES_MAX]
  const rounds: { readonly count: number; readonly perSecond: number; readonly use: ProcessorUse; readonly wallMs: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const count of counts) {
      const nodes = await rig.startNodes(count)
      const anyNode = (at: number): string => nodes.urls[at % nodes.urls.length] ?? ''
      await runAll('warm', WARM_RUNS * nodes.urls.length, anyNode)
      const [before, started] = [processorUse(), performance.now()]
      await runAll('t', RUNS, anyNode)
      const wallMs = performance.now() - started
      rounds.push({ count, perSecond: (RUNS / wallMs) * 1000, use: usedSince(before), wallMs })
      await nodes.stop()
    }
  }
  print(
    `\nRuns a second, ${String(RUNS_AT_ONCE)} at once over ${String(RUN_SESSIONS)} sessions, each on any node; medians of ${String(ROUNDS)}`
  )
  for (const count of counts) {
    const own = rounds.filter((round) => round.count === count)
    const share = (of: (use: ProcessorUse) => number): string =>
      `${median(own.map(({ use, wallMs }) => (100 * of(use)) / (wallMs * cpus().length))).toFixed(0)} %`
    const nodeMs = median(own.map(({ use }) => use.nodes)) / RUNS
    print(
      `  ${count === 0 ? 'one process, no broker' : `nodes: ${String(count)}`.padEnd(22)} ${median(own.map(({ perSecond }) => perSecond))
        .toFixed(0)
        .padStart(5)}/s ` +
        `(${own.map(({ perSecond }) => perSecond.toFixed(0)).join(', ')}); ${nodeMs.toFixed(2)} ms of the nodes' processor a run; ` +
        `of ${String(cpus().length)} processors: client ${share(({ client }) => client)}, nodes ${share((use) => use.nodes)}, ` +
        `broker ${share(({ broker }) => broker)}, database ${share(({ database }) => database)}`
    )
  }
}

type Traffic = Readonly<Record<(typeof COUNTED)[number], number>>

const COUNTED = [
  'inMessages',
  'outMessages',
  'inBytes',
  'outBytes',
  'transactions',
  'rowsWritten',
  'logBytes',
  'nodes',
  'broker',
  'database'
] as const

/** Usage at rest is subtracted from usage under load. */
async function traffic(rig: NodeRig): Promise<void> {
  print(
    `\n${''.padEnd(37)}NATS messages: sent, delivered, KiB sent, delivered; database: transactions, rows written, KiB of log; processor, ms: nodes, broker, database`
  )
  for (const count of [0, 1, 2, NODES_MAX]) {
    const nodes = await rig.startNodes(count)
    const name = count === 0 ? 'no broker' : `nodes: ${String(count)}`
    await runAll('warm', WARM_RUNS * nodes.urls.length, (at) => nodes.ownerOf(sessionName('warm', at)))
    await pause(TOLD_MS)
    const rest = await counted(rig, nodes, () => pause(REST_S * 1000))
    report(`${name}, a second at rest`, rest.traffic, rest.seconds)
    const ways: [prefix: string, where: string, urlOf: (session: string, at: number) => string][] = [
      ['own', 'on their owner', (session) => nodes.ownerOf(session)]
    ]
    if (count > 1) ways.push(['other', 'through another', (session, at) => otherThanOwner(nodes, session, at)])
    for (const [prefix, where, urlOf] of ways) {
      const urlAt = (at: number): string => urlOf(sessionName(prefix, at), at)
      // The writes of a run depend on its session's content, so each session starts with one run.
      await runAll(prefix, RUN_SESSIONS, urlAt)
      await pause(TOLD_MS)
      const runs = await counted(rig, nodes, () => runAll(prefix, COUNTED_RUNS, urlAt))
      report(`${name}, a run ${where}`, without(runs.traffic, rest.traffic, runs.seconds / rest.seconds), COUNTED_RUNS)
      const reads = await counted(rig, nodes, () => readAll(prefix, COUNTED_RUNS, urlAt))
      report(`${name}, a read ${where}`, without(reads.traffic, rest.traffic, reads.seconds / rest.seconds), COUNTED_RUNS)
    }
    await nodes.stop()
  }
}

async function counted(rig: NodeRig, nodes: Nodes, work: () => Promise<void>): Promise<{ traffic: Traffic; seconds: number }> {
  const started = performance.now()
  const countsNow = async () => ({ ...(await rig.natsCounts()), ...(await nodes.databaseCounts()), ...processorUse() })
  const before = await countsNow()
  await work()
  await pause(TOLD_MS)
  const after = await countsNow()
  return { traffic: without(after, before, 1), seconds: (performance.now() - started) / 1000 }
}

function without(all: Traffic, part: Traffic, times: number): Traffic {
  return Object.fromEntries(COUNTED.map((name) => [name, all[name] - part[name] * times])) as Traffic
}

function report(name: string, traffic: Traffic, divisor: number): void {
  const figure = (value: number): string => (value / divisor).toFixed(2).padStart(9)
  const kib = (value: number): string => figure(value / 1024)
  const { inMessages, outMessages, inBytes, outBytes, transactions, rowsWritten, logBytes, nodes, broker, database } = traffic
  print(
    `  ${name.padEnd(34)} ${figure(inMessages)} ${figure(outMessages)} ${kib(inBytes)} ${kib(outBytes)}; ` +
      `${figure(transactions)} ${figure(rowsWritten)} ${kib(logBytes)}; ${figure(nodes)} ${figure(broker)} ${figure(database)}`
  )
}

/** Runs some at once; a session has two in progress only if there are fewer sessions than that. */
async function runAll(prefix: string, count: number, urlOf: (at: number) => string): Promise<void> {
  await atOnce(count, (at) => run(urlOf(at), sessionName(prefix, at), at))
}

async function readAll(prefix: string, count: number, urlOf: (at: number) => string): Promise<void> {
  await atOnce(count, async (at) => {
    await answered(await fetch(new URL(`/v1/metrics/${sessionName(prefix, at)}`, urlOf(at))))
  })
}

async function atOnce(count: number, work: (at: number) => Promise<void>): Promise<void> {
  let begun = 0
  const client = async (): Promise<void> => {
    for (let at = begun++; at < count; at = begun++) await work(at)
  }
  await Promise.all(Array.from({ length: RUNS_AT_ONCE }, client))
}

function sessionName(prefix: string, at: number): string {
  return `${prefix}${String(at % RUN_SESSIONS)}`
}

async function run(url: string, session: string, at: number): Promise<void> {
  const body = JSON.stringify({ session_id: session, message: `How do I reset password number ${String(at)} of the harbour gate?` })
  await answered(await fetch(new URL('/v1/run', url), { method: 'POST', headers: { 'content-type': 'application/json' }, body }))
}

async function answered(response: Response): Promise<void> {
  const text = await response.text()
  if (!response.ok) throw new Error(`A request was answered with ${String(response.status)}: ${text}`)
}

function otherThanOwner(nodes: Nodes, session: string, at: number): string {
  const others = nodes.urls.filter((url) => url !== nodes.ownerOf(session))
  return others[at % others.length] ?? ''
}

async function forwardsOf({ urls }: Nodes): Promise<number> {
  const counts = await Promise.all(urls.map((url) => metricOf(url, 'service_forwards_total{outcome="answered"}')))
  return counts.reduce((sum, count) => sum + count, 0)
}

function usedSince(before: ProcessorUse): ProcessorUse {
  const now = processorUse()
  return {
    client: now.client - before.client,
    nodes: now.nodes - before.nodes,
    broker: now.broker - before.broker,
    database: now.database - before.database
  }
}

function quantile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(2).padStart(7)
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

await main()
