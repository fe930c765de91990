/** Chooses the writes of the clients. */
import { hashText } from '../../actors/session/record/hash.js'
import type { Operation } from './account.js'
import type { Chance } from './chance.js'
import { createTokens, entityToken, isMemory, textOf } from './tokens.js'

/** An operation and the request for it. */
export interface Write {
  readonly operation: Operation
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly body?: object
}

export interface WritesOptions {
  readonly chance: Chance
  readonly sessions: readonly string[]
  /** Tokens that a session certainly holds. */
  readonly standing: (session: string) => readonly string[]
}

/** One write in this many is a run that resets its session first, so that sessions stay at a few hundred memories and reads stay short. */
const RESET_ONE_IN = 100
/** One write in this many deletes the session, which comes back with the next run. */
const DROP_ONE_IN = 200
const CREATE_ONE_IN = 200
/** One batch in this many is larger than what the storages encode or read in one go; the others are small. */
const LARGE_BATCH_ONE_IN = 25
const LARGE_BATCH = 300
const SMALL_BATCH_MAX = 12
/** Entities of one client in one session: few, so that most are overwritten. */
const KEYS = 3

/** Returns a function that chooses a client's next write. Each entity key belongs to one client, whose writes do not overlap. */
export function createWrites({ chance, sessions, standing }: WritesOptions): (client: number) => Write {
  const token = createTokens()

  function run(session: string, { isReset }: { isReset: boolean }): Write {
    const answer = chance.oneIn(2) ? token('answer') : null
    const question = token('question')
    const body = {
      session_id: session,
      message: textOf(question),
      ...(answer !== null && { response: textOf(answer) }),
      reset_context: isReset
    }
    const adds = answer === null ? [question] : [answer, question]
    return post('/v1/run', body, { name: isReset ? 'reset' : 'run', session, adds, removes: isReset ? 'memories' : [] })
  }
  function store(session: string): Write {
    const answer = token('answer')
    return post('/v1/store', { session_id: session, response: textOf(answer) }, { name: 'store', session, adds: [answer], removes: [] })
  }
  function ingest(session: string): Write {
    const length = chance.oneIn(LARGE_BATCH_ONE_IN) ? LARGE_BATCH : chance.integer(2, SMALL_BATCH_MAX)
    const adds = Array.from({ length }, () => token('ingested'))
    const memories = adds.map((one) => ({ text: textOf(one) }))
    return post(`/v1/session/${session}/memories`, { memories }, { name: 'ingest', session, adds, removes: [] })
  }
  function inject(session: string): Write {
    const memory = token('synthetic')
    return post(`/v1/session/${session}/memory`, { text: textOf(memory) }, { name: 'inject', session, adds: [memory], removes: [] })
  }
  function forget(session: string): Write {
    const removed = chance.pick(standing(session).filter(isMemory))
    if (removed === undefined) return run(session, { isReset: false })
    const operation = { name: 'forget', session, adds: [], removes: [removed] }
    return { operation, method: 'DELETE', path: `/v1/session/${session}/memories/${hashText(textOf(removed))}` }
  }
  function put(session: string, key: string): Write {
    const value = token('value')
    const operation = { name: 'put', session, adds: [entityToken(key, value)], removes: [entityToken(key, '')] }
    return post(`/v1/session/${session}/entities`, { key, kind: 'constant', value: textOf(value) }, operation)
  }
  function remove(session: string, key: string): Write {
    const operation = { name: 'remove', session, adds: [], removes: [entityToken(key, '')] }
    return { operation, method: 'DELETE', path: `/v1/session/${session}/entities/${key}` }
  }

  return (client) => {
    const session = chance.pick(sessions) as string
    if (chance.oneIn(DROP_ONE_IN)) return dropOf(session)
    if (chance.oneIn(CREATE_ONE_IN)) return createOf(session)
    if (chance.oneIn(RESET_ONE_IN)) return run(session, { isReset: true })
    switch (chance.integer(1, 9)) {
      case 1:
        return store(session)
      case 2:
        return ingest(session)
      case 3:
        return inject(session)
      case 4:
        return forget(session)
      case 5:
        return put(session, keyOf(client, chance.integer(1, KEYS)))
      case 6:
        return remove(session, keyOf(client, chance.integer(1, KEYS)))
      default:
        return run(session, { isReset: false })
    }
  }
}

/** Creates the session; refused if it exists. */
export function createOf(session: string): Write {
  return post('/v1/session/create', { session_id: session }, { name: 'create', session, adds: [], removes: [] })
}

function dropOf(session: string): Write {
  return { operation: { name: 'drop', session, adds: [], removes: 'session' }, method: 'DELETE', path: `/v1/session/${session}` }
}

function post(path: string, body: object, operation: Operation): Write {
  return { operation, method: 'POST', path, body }
}

function keyOf(client: number, key: number): string {
  return `client-${client}/key-${key}`
}
