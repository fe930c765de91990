/** Chooses the requests of clients to a session, and interprets the answers. */
import type { Chance } from '../chance.js'
import { createTokens, textOf, tokenOf } from '../tokens.js'
import type { Call } from './history.js'
import type { Ask } from './http-client.js'

/** One request and the calls that it represents. */
export interface Task {
  readonly ask: Ask
  readonly isWrite: boolean
  /** Calls of a write; calls of a read with the results in the body, or without results if there is none. */
  calls(body: unknown): Call[]
}

/** Few keys, so that writes of the same one overlap. */
const KEYS = ['left', 'right']
/** The maximum of a listing, and more than a session here has. */
const LISTED_MAX = 1000
const INGESTED_MAX = 3

interface Listing {
  readonly memories: readonly { readonly text: string }[]
}

interface Entities {
  readonly entities: readonly { readonly key: string; readonly value: string }[]
}

/** Returns a function that chooses tasks. Of ten, four list memories, one reads entities, four add memories, and one puts an entity. */
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
    return write('/v1/run', body, [{ kind: 'append', tokens: [...answers, question] }])
  }
  function put(session: string): Task {
    const key = chance.pick(KEYS) as string
    const value = token('value')
    return write(`/v1/session/${session}/entities`, { key, kind: 'constant', value: textOf(value) }, [{ kind: 'put', key, value }])
  }

  return (session) => {
    switch (chance.integer(1, 10)) {
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
        return lookOf(session)
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

function write(path: string, body: object, calls: Call[]): Task {
  return { ask: { method: 'POST', path, body }, isWrite: true, calls: () => calls }
}
