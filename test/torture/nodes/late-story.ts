/**
 * A first try that arrives late: a request is under way to its owner when the owner is paused or a line is cut. Its retry, by the node that
 * was asked, or by the client after an unknown outcome, is done elsewhere and acknowledged, and so are many other requests after it. Then
 * the first try arrives, and must change nothing.
 */
import { setTimeout as passed } from 'node:timers/promises'
import type { Chance } from '../chance.js'
import { textOf, tokenOf } from '../tokens.js'
import { type Ask, createHttpClient, type HttpClient, type Reply } from './http-client.js'
import type { Node, Team } from './node-team.js'
import { ownedSession } from './owned-session.js'
import { listOf } from './workload.js'

/** Kinds of late requests. */
export const LATE_KINDS = ['delete', 'put', 'run'] as const
export type LateKind = (typeof LATE_KINDS)[number]

/**
 * `paused`: the owner is paused. `deaf`: nothing from NATS reaches the owner. `mute`: nothing from the owner reaches NATS. `cut`: both.
 * `stuck`: both, and nothing passes between the owner and the database either. What waits on a line arrives when the line is restored.
 */
export const LATE_FAULTS = ['paused', 'deaf', 'mute', 'cut', 'stuck'] as const
export type LateFault = (typeof LATE_FAULTS)[number]

export interface LateRound {
  readonly kind: LateKind
  readonly fault: LateFault
  /** Who retried the request: the node that was asked, or the client, with a request id of its own. */
  readonly retriedBy: 'node' | 'client'
  /** What is wrong; null if nothing is. */
  readonly violation: string | null
}

/** Changes acknowledged before the first try arrives: more than the requests that an idempotency log holds. */
const CHANGES = 70
/** Time limit of a request in milliseconds: longer than nodes wait for a silent node. */
const PATIENCE_MS = 40_000
/** Milliseconds before a refused request is retried, and milliseconds in which a late request is carried out. */
const AGAIN_MS = 300
const ARRIVING_MS = 3_000
/** Most tries of a request that is refused. */
const TRIES_MAX = 40
const KEY = 'left'
/** Answers if an earlier try, which got no answer, was done: the session exists already, or is already deleted. */
const ALREADY: ReadonlySet<number> = new Set([404, 409])

/** Runs one story for each of `kinds`, each with its own session, through one fault. The team is healed afterwards. */
export async function tellLate(
  team: Team,
  { fault, chance, kinds, number }: { fault: LateFault; chance: Chance; kinds: readonly LateKind[]; number: number }
): Promise<LateRound[]> {
  const http = createHttpClient({ patienceMs: PATIENCE_MS })
  const owner = chance.pick(team.nodes) as Node
  const entry = chance.pick(team.nodes.filter((node) => node !== owner)) as Node
  const stories = kinds.map((kind, at) =>
    createStory(http, { kind, entry, session: ownedSession(owner, team.nodes, `late-${number}-${at}`) })
  )
  try {
    await Promise.all(stories.map((story) => story.prepare()))
    strike(owner, fault)
    const asked = stories.map((story) => story.askLate())
    const isKnown = await Promise.all(asked)
    await Promise.all(stories.map((story, at) => story.goOn(isKnown[at] === true)))
    owner.resume()
    for (const line of [owner.lines.nats, owner.lines.database]) line.restore()
    await passed(ARRIVING_MS)
    await team.heal()
    return await Promise.all(
      stories.map(async ({ kind, look }, at): Promise<LateRound> => {
        return { kind, fault, retriedBy: isKnown[at] === true ? 'node' : 'client', violation: await look() }
      })
    )
  } finally {
    owner.resume()
    http.close()
  }
}

function strike({ pause, lines }: Node, fault: LateFault): void {
  if (fault === 'paused') pause()
  else lines.nats.cut(fault === 'deaf' ? 'to client' : fault === 'mute' ? 'to server' : undefined)
  if (fault === 'stuck') lines.database.cut()
}

function createStory(
  http: HttpClient,
  { kind, entry, session }: { readonly kind: LateKind; readonly entry: Node; readonly session: string }
) {
  const send = (ask: Ask) => http.send(entry.url, ask)
  let counted: number | undefined
  const path = `/v1/session/${session}`
  const create: Ask = { method: 'POST', path: '/v1/session/create', body: { session_id: session, dimension: 64 } }
  const put = (value: string): Ask => ({
    method: 'POST',
    path: `${path}/entities`,
    body: { key: KEY, kind: 'constant', value: textOf(value) }
  })
  const store = (token: string): Ask => ({ method: 'POST', path: `${path}/memory`, body: { text: textOf(token) } })
  const late: Record<LateKind, Ask> = {
    delete: { method: 'DELETE', path },
    put: put('first'),
    run: { method: 'POST', path: '/v1/run', body: { session_id: session, message: textOf(`${session}-q`) } }
  }

  async function insist(ask: Ask): Promise<void> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const reply = await send(ask)
      if (isGood(reply) || (typeof reply === 'object' && ALREADY.has(reply.status))) return
      await passed(AGAIN_MS)
    }
    throw new Error(`${ask.method} ${ask.path} is not acknowledged`)
  }

  return {
    kind,
    session,
    async prepare() {
      await insist(create)
      await insist(store(`${session}-before`))
    },
    /** Sends the late request. Resolves with whether it was acknowledged. */
    askLate: async () => isGood(await send(late[kind])),
    async goOn(isKnown: boolean): Promise<void> {
      if (!isKnown) await insist(late[kind])
      if (kind === 'delete') {
        await insist(create)
        await insist(store(`${session}-after`))
      } else for (let at = 1; at <= CHANGES; at++) await insist(put(`${session}-v${String(at)}`))
      if (kind === 'run') counted = await turns()
    },
    async look(): Promise<string | null> {
      switch (kind) {
        case 'delete': {
          const { body } = await answered(listOf(session).ask)
          const texts = (body as { memories?: { text: string }[] } | null)?.memories ?? []
          return texts.some(({ text }) => tokenOf(text) === `${session}-after`) ? null : 'the session that was made again is not there'
        }
        case 'put': {
          const { body } = await answered({ method: 'GET', path: `${path}/entities` })
          const value = (body as { entities?: { value: string }[] } | null)?.entities?.[0]?.value
          return value === textOf(`${session}-v${String(CHANGES)}`) ? null : `the value is ${tokenOf(value ?? '') ?? 'nothing'}`
        }
        case 'run': {
          const now = await turns()
          return now === counted ? null : `${String(now)} turns are counted, and before ${String(counted)}`
        }
      }
    }
  }

  async function turns(): Promise<number | undefined> {
    const { body } = await answered({ method: 'GET', path: `/v1/metrics/${session}` })
    return (body as { interaction_count?: number } | null)?.interaction_count
  }

  async function answered(ask: Ask): Promise<{ readonly status: number; readonly body: unknown }> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const reply = await send(ask)
      if (typeof reply === 'object' && reply.status < 500) return reply
      await passed(AGAIN_MS)
    }
    throw new Error(`${ask.path} is not answered`)
  }
}

function isGood(reply: Reply): boolean {
  return typeof reply === 'object' && reply.status < 300
}
