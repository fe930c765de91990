/** Writers that continue through any fault, a record of what they were promised, and a comparison with what is stored afterwards. */
import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Test } from 'tap'
import type { Service } from '../../src/service.js'
import type { Caller } from '../support/real-service.js'

/** Time limit in milliseconds for all that is awaited here: six times the longest wait, which is 10 s for a connection and its answer. */
const AWAITED_MS_MAX = 60_000

const PAUSE_MS = 2

/** Allowed details of refusals, which must not reveal an address, a port, a statement or a text. */
const DETAILS: ReadonlySet<unknown> = new Set([
  'The storage is not available',
  'The storage does not answer',
  'The storage did not answer in time',
  'The storage has no room left',
  'The record has another writer',
  'The record was written by another while it was read',
  'Another activation took this over'
])

/** End of the detail where the write may have been done. */
const NOT_KNOWN = '; whether it was done is not known'

export interface Reply {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly retryAfter: string | undefined
}

export type Send = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) => Promise<Reply>

/** Sends requests with a licence; `caller` may come from another service with the same key. */
export function sender(service: Service, caller: Pick<Caller, 'token'>): Send {
  return async (method, url, body) => {
    const headers = { authorization: `Bearer ${caller.token}` }
    const response = await service.http.inject({ method, url, headers, ...(body !== undefined && { payload: body }) })
    return { status: response.statusCode, body: JSON.parse(response.body) as Reply['body'], retryAfter: response.headers['retry-after'] }
  }
}

interface Writes {
  readonly acknowledged: Set<string>
  /** Answered with 503, outcome unknown: may or may not be stored. */
  readonly unknown: Set<string>
  /** Answered with 503, not done: must not be stored. */
  readonly undone: Set<string>
}

export interface Load {
  /** Numbers of writes so far. */
  readonly acknowledged: number
  readonly refused: number
  /** Resolves when each session has another acknowledged write. */
  acknowledgedEach(): Promise<void>
  /** Resolves when each session has another refused write. */
  refusedEach(): Promise<void>
  /** Ends the writers. Resolves when each has its last answer. */
  stop(): Promise<void>
  /** Compares what is stored with what was promised. */
  count(send: Send): Promise<Count>
  /** Asserts that what is stored is as promised. */
  verify(t: Test, send: Send): Promise<void>
}

export interface Count {
  /** Acknowledged, but not stored. */
  readonly lost: number
  readonly doubled: number
  /** Stored, but never sent. */
  readonly unasked: number
  /** Refused as not done, but stored. */
  readonly done: number
  /** Refused with an unknown outcome, and stored. */
  readonly unknown: number
}

/** Creates the sessions and starts two writers for each, with one request at a time. The second writer uses `other`, if given. */
export async function startLoad(t: Test, send: Send, options: { sessions: number; other?: Send }): Promise<Load> {
  const sessions = new Map<string, Writes>()
  for (let n = 0; n < options.sessions; n++) {
    await send('POST', '/v1/session/create', { session_id: `s${n}` })
    sessions.set(`s${n}`, { acknowledged: new Set(), unknown: new Set(), undone: new Set() })
  }
  const problems = new Set<string>()
  let isOver = false
  let made = 0
  const write = async (by: Send, id: string, writes: Writes) => {
    const text = wordsOf(++made)
    const { status, body, retryAfter } = await by('POST', ...requestFor(id, text, made))
    const detail = String(body['detail'])
    if (status === 200) writes.acknowledged.add(text)
    else writes[detail.endsWith(NOT_KNOWN) ? 'unknown' : 'undone'].add(text)
    if (status !== 200 && (status !== 503 || retryAfter === undefined || !DETAILS.has(detail.replace(NOT_KNOWN, '')))) {
      problems.add(`${status} ${String(retryAfter)} ${JSON.stringify(body)}`)
    }
    // A pause after a refusal, which returns at once, as clients make one before they retry.
    await (status === 200 ? turn() : pause())
  }
  const writers = [send, options.other ?? send].flatMap((by) =>
    [...sessions].map(async ([id, writes]) => {
      while (!isOver) await write(by, id, writes)
    })
  )
  t.teardown(async () => {
    isOver = true
    await Promise.allSettled(writers)
  })
  const acknowledgedOf = ({ acknowledged }: Writes) => acknowledged.size
  const refusedOf = ({ unknown, undone }: Writes) => unknown.size + undone.size
  const total = (sizeOf: (writes: Writes) => number) => [...sessions.values()].reduce((sum, writes) => sum + sizeOf(writes), 0)
  const each = async (what: string, sizeOf: (writes: Writes) => number) => {
    const before = new Map([...sessions].map(([id, writes]) => [id, sizeOf(writes)]))
    const isEach = () => [...sessions].every(([id, writes]) => sizeOf(writes) > (before.get(id) ?? 0))
    await until(`a write of each session, ${what}`, async () => isEach())
  }
  return {
    get acknowledged() {
      return total(acknowledgedOf)
    },
    get refused() {
      return total(refusedOf)
    },
    acknowledgedEach: () => each('acknowledged', acknowledgedOf),
    refusedEach: () => each('refused', refusedOf),
    async stop() {
      isOver = true
      await Promise.all(writers)
      t.same([...problems], [], 'every refusal is a 503 with a detail of ours and a time to come back')
    },
    count: (from) => counted(sessions, from),
    async verify(t, from) {
      const { unknown, ...wrong } = await counted(sessions, from)
      t.same(wrong, { lost: 0, doubled: 0, unasked: 0, done: 0 })
      t.comment(`${total(acknowledgedOf)} acknowledged writes, ${total(refusedOf)} refused, of which ${unknown} are there`)
    }
  }
}

async function counted(sessions: ReadonlyMap<string, Writes>, send: Send): Promise<Count> {
  const count = { lost: 0, doubled: 0, unasked: 0, done: 0, unknown: 0 }
  for (const [id, { acknowledged, unknown, undone }] of sessions) {
    const texts = await textsOf(send, id)
    const there = new Set(texts)
    count.lost += [...acknowledged].filter((text) => !there.has(text)).length
    count.doubled += texts.length - there.size
    count.unasked += [...there].filter((text) => ![acknowledged, unknown, undone].some((sent) => sent.has(text))).length
    count.done += [...there].filter((text) => undone.has(text)).length
    count.unknown += [...there].filter((text) => unknown.has(text)).length
  }
  return count
}

/** Polls until the condition holds. Throws after AWAITED_MS_MAX. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const startedAtMs = performance.now()
  while (!(await isSo())) {
    if (performance.now() - startedAtMs > AWAITED_MS_MAX) throw new Error(`This did not come: ${what}`)
    await pause()
  }
}

/** All texts of a session, oldest first. */
export async function textsOf(send: Send, id: string): Promise<string[]> {
  const texts: string[] = []
  for (let after: string | null = ''; after !== null;) {
    const page: string = after === '' ? '' : `&after=${after}`
    const { status, body } = await send('GET', `/v1/session/${id}/memories?limit=1000${page}`)
    if (status !== 200) throw new Error(`The memories cannot be listed: ${status} ${JSON.stringify(body)}`)
    for (const { text } of body['memories'] as { readonly text: string }[]) texts.push(text)
    after = body['next'] as string | null
  }
  return texts
}

/** One of three kinds of writes, in turn. */
function requestFor(id: string, text: string, n: number): [url: string, body: object] {
  if (n % 3 === 0) return ['/v1/store', { session_id: id, response: text, dedup_threshold: 1 }]
  if (n % 3 === 1) return [`/v1/session/${id}/memory`, { text }]
  return ['/v1/run', { session_id: id, message: text }]
}

/** A text for each number that shares no word with the others, so that no two are treated as the same memory. */
export function wordsOf(n: number): string {
  const letters = createHash('sha256')
    .update(String(n))
    .digest('hex')
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
  return (letters.match(/.{6}/g) ?? []).join(' ')
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
