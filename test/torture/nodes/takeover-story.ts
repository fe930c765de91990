/** A node is paused until others own what it owned, resumes, and is asked at once: its answers must not be stale. */
import { performance } from 'node:perf_hooks'
import { textOf } from '../tokens.js'
import type { Call, Entry } from './history.js'
import { type Ask, createHttpClient, type Reply } from './http-client.js'
import type { Node, Team } from './node-team.js'
import { ownedSession } from './owned-session.js'
import { listOf, lookOf } from './workload.js'

const SESSION_PATIENCE_MS = 30_000
const KEY = 'left'
/** Requests of each kind to the paused node: it reads some of them before it hears of the other nodes. */
const QUESTIONS = 4

/**
 * What the paused node is asked for. A fenced write makes it drop its state, after which its reads are right even if they are not
 * verified.
 */
export type Asks = 'reads' | 'reads and writes'

/** Runs the story and returns its history of one session, a different one for each number. */
export async function tellTakeover(team: Team, { number, asks }: { readonly number: number; readonly asks: Asks }): Promise<Entry[]> {
  const http = createHttpClient({ patienceMs: SESSION_PATIENCE_MS })
  const [sleeper, other] = team.nodes as [Node, Node, Node]
  const session = ownedSession(sleeper, team.nodes, `story-${number}`)
  const bait = ownedSession(sleeper, team.nodes, `bait-${number}`)
  const entries: Entry[] = []

  async function perform(node: Node, ask: Ask, callsOf: (body: unknown) => Call[]): Promise<void> {
    const invoked = performance.now()
    const reply = await http.send(node.url, ask)
    const outcome = outcomeOf(reply)
    const interval = { session, invoked, ended: performance.now(), outcome }
    const calls = outcome === 'ok' || ask.method === 'POST' ? callsOf(typeof reply === 'object' ? reply.body : null) : []
    entries.push(...calls.map((call) => ({ ...call, ...interval })))
  }
  const write = (node: Node, path: string, body: object, call: Call) =>
    perform(node, { method: 'POST', path: `/v1/session/${session}/${path}`, body }, () => [call])
  const append = (node: Node, token: string) => write(node, 'memory', { text: textOf(token) }, { kind: 'append', tokens: [token] })
  const put = (node: Node, value: string) =>
    write(node, 'entities', { key: KEY, kind: 'constant', value: textOf(value) }, { kind: 'put', key: KEY, value })
  const list = (node: Node) => perform(node, listOf(session).ask, listOf(session).calls)
  const look = (node: Node) => perform(node, lookOf(session).ask, lookOf(session).calls)

  try {
    for (const session_id of [session, bait]) {
      await http.send(sleeper.url, { method: 'POST', path: '/v1/session/create', body: { session_id, dimension: 64 } })
    }
    await append(sleeper, 's1')
    await put(sleeper, 'v1')
    sleeper.pause()
    // Waits until the sleeper counts as dead. A call for the session itself would also wait for the sleeper, and inform it when it wakes.
    await http.send(other.url, { method: 'POST', path: `/v1/session/${bait}/memory`, body: { text: textOf('bait') } })
    await append(other, 's2')
    await put(other, 'v2')
    const asked = Array.from({ length: QUESTIONS }, (_, at) => {
      const writes = asks === 'reads' ? [] : [append(sleeper, `s${at + 3}`), put(sleeper, `v${at + 3}`)]
      return [...writes, list(sleeper), look(sleeper)]
    })
    sleeper.resume()
    await Promise.all(asked.flat())
    for (const node of [sleeper, other]) {
      await list(node)
      await look(node)
    }
    return entries
  } finally {
    sleeper.resume()
    http.close()
  }
}

function outcomeOf(reply: Reply): Entry['outcome'] {
  if (typeof reply === 'string' || reply.status >= 500) return reply === 'unheard' ? 'refused' : 'unknown'
  return reply.status < 300 ? 'ok' : 'refused'
}
