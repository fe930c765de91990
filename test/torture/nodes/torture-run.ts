/** Runs load on three nodes under repeated strikes of one fault, then checks everything that clients saw. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as passed } from 'node:timers/promises'
import { createChance } from '../chance.js'
import type { Program } from '../service-process.js'
import { isQuestion } from '../tokens.js'
import type { BackendName } from './backends.js'
import { createFollower, createReadinessBalancer } from './balancer.js'
import { type FaultName, FAULTS, type Field } from './faults.js'
import { callsOf, type Entry } from './history.js'
import { createHttpClient } from './http-client.js'
import { checkHistory } from './linearizability.js'
import { type Load, type LoadCounts, startLoad } from './load.js'
import { startTeam } from './node-team.js'
import { quantile } from './quantile.js'
import type { Violation } from './violation.js'

export interface TortureOptions {
  readonly program: Program
  readonly backend: BackendName
  readonly fault: FaultName
  readonly seed: number
  /** The run ends after at least this many completed calls and at least this many strikes. */
  readonly operations: number
  readonly strikes: number
  /** Path of the history, written as JSON lines. */
  readonly history: string
}

export interface TortureResult extends LoadCounts {
  readonly strikes: number
  readonly violations: readonly Violation[]
  /** Quantiles of the durations of successful calls. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly durationS: number
  readonly problems: Readonly<Record<string, number>>
  /** Errors that the nodes logged. */
  readonly complaints: readonly string[]
}

/** Several times what two cores do at once, so that some clients continue while others wait for a node that does not answer. */
const CLIENTS = 48
/** About four clients share a session. */
const SESSIONS = 12
/** Milliseconds after which a client gives up a request: longer than the detection of an ended node, shorter than the longest pause. */
const PATIENCE_MS = 6_000
/** The same behind a load balancer, which waits as long as a node may take to answer. */
const BALANCER_PATIENCE_MS = 60_000
/** Milliseconds between checks whether there was enough load. */
const LOOK_MS = 100

export async function runTorture(options: TortureOptions): Promise<TortureResult> {
  const fault = FAULTS[options.fault]
  const chance = createChance(options.seed)
  const { lines, workers = 1 } = fault
  const team = await startTeam({ program: options.program, backend: options.backend, lines, workers })
  const http = createHttpClient({ patienceMs: fault.isRolling ? BALANCER_PATIENCE_MS : PATIENCE_MS })
  const balancer = fault.isRolling ? createReadinessBalancer(team.nodes) : createFollower(team.nodes, chance)
  const file = createWriteStream(options.history)
  const write = (line: object) => void file.write(`${JSON.stringify(line)}\n`)
  const entries: Entry[] = []
  const began = performance.now()
  const load = startLoad({
    http,
    balancer,
    chance,
    clients: CLIENTS,
    sessions: SESSIONS,
    note(entry) {
      entries.push(entry)
      write(entry)
    }
  })
  try {
    const note = (deed: object) => write({ at: performance.now(), ...deed })
    const strikes = await strikeUntilDone(options, load, { team, chance: createChance(options.seed + 1), note })
    await load.stop()
    await team.heal()
    const durationS = (performance.now() - began) / 1000
    const recounted = await recount(load, entries)
    return {
      ...load.counts,
      strikes,
      violations: [...checkHistory(entries), ...recounted],
      p50Ms: quantile(load.latenciesMs, 0.5),
      p99Ms: quantile(load.latenciesMs, 0.99),
      durationS,
      problems: Object.fromEntries(load.problems),
      complaints: team.complaints().filter((line) => fault.isExpected?.(line) !== true)
    }
  } finally {
    load.abandon()
    await balancer.stop()
    http.close()
    await team.stop()
    file.end()
    await once(file, 'close')
  }
}

async function strikeUntilDone({ fault, operations, strikes }: TortureOptions, load: Load, field: Field): Promise<number> {
  let done = 0
  while (done < strikes || load.counts.completed < operations) {
    if (done >= strikes && FAULTS[fault].isRolling) await passed(LOOK_MS)
    else {
      await FAULTS[fault].strike(field)
      done += 1
    }
    load.check()
  }
  return done
}

/**
 * Reads every session at the end and checks its count of turns: one that was carried out twice is counted twice, even if its text is stored
 * once.
 */
async function recount(load: Load, entries: readonly Entry[]): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const session of load.sessions) {
    const from = entries.length
    const interactions = await load.readFinally(session)
    const lists = callsOf(entries.slice(from), 'list').filter(({ outcome }) => outcome === 'ok')
    const questions = lists.map(({ tokens }) => tokens.filter((token) => token !== null && isQuestion(token)).length)
    const detail = `${interactions} turns are counted, and ${questions.join(' or ')} listed`
    if (interactions > Math.max(...questions)) violations.push({ sort: 'doubled', session, detail })
    if (interactions < Math.min(...questions)) violations.push({ sort: 'lost', session, detail })
  }
  return violations
}
