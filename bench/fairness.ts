/**
 * Effect of one subject's full load on the runs of another, on one node and on three: `npm run bench:fairness`, or `-- --seconds 20
 * --memories 100000 --concurrency 32 --nodes 0,3` for 20 s per phase, 100,000 searched memories, that `SERVICE_SUBJECT_CONCURRENCY`, one
 * process without a broker and three nodes. `--load` is everything that one licence can request (`all`), 200 callers of one kind (`checks`,
 * `runs`, `stores`, `searches`), or twelve that read exports, pages of memories and listings (`reads`); several are separated by commas.
 * With `--licences 5`, five licences cause the load. Phases at rest and under load alternate, so that other load on the machine affects
 * both alike. Each licence's load comes from its own process. In addition to wall milliseconds, each run reports the work of the busiest
 * node's main thread meanwhile, for any subject, which is independent of other load on the machine.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg } from 'node:os'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../src/tools/arguments.js'
import { generateKeyPair, signLicense } from '../src/auth/license-signing.js'
import { createSystemClock } from '../src/platform/clock.js'
import { createNodeRig, type NodeRig, type Nodes, pause } from './node-rig.js'

const USAGE = `npm run bench:fairness -- [--seconds N] [--memories N] [--concurrency N] [--nodes N,…] [--load NAME,…] [--licences N]
  --nodes numbers of nodes; 0 is one process without a broker
  --load  of all, checks, runs, stores, searches, reads`
const { seconds, memories, concurrency, nodes, load, licences } = readArguments(USAGE, {
  options: {
    seconds: { type: 'string', default: '20' },
    memories: { type: 'string', default: '10000' },
    concurrency: { type: 'string', default: '32' },
    nodes: { type: 'string', default: '0,3' },
    load: { type: 'string', default: 'all' },
    licences: { type: 'string', default: '1' }
  }
}).values
const PHASE_MS = Number(seconds) * 1_000
/** Phases of each kind: with 20 s each, a minute. */
const ROUNDS = 3
/** Sessions of the measured subject, and milliseconds between two of its runs. */
const SESSIONS = 8
const REST_MS = 20

async function main(): Promise<void> {
  print(
    `Node ${process.version}, ${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown processor'}; PostgreSQL, NATS and both clients on this machine too`
  )
  const rig = await createNodeRig()
  const upstream = await startUpstream()
  try {
    for (const form of load.split(',')) {
      for (const count of nodes.split(',').map(Number)) await measure(rig, { count, form, upstreamUrl: upstream.url })
    }
  } finally {
    upstream.close()
    await rig.close()
  }
}

interface Measured {
  /** Number of nodes; 0 for one process without a broker. */
  readonly count: number
  readonly form: string
  readonly upstreamUrl: string
}

async function measure(rig: NodeRig, { count, form, upstreamUrl }: Measured): Promise<void> {
  const { publicKey, privateKey } = generateKeyPair()
  const nodes = await rig.startNodes(count, {
    SERVICE_ALLOW_ANONYMOUS: '0',
    SERVICE_LICENSE_PUBLIC_KEY: publicKey,
    SERVICE_UPSTREAM_URL: upstreamUrl,
    SERVICE_SUBJECT_CONCURRENCY: concurrency,
    // So that the load has sessions to restore.
    SERVICE_MAX_SESSIONS_PER_SUBJECT: '40'
  })
  const tokenOf = (subject: string) => signLicense({ privateKey, subject, clock: createSystemClock() })
  const quiet = await tokenOf('quiet')
  const loads = await Promise.all(
    Array.from({ length: Number(licences) }, async (_, at) => {
      const load = startLoad({ urls: nodes.urls, token: await tokenOf(`loud-${String(at)}`), memories: Number(memories), form })
      await once(load, 'message')
      return load
    })
  )
  await runsFor(nodes, quiet, 3_000)
  const atRest: Taken[] = []
  const underLoad: Taken[] = []
  for (let round = 0; round < ROUNDS; round++) {
    atRest.push(...(await runsFor(nodes, quiet, PHASE_MS)))
    for (const load of loads) load.send('go')
    await pause(2_000)
    underLoad.push(...(await runsFor(nodes, quiet, PHASE_MS)))
    await Promise.all(loads.map(stop))
  }
  for (const load of loads) load.kill()
  print(
    `\n${count === 0 ? 'One node' : `${String(count)} nodes`}, load ${form} of ${licences}, ${memories} memories, ${concurrency} of a subject at a time; load average ${loadavg()[0]?.toFixed(1) ?? ''}; runs of the other subject, ms`
  )
  for (const [name, of] of Object.entries(FIGURES)) {
    const [rest, load] = [atRest.map(of), underLoad.map(of)]
    print(`  ${name}, at rest    ${summary(rest)}`)
    print(`  ${name}, under load ${summary(load)}`)
    print(
      `  p99 under load is ${(quantile(load, 0.99) / quantile(rest, 0.99)).toFixed(1)} times that at rest, p50 ${(quantile(load, 0.5) / quantile(rest, 0.5)).toFixed(1)} times\n`
    )
  }
  await nodes.stop()
}

async function stop(load: ChildProcess): Promise<void> {
  load.send('stop')
  const [done] = (await once(load, 'message')) as [Readonly<Record<string, Readonly<Record<string, number>>>>]
  for (const [kind, statuses] of Object.entries(done)) print(`  load: ${kind.padEnd(13)} ${JSON.stringify(statuses)}`)
}

function startLoad(task: object): ChildProcess {
  const program = fileURLToPath(new URL('./fairness-load.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', program, JSON.stringify(task)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
  // Without the load nothing is measured. Started processes end with this one.
  child.once('exit', (code) => {
    if (code !== null && code !== 0) throw new Error('The load ended by itself')
  })
  return child
}

/** Cost of a run, in milliseconds. */
interface Taken {
  readonly wallMs: number
  /** Work of the busiest node's main thread. */
  readonly workedMs: number
}

const FIGURES = { wall: ({ wallMs }: Taken) => wallMs, node: ({ workedMs }: Taken) => workedMs }

/** Sends runs one at a time, rotating over the nodes. */
async function runsFor({ urls, workedMs }: Nodes, token: string, forMs: number): Promise<Taken[]> {
  const taken: Taken[] = []
  const endsAt = performance.now() + forMs
  for (let at = 0; performance.now() < endsAt; at++) {
    const startedAt = performance.now()
    const before = workedMs()
    const response = await fetch(`${urls[at % urls.length] ?? ''}/v1/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        session_id: `q${String(at % SESSIONS)}`,
        message: `Which harbour did keeper ${String(at)} paint?`,
        response: `He painted harbour ${String(at)}.`
      })
    })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`A run was answered with ${String(response.status)}`)
    const worked = Math.max(...workedMs().map((ms, node) => ms - (before[node] ?? 0)))
    taken.push({ wallMs: performance.now() - startedAt, workedMs: worked })
    await pause(REST_MS)
  }
  return taken
}

/** A model service that begins to answer and never ends. */
async function startUpstream(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    close() {
      server.closeAllConnections()
      server.close()
    }
  }
}

function summary(values: readonly number[]): string {
  return (
    [0.5, 0.9, 0.99, 1].map((share) => `p${String(share * 100)} ${quantile(values, share).toFixed(1)}`).join('  ') +
    `  (${String(values.length)} runs)`
  )
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

await main()
