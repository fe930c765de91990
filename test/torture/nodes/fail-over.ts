/** Measures how long clients wait for sessions of a killed node, and whether clients of other sessions notice. */
import { performance } from 'node:perf_hooks'
import { setTimeout as passed } from 'node:timers/promises'
import { createChance } from '../chance.js'
import type { Program } from '../service-process.js'
import { textOf } from '../tokens.js'
import type { BackendName } from './backends.js'
import { createHttpClient } from './http-client.js'
import { type Node, startTeam, type Team, untilReady } from './node-team.js'
import { ownerOf } from './owned-session.js'

export interface FailOverOptions {
  readonly program: Program
  readonly backend: BackendName
  readonly kills: number
  readonly seed: number
}

/** Durations in milliseconds. */
export interface FailOverResult {
  /** From each kill to the first good answer to a call made after it, for each session of the killed node. */
  readonly waits: readonly number[]
  /** Calls for sessions of other nodes: before a kill, and in the seconds after it. */
  readonly undisturbed: readonly number[]
  readonly disturbed: readonly number[]
  /** Calls for sessions of other nodes after a kill that were not answered with 2xx, including those that were at the killed node. */
  readonly disturbedFailures: number
}

/** Sessions, each with a client of its own: enough for every node to own some. */
const SESSIONS = 24
/** Milliseconds from an answer to the next call: on a saturated machine, waits would measure its load rather than the nodes. */
const PAUSE_MS = 50
/** Milliseconds of measuring before each kill, of measuring after it, and of waiting until the restarted node has its sessions again. */
const BEFORE_MS = 2_000
const AFTER_MS = 5_000
const SETTLE_MS = 3_000
/** Time limit of a call in milliseconds: clients of an API wait no longer. */
const PATIENCE_MS = 30_000

interface Sample {
  readonly session: string
  readonly invoked: number
  readonly ended: number
  readonly isGood: boolean
}

export async function measureFailOver(options: FailOverOptions): Promise<FailOverResult> {
  const chance = createChance(options.seed)
  const team = await startTeam({ program: options.program, backend: options.backend, lines: 'direct' })
  const callers = await startCallers(team)
  const waits: number[] = []
  const undisturbed: number[] = []
  const disturbed: number[] = []
  let disturbedFailures = 0
  try {
    for (let kills = 0; kills < options.kills; kills++) {
      await passed(SETTLE_MS)
      const before = performance.now()
      await passed(BEFORE_MS)
      const victim = chance.pick(team.nodes) as Node
      const killed = performance.now()
      await victim.kill()
      await passed(AFTER_MS)
      const own = callers.sessions.filter((session) => ownerOf(session, team.nodes) === victim.name)
      await callers.untilAnswered(own, killed)
      const others = callers.samples.filter(({ session, ended }) => ended >= before && !own.includes(session))
      undisturbed.push(...others.filter(({ ended, isGood }) => isGood && ended < killed).map(durationOf))
      const later = others.filter(({ invoked }) => invoked >= killed && invoked < killed + AFTER_MS)
      disturbed.push(...later.filter(({ isGood }) => isGood).map(durationOf))
      disturbedFailures += later.filter(({ isGood }) => !isGood).length
      waits.push(...own.map((session) => callers.firstGood(session, killed) - killed))
      callers.samples.length = 0
      await victim.start()
      await untilReady(victim)
    }
    return { waits, undisturbed, disturbed, disturbedFailures }
  } finally {
    await callers.stop()
    await team.stop()
  }
}

function durationOf({ invoked, ended }: Sample): number {
  return ended - invoked
}

async function startCallers({ nodes }: Team) {
  const http = createHttpClient({ patienceMs: PATIENCE_MS })
  const sessions = Array.from({ length: SESSIONS }, (_, at) => `probe-${at}`)
  const samples: Sample[] = []
  const stopped = new AbortController()

  /** Calls the next node if nobody listens, as a load balancer does. */
  async function call(turn: number, path: string, body: object) {
    for (let at = turn; ; at++) {
      const invoked = performance.now()
      const reply = await http.send((nodes[at % nodes.length] as Node).url, { method: 'POST', path, body })
      if (reply !== 'unheard') return { invoked, ended: performance.now(), isGood: typeof reply === 'object' && reply.status < 300 }
    }
  }
  async function keepCalling(session: string, turn: number): Promise<void> {
    for (let count = turn; !stopped.signal.aborted; count++) {
      const body = { key: 'probe', kind: 'constant', value: textOf(`${session}.${count}`) }
      samples.push({ session, ...(await call(count, `/v1/session/${session}/entities`, body)) })
      await passed(PAUSE_MS)
    }
  }
  for (const session of sessions) await call(0, '/v1/session/create', { session_id: session, dimension: 64 })
  const calling = Promise.all(sessions.map(keepCalling))
  const firstGood = (session: string, since: number) => {
    const good = samples.filter((sample) => sample.session === session && sample.isGood && sample.invoked >= since)
    return Math.min(...good.map(({ ended }) => ended))
  }
  return {
    sessions,
    samples,
    firstGood,
    async untilAnswered(own: readonly string[], since: number) {
      while (own.some((session) => firstGood(session, since) === Infinity)) await passed(PAUSE_MS)
    },
    async stop() {
      stopped.abort()
      await calling
      http.close()
    }
  }
}
