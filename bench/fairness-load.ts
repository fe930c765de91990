/** Load for `fairness.ts`: everything that one licence can request at once, from a separate process. */
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { pause } from './node-rig.js'

interface Task {
  readonly urls: readonly string[]
  readonly token: string
  /** Memories of the searched session. */
  readonly memories: number
  /** One of `FORMS`. */
  readonly form: string
}

/** Number of callers per kind that send requests without a pause. */
const ALL = {
  checks: 200,
  searches: 16,
  ingests: 4,
  creations: 8,
  rehydrations: 8,
  runs: 16,
  'large runs': 4,
  'large answers': 4,
  'large stores': 4,
  streams: 100
} as const
const READS = { exports: 4, pages: 4, listings: 4 } as const
type Kind = keyof typeof ALL | keyof typeof READS

const ALONE = 200

const FORMS: Readonly<Record<string, Readonly<Partial<Record<Kind, number>>>>> = {
  all: ALL,
  checks: { checks: ALONE },
  runs: { 'large answers': ALONE },
  stores: { 'large stores': ALONE },
  searches: { searches: ALONE },
  reads: READS
}

/** Memories per ingest, and number of sessions that are restored in rotation: more than the subject may have in memory. */
const BATCH = 1_000
const STORED_SESSIONS = 120

const TRIES_MAX = 10

const { urls, token, memories, form } = JSON.parse(process.argv[2] ?? '{}') as Task
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
let asked = 0

function urlOf(path: string): string {
  return `${urls[asked++ % urls.length] ?? ''}${path}`
}

async function read(path: string): Promise<number> {
  const response = await fetch(urlOf(path), { headers })
  await response.arrayBuffer()
  return response.status
}

async function post(path: string, body: object, signal?: AbortSignal): Promise<number> {
  const response = await fetch(urlOf(path), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    ...(signal !== undefined && { signal })
  })
  if (signal === undefined) await response.arrayBuffer()
  // A stream is held until the load ends.
  else await response.arrayBuffer().catch(() => undefined)
  return response.status
}

function textOf(n: number): string {
  return `Note ${String(n)}: the crew of ship ${String(n % 977)} moored at pier ${String(n % 61)} and unloaded ${String(n)} crates of oranges for merchant ${String(n % 389)}.`
}

const batchOf = (from: number, count: number) => ({ memories: Array.from({ length: count }, (_, at) => ({ text: textOf(from + at) })) })

const WORK: Readonly<Record<Kind, (n: number, signal: AbortSignal) => Promise<number>>> = {
  checks: (n) => post('/v1/dedup-check', { session_id: 'large', text: textOf(n * 7) }),
  searches: (n) => post('/v1/session/large/search', { query: `Who unloaded crates at pier ${String(n % 61)}?`, top_k: 200 }),
  async ingests(n) {
    const id = randomUUID()
    await post('/v1/session/create', { session_id: id })
    return post(`/v1/session/${id}/memories`, batchOf(n * BATCH, BATCH))
  },
  creations: () => post('/v1/session/create', {}),
  rehydrations: (n) => post('/v1/run', { session_id: `stored-${String(n % STORED_SESSIONS)}`, message: textOf(n) }),
  'large runs': (n) => post('/v1/run', { session_id: 'large', message: textOf(n) }),
  'large answers': (n) => post('/v1/run', { session_id: 'large', message: textOf(n), response: textOf(n + 1) }),
  'large stores': (n) => post('/v1/store', { session_id: 'large', response: textOf(n) }),
  exports: () => read('/v1/session/large/export'),
  pages: () => read('/v1/session/large/memories?limit=1000'),
  listings: () => read('/v1/sessions?limit=1000'),
  runs: (n) => post('/v1/run', { session_id: `own-${String(n % 16)}`, message: textOf(n), response: textOf(n + 1) }),
  async streams(n, signal) {
    const status = await post(
      '/compat/v1/chat/completions',
      { model: 'm', stream: true, messages: [{ role: 'user', content: textOf(n) }] },
      signal
    )
    // Waits as told: otherwise mostly immediate refusals would be measured.
    if (status === 503) await pause(1_000)
    return status
  }
}

async function prepare(): Promise<void> {
  await post('/v1/session/create', { session_id: 'large' })
  for (let from = 0; from < memories; from += BATCH) {
    await insist('/v1/session/large/memories', batchOf(from, Math.min(BATCH, memories - from)))
  }
  // Needed only by loads that restore sessions.
  const stored = FORMS[form]?.rehydrations === undefined ? 0 : STORED_SESSIONS
  for (let n = 0; n < stored; n++) {
    await post('/v1/session/create', { session_id: `stored-${String(n)}` })
    await insist(`/v1/session/stored-${String(n)}/memories`, batchOf(n, 200))
  }
}

/** Retries a batch when other load on the machine made it time out: memories sent twice are stored once. */
async function insist(path: string, body: object): Promise<void> {
  for (let tries = 1; ; tries++) {
    const status = await post(path, body)
    if (status === 200) return
    if (status !== 503 || tries === TRIES_MAX) throw new Error(`A session could not be filled: ${String(status)}`)
  }
}

/** Runs until `signal`; counts answers by kind and status. */
async function load(signal: AbortSignal): Promise<Record<string, Record<string, number>>> {
  const counts: Record<string, Record<string, number>> = {}
  const caller = async (kind: Kind): Promise<void> => {
    const own = (counts[kind] ??= {})
    for (let n = Math.floor(asked % 1_000); !signal.aborted; n += 13) {
      const status = String(await WORK[kind](n, signal).catch(() => 'none'))
      own[status] = (own[status] ?? 0) + 1
    }
  }
  const callers = FORMS[form]
  if (callers === undefined) throw new Error(`No load is called ${form}`)
  const kinds = Object.entries(callers) as [Kind, number][]
  await Promise.all(kinds.flatMap(([kind, count]) => Array.from({ length: count }, () => caller(kind))))
  return counts
}

let current = new AbortController()
process.on('message', (command) => {
  if (command === 'stop') return current.abort()
  current = new AbortController()
  setMaxListeners(0, current.signal)
  void load(current.signal).then((counts) => process.send?.(counts))
})
await prepare()
process.send?.('ready')
