/** Clients that share sessions on all nodes at once. Each call is recorded with its interval and its result. */
import { performance } from 'node:perf_hooks'
import { setTimeout as passed } from 'node:timers/promises'
import type { Chance } from '../chance.js'
import type { Balancer } from './balancer.js'
import type { Entry, Outcome } from './history.js'
import type { HttpClient, Reply } from './http-client.js'
import { createWorkload, listOf, lookOf, type Task, thresholdOf } from './workload.js'

export interface LoadOptions {
  readonly http: HttpClient
  readonly balancer: Balancer
  readonly chance: Chance
  readonly clients: number
  /** Number of sessions in use at a time. */
  readonly sessions: number
  readonly note: (entry: Noted) => void
}

/** A call as it is recorded. */
export type Noted = Entry & {
  readonly node: string
  /** Null if there was no answer. */
  readonly status: number | null
  /** Body of the answer to a call that did not succeed. */
  readonly detail?: unknown
}

export interface LoadCounts {
  /** Calls with a known outcome. */
  completed: number
  /** Writes that were acknowledged. */
  acknowledged: number
  refused: number
  unknown: number
  /** Calls answered with anything but 2xx, or not answered although somebody listened. */
  failed: number
}

export interface Load {
  readonly counts: Readonly<LoadCounts>
  /** Durations in milliseconds of successful calls. */
  readonly latenciesMs: readonly number[]
  /** Numbers of answers that were not 2xx, by status and body. */
  readonly problems: ReadonlyMap<string, number>
  /** Every session created so far. */
  readonly sessions: readonly string[]
  /** Throws the error that ended the load prematurely, if any. */
  check(): void
  /** Ends the load when every client has finished its request. Rejects with the error that ended it prematurely, if any. */
  stop(): Promise<void>
  /** Ends the load without waiting for answers. */
  abandon(): void
  /** Reads a session, retrying until it is answered. Resolves with its `interaction_count`. */
  readFinally(session: string): Promise<number>
}

/** Writes after which a session is replaced by a new one, so that listings stay at some tens of memories. */
const WRITES_A_SESSION = 50
/** Milliseconds that a client waits after a call that did not succeed. */
const PAUSE_MS = 20
/** Time limit in milliseconds for creating a session, or reading it at the end: longer than a server keeps a request. */
const PATIENCE_MS = 60_000
/** Small, since vectors do not matter here. */
const DIMENSION = 64

export function startLoad(options: LoadOptions): Load {
  const { http, balancer, chance, note } = options
  const nextTask = createWorkload(chance)
  const counts: LoadCounts = { completed: 0, acknowledged: 0, refused: 0, unknown: 0, failed: 0 }
  const latenciesMs: number[] = []
  const problems = new Map<string, number>()
  const all: string[] = []
  const open = new Map<string, { writes: number }>()
  let made = 0
  let isStopped = false
  let isAbandoned = false

  async function perform(client: number, session: string, task: Task): Promise<Outcome> {
    const { invoked, ...first } = await attempt(client, task)
    let last = first
    while (task.isKeyed === true && last.outcome === 'unknown' && performance.now() < invoked + PATIENCE_MS && !isAbandoned) {
      await passed(PAUSE_MS)
      last = await attempt(client, task)
    }
    const { node, reply, ended, outcome } = last
    count(outcome, task)
    const status = reply === 'silent' ? null : reply.status
    const body = reply === 'silent' ? null : reply.body
    const detail = outcome === 'ok' ? {} : { detail: body }
    for (const call of task.calls(outcome === 'ok' ? body : null)) {
      note({ ...call, session, invoked: rounded(invoked), ended: rounded(ended), outcome, node: node.name, status, ...detail })
    }
    return outcome
  }

  async function attempt(client: number, task: Task) {
    const { node, invoked, reply } = await send(client, task)
    const ended = performance.now()
    const outcome = outcomeOf(reply, task)
    if (outcome === 'ok') latenciesMs.push(ended - invoked)
    else {
      counts.failed += 1
      countProblem(reply)
    }
    if (reply === 'silent') balancer.avoid(client, node)
    return { node, invoked, reply, ended, outcome }
  }

  /** Sends the request to nodes until one listens. */
  async function send(client: number, { ask }: Pick<Task, 'ask'>) {
    for (;;) {
      const node = balancer.choose(client)
      const invoked = performance.now()
      const reply = await http.send(node.url, ask)
      if (reply !== 'unheard') return { node, invoked, reply }
      if (isAbandoned) throw new Error('The load was given up')
      balancer.avoid(client, node)
      await passed(PAUSE_MS)
    }
  }

  function countProblem(reply: Exclude<Reply, 'unheard'>): void {
    const problem = reply === 'silent' ? 'no answer' : `${reply.status} ${JSON.stringify(reply.body)}`
    problems.set(problem, (problems.get(problem) ?? 0) + 1)
  }

  function count(outcome: Outcome, { isWrite }: Task): void {
    if (outcome === 'unknown') counts.unknown += 1
    else counts.completed += 1
    if (outcome === 'refused') counts.refused += 1
    if (outcome === 'ok' && isWrite) counts.acknowledged += 1
  }

  async function openSession(client: number): Promise<void> {
    const session = `s${(made += 1)}`
    const ask = { method: 'POST', path: '/v1/session/create', body: { session_id: session, dimension: DIMENSION } } as const
    await insistently(async () => {
      const { reply } = await send(client, { ask })
      const status = reply === 'silent' ? 0 : reply.status
      // 409: an earlier try that got no answer has created it.
      if (status === 200 || status === 409) return true
      counts.failed += 1
      countProblem(reply)
      return false
    })
    all.push(session)
    open.set(session, { writes: 0 })
  }

  async function run(client: number): Promise<void> {
    while (!isStopped) {
      const session = chance.pick([...open.keys()])
      if (session === undefined) {
        await passed(PAUSE_MS)
        continue
      }
      const task = nextTask(session)
      const place = open.get(session)
      if (place !== undefined && task.isWrite) place.writes += 1
      const isFull = place?.writes === WRITES_A_SESSION
      if (isFull) open.delete(session)
      const outcome = await perform(client, session, task)
      if (isFull) await openSession(client)
      if (outcome !== 'ok') await passed(PAUSE_MS)
    }
  }

  const running = (async () => {
    await Promise.all(Array.from({ length: options.sessions }, (_, client) => openSession(client)))
    await Promise.all(Array.from({ length: options.clients }, (_, client) => run(client)))
  })()
  let failure: Error | null = null
  running.catch((error: unknown) => (failure = error instanceof Error ? error : new Error(String(error))))
  return {
    counts,
    latenciesMs,
    problems,
    sessions: all,
    check() {
      if (failure !== null) throw failure
    },
    async stop() {
      isStopped = true
      await running
    },
    abandon() {
      isStopped = true
      isAbandoned = true
    },
    async readFinally(session) {
      await insistently(async () => (await perform(0, session, listOf(session))) !== 'unknown')
      let interactions = 0
      await insistently(async () => {
        const { reply } = await send(0, { ask: { method: 'GET', path: `/v1/metrics/${session}` } })
        if (reply === 'silent' || reply.status >= 500) return false
        interactions = (reply.body as { readonly interaction_count: number }).interaction_count
        return true
      })
      for (const task of [lookOf(session), thresholdOf(session), listOf(session)])
        await insistently(async () => (await perform(0, session, task)) !== 'unknown')
      return interactions
    }
  }
}

/** Retries until `attempt` succeeds. Throws after PATIENCE_MS. */
async function insistently(attempt: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (!(await attempt())) {
    if (performance.now() > until) throw new Error('A session could not be made, or not be read at the end')
    await passed(PAUSE_MS)
  }
}

/** Outcome of an answer. Throws for a status that none of the requests here can get. */
function outcomeOf(reply: Exclude<Reply, 'unheard'>, { ask }: Task): Outcome {
  if (reply === 'silent' || reply.status >= 500) return 'unknown'
  if (reply.status < 300) return 'ok'
  if (reply.status === 404) return 'missing'
  if (reply.status === 409) return isHandledBefore(reply.body) ? 'ok' : 'refused'
  throw new Error(`${ask.method} ${ask.path} was answered with ${reply.status}`)
}

/** Whether the answer says that a request with this key was done, and that its first answer is no longer kept. */
function isHandledBefore(body: unknown): boolean {
  return (body as { readonly detail: string }).detail.includes('idempotency key was handled before')
}

/** Rounds to microseconds, for readability. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
