/** Requests designed to be expensive, over all kinds of requests, generated from a seed. */
import { hashText } from '../actors/session/record/hash.js'
import { DEFAULT_USER } from '../src/domain/commands/network-commands.js'
import { DIMENSION_DEFAULT } from '../src/domain/limits.js'
import { type Chance, COSTLY_TEXTS, createChance, nearTwin } from './costly-texts.js'

/** One request. */
export interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  /** JSON; null for no body. */
  readonly body: unknown
}

export interface CostlyRequest extends Asked {
  /** Kind of request and of text. */
  readonly name: string
  /** Sent before, not measured. Default: none. */
  readonly before?: readonly Asked[]
}

export interface CostlySession {
  readonly id: string
  readonly dimension: number
}

/** Maximum characters of a text. Interface, extensions. */
const TEXT_LENGTH_MAX = 200_000

/** Default limit of a body in UTF-8 bytes, minus room for its other fields. */
const BODY_BYTES = 4_000_000

export interface Surroundings {
  readonly sessions: readonly CostlySession[]
  /** The session with the most memories. It gets a fixed share of the requests, because each takes as long as a hundred others. */
  readonly crowded: CostlySession
  readonly clusters: readonly CostlySession[]
  readonly regions: readonly string[]
  /** Exports of the sessions that are small enough to import, by session id. */
  readonly exports: ReadonlyMap<string, unknown>
}

/** One in this many requests goes to the crowded session. */
const CROWDED_ONE_IN = 16

/** Stored for many users, so that each has a memory of it. */
const COPIED = 'The gate opens at seven'

/**
 * Rare kinds of requests, and how rare. They passivate or read all sessions, and reading everything back would take most of the time; one
 * deletes what another has added.
 */
const SELDOM: ReadonlySet<string> = new Set(['activation', 'partition export', 'deletion of copies'])
const SELDOM_ONE_IN = 8

interface Draw {
  readonly chance: Chance
  readonly session: CostlySession
  readonly around: Surroundings
}

interface Text {
  readonly kind: string
  readonly text: string
}

export function* costlyRequests(seed: number, around: Surroundings): Generator<CostlyRequest, never> {
  const chance = createChance(seed)
  const kinds = Object.entries(KINDS)
  for (;;) {
    const [kind, make] = pick(kinds, chance)
    if (SELDOM.has(kind) && chance(SELDOM_ONE_IN) > 0) continue
    const session = chance(CROWDED_ONE_IN) === 0 ? around.crowded : pick(around.sessions, chance)
    const { of, ...request } = make({ chance, session, around })
    yield { name: `${kind}: ${of}`, ...request }
  }
}

type Made = Omit<CostlyRequest, 'name'> & { readonly of: string }

/** Created once: that takes longer than the request with it. */
const MANY_KEYS = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`k${String(at + 9)}`, at % 9]))

const post = (url: string, body: unknown, of: string): Made => ({ method: 'POST', url, body, of })
const get = (url: string, of: string): Made => ({ method: 'GET', url, body: null, of })

const KINDS: Readonly<Record<string, (draw: Draw) => Made>> = {
  run({ chance, session }) {
    const [message, response] = [textOf(chance), textOf(chance)]
    const body = {
      session_id: session.id,
      message: message.text,
      response: response.text,
      ...thresholds(chance),
      user_id: `u${String(chance(3))}`
    }
    return post('/v1/run', body, `${message.kind}, ${response.kind}`)
  },
  'run that resets'({ chance, session }) {
    const message = textOf(chance)
    return post('/v1/run', { session_id: `reset-${session.id}`, message: message.text, reset_context: true }, message.kind)
  },
  'run among near twins'({ chance, session }) {
    const length = pick([80, 900, 3_000], chance)
    return post(
      '/v1/run',
      { session_id: `twins-${session.id}`, message: nearTwin(chance(5_000), length), ...thresholds(chance) },
      `${String(length)} characters`
    )
  },
  store({ chance, session }) {
    const response = textOf(chance)
    return post('/v1/store', { session_id: session.id, response: response.text, ...dedup(chance) }, response.kind)
  },
  'dedup-check'({ chance, session }) {
    const { kind, text } = textOf(chance)
    return post('/v1/dedup-check', { session_id: session.id, text, ...dedup(chance) }, kind)
  },
  search({ chance, session }) {
    const { kind, text } = textOf(chance)
    return post(`/v1/session/${session.id}/search`, { query: text, top_k: 200, explain: chance(2) === 0 }, kind)
  },
  ingest({ chance, session }) {
    const kind = chance(4) === 0 ? 'near twins' : pick(Object.keys(COSTLY_TEXTS), chance)
    const count = pick([1, 20, 1_000], chance)
    const texts = Array.from({ length: count }, (_, at) =>
      kind === 'near twins' ? nearTwin(at, BODY_BYTES / count / 3) : bounded(kind, BODY_BYTES / count / 4, chance)
    )
    return post(`/v1/session/${session.id}/memories`, { memories: texts.map((text) => ({ text })) }, `${String(count)} of ${kind}`)
  },
  inject({ chance, session }) {
    const { kind, text } = textOf(chance)
    return post(`/v1/session/${session.id}/memory`, { text }, kind)
  },
  'inject a vector'({ chance, session }) {
    const { kind, text } = textOf(chance)
    return post(`/v1/session/${session.id}/memory`, { text, embedding: vector(session, chance) }, kind)
  },
  trigger({ chance, session }) {
    const keyword = bounded(pick(Object.keys(COSTLY_TEXTS), chance), pick([2, 30, 200, 1_000], chance), chance)
    return post(`/v1/session/${session.id}/trigger`, { keyword }, 'keyword')
  },
  anchor({ chance, session }) {
    const { kind, text } = textOf(chance)
    return post(`/v1/session/${session.id}/anchor`, { text }, kind)
  },
  isolation({ chance, session }) {
    const vectors = Array.from({ length: Math.min(200, Math.floor(BODY_BYTES / session.dimension / 22)) }, () => vector(session, chance))
    return {
      method: 'PUT',
      url: `/v1/session/${session.id}/isolation`,
      body: { level: 'FILTER', exclusion_embeddings: vectors, similarity_threshold: -1 },
      of: `${String(vectors.length)} vectors`
    }
  },
  'release of what is held'({ chance, session }) {
    const url = `/v1/session/held-${session.id}`
    const allowed = vector({ ...session, dimension: DIMENSION_DEFAULT }, chance)
    const quarantine = { level: 'QUARANTINE', allowlist_embeddings: [allowed], similarity_threshold: 0.99 }
    const texts = Array.from({ length: 8 }, () => textOf(chance))
    const runs = ['x', ...texts.map(({ text }) => text)].map((message) =>
      post('/v1/run', { session_id: `held-${session.id}`, message }, '')
    )
    const before = [...runs.slice(0, 1), { method: 'PUT', url: `${url}/isolation`, body: quarantine } as const, ...runs.slice(1)]
    return { ...post(`${url}/isolation/release`, {}, texts[0]?.kind ?? ''), before }
  },
  'put an entity'({ chance, session }) {
    const kind = pick(Object.keys(COSTLY_TEXTS), chance)
    const body = { key: `k${String(chance(2_000))}`, kind: 'function', value: bounded(kind, pick([200, 50_000, 400_000], chance), chance) }
    return post(`/v1/session/${session.id}/entities`, body, kind)
  },
  'list entities'({ chance, session }) {
    const { kind, text } = textOf(chance, 2_000)
    return get(`/v1/session/${session.id}/entities?max_results=1000&q=${encodeURIComponent(text)}`, kind)
  },
  'list memories': ({ session }) => get(`/v1/session/${session.id}/memories?limit=1000`, 'all'),
  context: ({ session }) => get(`/v1/state/context?session_id=${session.id}&top_k=50&max_text_chars=100000&full_first=true`, 'all'),
  'read with a number that is none': ({ session }) =>
    get(`/v1/state/context?session_id=${session.id}&top_k=${'0'.repeat(14_000)}x`, 'top_k'),
  metrics: ({ session }) => get(`/v1/metrics/${session.id}`, 'all'),
  // Sessions of a partition that is put away are evicted, and restored by the next request.
  activation: ({ session }) => ({
    ...get(`/v1/metrics/${session.id}`, session.id),
    before: ['away', DEFAULT_USER].map((user_id) => ({ method: 'POST', url: '/v1/network/users/switch', body: { user_id } }))
  }),
  'partition export': () => post(`/v1/network/users/${DEFAULT_USER}/serialize`, {}, 'all'),
  export: ({ session }) => get(`/v1/session/${session.id}/export`, 'all'),
  import({ chance, around }) {
    const [id, document] = pick([...around.exports], chance)
    return post(`/v1/session/import-${id}/import`, document, id)
  },
  verify({ chance, session }) {
    const vectors = Array.from({ length: Math.min(256, Math.floor(BODY_BYTES / session.dimension / 22)) }, () => vector(session, chance))
    return post(`/v1/session/${session.id}/verify`, { test_embeddings: vectors }, `${String(vectors.length)} vectors, ${session.id}`)
  },
  transfer({ chance, session, around }) {
    const target = around.sessions.find((other) => other.id !== session.id && other.dimension === session.dimension) ?? session
    return post('/v1/network/transfer', { source_session_id: session.id, target_session_id: target.id, max_weight: chance(2) }, session.id)
  },
  consensus({ chance, session }) {
    return post('/v1/network/consensus', { proposer_session_id: session.id, target_embedding: vector(session, chance) }, session.id)
  },
  'cluster store'({ chance, around }) {
    const count = pick([1, 50, 500], chance)
    const kind = pick(Object.keys(COSTLY_TEXTS), chance)
    const pairs = Array.from({ length: count }, () => ({
      message: bounded(kind, BODY_BYTES / count / 8, chance),
      response: bounded(kind, BODY_BYTES / count / 8, chance)
    }))
    return post(`/v1/cluster/${pick(around.clusters, chance).id}/store`, { pairs }, `${String(count)} pairs of ${kind}`)
  },
  'cluster run'({ chance, around }) {
    const { kind, text } = textOf(chance)
    return post(`/v1/cluster/${pick(around.clusters, chance).id}/run`, { message: text, ...thresholds(chance) }, kind)
  },
  'cluster run that realigns'({ chance, around }) {
    // Unknown words in a question cause drift, and the cluster's region realigns.
    const names = Array.from({ length: 400 }, () => `x${chance(2 ** 31).toString(36)}q`)
    return post(`/v1/cluster/${pick(around.clusters, chance).id}/run`, { message: `Do you know ${names.join(' ')}?` }, 'strange words')
  },
  'read a region': ({ chance, around }) => get(`/v1/region/${pick(around.regions, chance)}`, 'all'),
  'ingest of one text'({ chance, session }) {
    const { kind, text } = textOf(chance, 4_000)
    const memories = Array.from({ length: 1_000 }, () => ({ text: text.slice(0, 1_000), timestamp: chance(2 ** 30) }))
    return post(`/v1/session/${session.id}/memories`, { memories }, `1000 times ${kind}`)
  },
  'ingest of copies'({ chance, session }) {
    const from = chance(100_000)
    const memories = Array.from({ length: 1_000 }, (_, at) => ({ text: COPIED, user_id: `c${String(from + at)}` }))
    return post(`/v1/session/copies-${session.id}/memories`, { memories }, 'one text of many users')
  },
  'edit of copies': ({ chance, session }) => ({
    method: 'PATCH',
    url: `/v1/session/copies-${session.id}/memories/${hashText(COPIED)}`,
    body: chance(2) === 0 ? { importance: chance(9) } : { pinned: true },
    of: 'one text of many users'
  }),
  'deletion of copies': ({ session }) => ({
    method: 'DELETE',
    url: `/v1/session/copies-${session.id}/memories/${hashText(COPIED)}`,
    body: null,
    of: 'one text of many users'
  }),
  'run among copies'({ session }) {
    return post('/v1/run', { session_id: `copies-${session.id}`, message: COPIED, user_id: 'c' }, 'one text of many users')
  },
  days: ({ session }) => get(`/v1/session/${session.id}/days`, 'all'),
  'days of all sessions': () => get('/v1/days', 'all'),
  'list sessions': ({ chance }) =>
    get(`/v1/sessions?contains=${pick(['a', 'none of them', '-'], chance).replaceAll(' ', '%20')}`, 'part of an id'),
  'call tools'({ chance, session }) {
    const { kind, text } = textOf(chance)
    const call = { name: 'recall', arguments: { session_id: session.id, message: text } }
    const calls = Array.from({ length: pick([1, 100], chance) }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: call }))
    return post('/mcp', calls.length === 1 ? calls[0] : calls.slice(0, Math.max(1, Math.floor(BODY_BYTES / 8 / text.length))), kind)
  },
  feedback: ({ chance, around }) => post(`/v1/cluster/${pick(around.clusters, chance).id}/feedback`, {}, 'all'),
  'deep JSON': ({ session }) => ({
    ...post('/v1/run', JSON.parse(`{"session_id":"${session.id}","message":"x","more":${'['.repeat(63)}${']'.repeat(63)}}`), 'lists')
  }),
  'JSON of many keys'({ chance, session }) {
    return post('/v1/run', { session_id: session.id, message: 'x', [`k${String(chance(9))}`]: 0, ...MANY_KEYS }, 'numbers')
  },
  'JSON of many empty lists': ({ session }) =>
    post(`/v1/session/${session.id}/verify`, { test_embeddings: Array.from({ length: 1_000_000 }, () => []) }, 'lists'),
  'compliance erasure': ({ chance }) => ({
    method: 'DELETE',
    url: `/v1/compliance/users/u${String(chance(3))}/memory`,
    body: null,
    of: 'all'
  })
}

function textOf(chance: Chance, lengthMax = TEXT_LENGTH_MAX): Text {
  const kind = pick(Object.keys(COSTLY_TEXTS), chance)
  return { kind, text: bounded(kind, pick([300, 4_000, 20_000, lengthMax - 300], chance), chance) }
}

/** Cut at code points, because lone surrogates would be refused. */
function bounded(kind: string, length: number, chance: Chance): string {
  const text = COSTLY_TEXTS[kind]?.(Math.max(1, Math.floor(length)), chance) ?? kind
  return text.slice(0, Math.max(2, length)).replace(/\p{Surrogate}/gu, '')
}

function vector({ dimension }: CostlySession, chance: Chance): number[] {
  return Array.from({ length: dimension }, () => chance(2 ** 31) / 2 ** 30 - 1)
}

function thresholds(chance: Chance): object {
  return chance(2) === 0 ? {} : { short_circuit_threshold: -1 }
}

function dedup(chance: Chance): object {
  return chance(2) === 0 ? {} : { dedup_threshold: -1 }
}

function pick<Item>(items: readonly Item[], chance: Chance): Item {
  return items[chance(items.length)] as Item
}
