/** Chooses the requests of clients to a session, and interprets the answers. */
import type { Chance } from '../chance.js'
import { createTokens, textOf, tokenOf } from '../tokens.js'
import type { Call } from './history.js'
import type { Ask } from './http-client.js'

/** One request and the calls that it represents. */
export interface Task {
  readonly ask: Ask
  readonly isWrite: boolean
  /** True: it has a key, and is sent until it is answered. However often that is, it happens once. */
  readonly isKeyed?: boolean
  /** Calls of a write; calls of a read with the results in the body, or without results if there is none. */
  calls(body: unknown): Call[]
}

/** Few keys, so that writes of the same one overlap. */
const KEYS = ['left', 'right']
/** Key of the isolation's threshold, which is set and read like an entity. */
const THRESHOLD = 'threshold'
/** Thresholds before any is set, and the distance of two that are set. */
const THRESHOLD_DEFAULT = 0.7
const THRESHOLD_STEP = 1e-6
/** The maximum of a listing, and more than a session here has. */
const LISTED_MAX = 1000
const INGESTED_MAX = 3

interface Listing {
  readonly memories: readonly { readonly text: string }[]
}

interface Metrics {
  readonly isolation: { readonly similarity_threshold: number }
}

interface Entities {
  readonly entities: readonly { readonly key: string; readonly value: string }[]
}

/**
 * Returns a function that chooses tasks. Of twelve, four list memories, two read an entity or the threshold, four add memories, and two put
 * one. Half of the runs have a key.
 */
export function createWorkload(chance: Chance): (session: string) => Task {
  const token = createTokens()

  function inject(session: string): Task {
    const added = token('synthetic')
    return write(`/v1/session/${session}/memory`, { text: textOf(added) }, [{ kind: 'append', tokens: [added] }])
  }
  function ingest(session: string): Task {
    const tokens = Array.from({ length: chance.integer(2, INGESTED_MAX) }, () => token('ingested'))
    const memories = tokens.map((one) => ({ text: textOf(one) }))
    return write(`/v1/session/${session}/memories`, { memories }, [{ kind: 'append', tokens }])
  }
  function run(session: string): Task {
    const answers = chance.oneIn(2) ? [token('answer')] : []
    const question = token('question')
    const body = { session_id: session, message: textOf(question), ...(answers[0] !== undefined && { response: textOf(answers[0]) }) }
    const isKeyed = chance.oneIn(2)
    const keyed = isKeyed ? { ...body, idempotency_key: question } : body
    return { ...write('/v1/run', keyed, [{ kind: 'append', tokens: [...answers, question] }]), isKeyed }
  }
  function put(session: string): Task {
    const key = chance.pick(KEYS) as string
    const value = token('value')
    return write(`/v1/session/${session}/entities`, { key, kind: 'constant', value: textOf(value) }, [{ kind: 'put', key, value }])
  }

  function isolate(session: string): Task {
    const value = token('value')
    const body = { level: 'OPEN', similarity_threshold: numberOf(value) * THRESHOLD_STEP }
    const task = write(`/v1/session/${session}/isolation`, body, [{ kind: 'put', key: THRESHOLD, value }])
    return { ...task, ask: { ...task.ask, method: 'PUT' } }
  }

  return (session) => {
    switch (chance.integer(1, 12)) {
      case 1:
      case 2:
        return inject(session)
      case 3:
        return ingest(session)
      case 4:
        return run(session)
      case 5:
        return put(session)
      case 6:
        return isolate(session)
      case 7:
        return lookOf(session)
      case 8:
        return thresholdOf(session)
      default:
        return listOf(session)
    }
  }
}

/** Reads all memories. */
export function listOf(session: string): Task {
  return {
    ask: { method: 'GET', path: `/v1/session/${session}/memories?limit=${LISTED_MAX}` },
    isWrite: false,
    calls: (body) => [{ kind: 'list', tokens: ((body as Listing | null)?.memories ?? []).map(({ text }) => tokenOf(text)) }]
  }
}

/** Reads all entities. */
export function lookOf(session: string): Task {
  return {
    ask: { method: 'GET', path: `/v1/session/${session}/entities` },
    isWrite: false,
    calls(body) {
      const listed = (body as Entities | null)?.entities ?? []
      const values = new Map(listed.map(({ key, value }) => [key, tokenOf(value) ?? 'a text that nobody wrote']))
      return KEYS.map((key) => ({ kind: 'look', key, value: values.get(key) ?? null }))
    }
  }
}

/** Reads the threshold of the isolation. */
export function thresholdOf(session: string): Task {
  return {
    ask: { method: 'GET', path: `/v1/metrics/${session}` },
    isWrite: false,
    calls(body) {
      const set = (body as Metrics | null)?.isolation.similarity_threshold ?? THRESHOLD_DEFAULT
      return [{ kind: 'look', key: THRESHOLD, value: set === THRESHOLD_DEFAULT ? null : `v${Math.round(set / THRESHOLD_STEP)}` }]
    }
  }
}

function numberOf(token: string): number {
  return Number(token.slice(1))
}

function write(path: string, body: object, calls: Call[]): Task {
  return { ask: { method: 'POST', path, body }, isWrite: true, calls: () => calls }
}
