/** Carries out the operations of a plan and records their outcomes. */
import type { Command, ReplyOf } from '../../src/domain/commands/commands.js'
import type { Call, Entry, Outcome } from '../torture/nodes/history.js'
import { textOf, tokenOf } from '../torture/tokens.js'
import { addressOf, type Answer, type Clients } from './clients.js'
import type { LifeCall, LifeEntry, LifeOutcome } from './life-model.js'
import { CLUSTERS, KEYS, LATE_MEMBERS, MEMBERS, type Operation, PASSING_SESSION, REGION, SESSIONS, TOPICS } from './operations.js'
import type { World } from './world.js'

/** What the clients observed. */
export interface Seen {
  /** Simulated milliseconds at which all clusters were attached to the region. */
  attachedAtMs: number
  /** Operations on sessions that are never deleted. */
  readonly history: Entry[]
  /** Operations on PASSING_SESSION. */
  readonly life: LifeEntry[]
  /** Answers sent to members to be stored; `isCertain` if that was acknowledged. */
  readonly answers: { readonly session: string; readonly token: string; readonly isCertain: boolean }[]
  /** Final count of turns by session. */
  readonly turns: Map<string, number>
  /** Members added to clusters; `isCertain` if that was acknowledged. */
  readonly joined: { readonly cluster: string; readonly member: string; readonly isCertain: boolean }[]
}

export interface Load {
  readonly seen: Seen
  /** Number of operations that have begun and not ended. */
  readonly underWay: number
  /** Creates the sessions, the clusters and the region. */
  prepare(): Promise<void>
  begin(operation: Operation): void
  /** Reads each session at every node. */
  readFinally(): Promise<void>
}

const DIMENSION = 64
const LISTED_MAX = 1_000

/** Milliseconds after which a session has to be readable again, and milliseconds between two tries. */
const READABLE_MS_MAX = 15_000
const AGAIN_MS = 500

const SETTINGS = { dimension: DIMENSION, useCortex: false, enableTopicSwitch: true, policyVectors: [] } as const

type Telling = (text: string) => void

export function createLoad(world: World, clients: Clients): Load {
  const { scheduler, story } = world
  const seen: Seen = { attachedAtMs: Infinity, history: [], life: [], answers: [], turns: new Map(), joined: [] }
  let underWay = 0

  /** Performs an operation on a session that is never deleted. `calls`: what it asked for, or what its reply shows. */
  async function record<C extends Command>(
    operation: Operation,
    {
      session,
      command,
      key,
      calls
    }: {
      readonly session: string
      readonly command: C
      readonly key?: string
      readonly calls: (reply: ReplyOf<C> | null) => Call[]
    },
    tell: Telling
  ): Promise<Outcome> {
    const invoked = scheduler.nowMs
    const answer = await clients.ask(addressOf('session', session), command, { entry: operation.entry, ...(key !== undefined && { key }) })
    const outcome = outcomeOf(answer)
    const noted = calls(answer.is === 'answered' ? answer.reply : null)
    for (const call of noted) seen.history.push({ ...call, session, invoked, ended: scheduler.nowMs, outcome })
    tell(`${wordOf(answer)}${outcome === 'ok' ? told(noted) : ''}`)
    return outcome
  }

  async function recordLife(
    operation: Operation,
    command: Command,
    { call, tell }: { readonly call: LifeCall; readonly tell: Telling }
  ): Promise<void> {
    const invoked = scheduler.nowMs
    const answer = await clients.ask(addressOf('session', PASSING_SESSION), command, { entry: operation.entry })
    const outcome: LifeOutcome =
      answer.is === 'answered'
        ? 'ok'
        : answer.is === 'silent'
          ? 'unknown'
          : answer.code === 'session_missing'
            ? 'missing'
            : answer.code === 'already_exists'
              ? 'there'
              : 'unknown'
    const tokens = call.kind === 'check' && answer.is === 'answered' ? tokensOf(answer.reply) : call.tokens
    seen.life.push({ kind: call.kind, tokens, invoked, ended: scheduler.nowMs, outcome })
    tell(`${wordOf(answer)}${call.kind === 'check' && outcome === 'ok' ? ` [${tokens.join(' ')}]` : ''}`)
  }

  async function perform(operation: Operation, tell: Telling): Promise<void> {
    const key = `key-${String(operation.number)}`
    switch (operation.kind) {
      case 'inject': {
        const { session, token } = operation
        await record(operation, { session, command: injected(token), calls: () => [{ kind: 'append', tokens: [token] }] }, tell)
        return
      }
      case 'ingest': {
        const { session, tokens } = operation
        const memories = tokens.map((token) => ({ text: textOf(token), role: 'user' }) as const)
        await record(operation, { session, command: { type: 'memory.ingest', memories }, calls: () => [{ kind: 'append', tokens }] }, tell)
        return
      }
      case 'run': {
        const { session, question, answer, isKeyed } = operation
        const command = {
          type: 'session.run',
          message: textOf(question),
          resetContext: false,
          ...(answer !== null && { response: textOf(answer) })
        } as const
        const tokens = [...(answer === null ? [] : [answer]), question]
        const outcome = await record(
          operation,
          { session, command, ...(isKeyed && { key }), calls: () => [{ kind: 'append', tokens }] },
          tell
        )
        if (answer !== null) seen.answers.push({ session, token: answer, isCertain: outcome === 'ok' })
        return
      }
      case 'store': {
        const { session, answer, isKeyed } = operation
        const command = { type: 'session.store', response: textOf(answer) } as const
        const outcome = await record(
          operation,
          { session, command, ...(isKeyed && { key }), calls: () => [{ kind: 'append', tokens: [answer] }] },
          tell
        )
        seen.answers.push({ session, token: answer, isCertain: outcome === 'ok' })
        return
      }
      case 'put': {
        const { session, value } = operation
        const command = { type: 'entity.put', key: operation.key, kind: 'constant', value: textOf(value), importance: 1 } as const
        await record(operation, { session, command, calls: () => [{ kind: 'put', key: operation.key, value }] }, tell)
        return
      }
      case 'list':
        await list(operation, operation.session, tell)
        return
      case 'look':
        await look(operation, operation.session, tell)
        return
      case 'create':
        return recordLife(operation, { type: 'session.create', ...SETTINGS }, { call: { kind: 'create', tokens: [] }, tell })
      case 'delete':
        return recordLife(operation, { type: 'session.delete' }, { call: { kind: 'delete', tokens: [] }, tell })
      case 'append':
        return recordLife(operation, injected(operation.token), { call: { kind: 'append', tokens: [operation.token] }, tell })
      case 'check':
        return recordLife(operation, LIST, { call: { kind: 'check', tokens: [] }, tell })
      case 'drift': {
        const message = `${TOPICS[operation.topic] ?? TOPICS[0]} ${String(operation.number)}`
        const command = { type: 'session.run', message, resetContext: false, backing: 'cluster' } as const
        tell(wordOf(await clients.ask(addressOf('session', operation.cluster), command, { entry: operation.entry, key })))
        return
      }
      case 'join': {
        const { member } = operation
        const cluster = LATE_MEMBERS[member] ?? ''
        const command = { type: 'cluster.addMember', sessionId: member, weight: 1 } as const
        const answer = await clients.ask(addressOf('cluster', cluster), command, { entry: operation.entry })
        seen.joined.push({ cluster, member, isCertain: answer.is === 'answered' })
        tell(wordOf(answer))
      }
    }
  }

  function list(operation: Operation, session: string, tell: Telling): Promise<Outcome> {
    return record(operation, { session, command: LIST, calls: (reply) => [{ kind: 'list', tokens: tokensOf(reply) }] }, tell)
  }
  function look(operation: Operation, session: string, tell: Telling): Promise<Outcome> {
    const command = { type: 'entity.list', query: '', maxResults: 20 } as const
    const calls = (reply: ReplyOf<typeof command> | null): Call[] => {
      const values = new Map((reply?.entities ?? []).map(({ key, value }) => [key, tokenOf(value) ?? 'a text that nobody wrote']))
      return KEYS.map((key) => ({ kind: 'look', key, value: values.get(key) ?? null }))
    }
    return record(operation, { session, command, calls }, tell)
  }

  /** Retries for a while: requests sent over a line while it was cut may fail after it is restored. */
  async function insistOn(read: () => Promise<Outcome>, name: string): Promise<void> {
    const untilMs = scheduler.nowMs + READABLE_MS_MAX
    while ((await read()) === 'unknown') {
      if (scheduler.nowMs > untilMs) throw new Error(`${name} is not readable when all is well again`)
      await new Promise<void>((resolve) => void scheduler.after(AGAIN_MS, resolve))
    }
  }

  return {
    seen,
    get underWay() {
      return underWay
    },
    async prepare() {
      const entry = 0
      const made = ['already_exists'] as const
      for (const id of [...SESSIONS, ...Object.keys(LATE_MEMBERS)])
        await clients.insist(addressOf('session', id), { type: 'session.create', ...SETTINGS }, { entry, accepted: made })
      for (const id of CLUSTERS) {
        const command = { type: 'cluster.create', aggregationMode: 'weighted_average', couplingFactor: 0.5, settings: SETTINGS } as const
        await clients.insist(addressOf('cluster', id), command, { entry, accepted: made })
        for (const sessionId of MEMBERS[id] ?? []) {
          await clients.insist(addressOf('cluster', id), { type: 'cluster.addMember', sessionId, weight: 1 }, { entry })
          seen.joined.push({ cluster: id, member: sessionId, isCertain: true })
        }
      }
      const region = { type: 'region.create', consensusThreshold: 0.5, voteWindowS: 60, settings: SETTINGS } as const
      await clients.insist(addressOf('region', REGION), region, { entry, accepted: made })
      for (const clusterId of CLUSTERS) await clients.insist(addressOf('region', REGION), { type: 'region.attach', clusterId }, { entry })
      seen.attachedAtMs = scheduler.nowMs
    },
    begin(operation) {
      underWay += 1
      const who = `c${String(operation.number)}`
      story.tell(who, taskText(operation))
      void perform(operation, (text) => story.tell(who, text)).finally(() => (underWay -= 1))
    },
    async readFinally() {
      for (const session of SESSIONS) {
        for (let entry = 0; entry < 3; entry++) {
          const operation: Operation = { kind: 'list', session, number: 1_000 + entry, atMs: scheduler.nowMs, entry }
          const tell = (text: string): void => story.tell('end', `${session} at n${String(entry + 1)}: ${text}`)
          for (const read of [list, look]) await insistOn(() => read(operation, session, tell), `${session} at n${String(entry + 1)}`)
        }
      }
      for (const session of SESSIONS) {
        const metrics = await clients.insist(addressOf('session', session), { type: 'session.metrics' }, { entry: 0 })
        if (metrics !== null) seen.turns.set(session, metrics.interactionCount)
      }
      const last: Operation = { kind: 'check', number: 1_003, atMs: scheduler.nowMs, entry: 0 }
      await perform(last, (text) => story.tell('end', `${PASSING_SESSION}: ${text}`))
    }
  }
}

const LIST = { type: 'memory.list', limit: LISTED_MAX, filter: {} } as const

function injected(token: string) {
  return { type: 'memory.inject', text: textOf(token), tier: 'short_term', importance: 1, accessCount: 0 } as const
}

/** Tokens of a listing of memories; empty for null. */
export function tokensOf(reply: unknown): (string | null)[] {
  const listing = reply as { readonly memories?: readonly { readonly text: string }[] } | null
  return (listing?.memories ?? []).map(({ text }) => tokenOf(text))
}

function outcomeOf(answer: Answer<unknown>): Outcome {
  if (answer.is === 'answered') return 'ok'
  if (answer.is === 'silent') return 'unknown'
  // Done, but the reply is no longer kept.
  if (answer.code === 'answer_gone') return 'ok'
  return answer.code === 'session_missing' ? 'missing' : 'unknown'
}

function wordOf(answer: Answer<unknown>): string {
  return answer.is === 'answered' ? 'ok' : answer.is === 'silent' ? 'no answer' : answer.code
}

function told(calls: readonly Call[]): string {
  return calls
    .map((call) =>
      call.kind === 'list' ? ` [${call.tokens.join(' ')}]` : call.kind === 'look' ? ` ${call.key}=${String(call.value)}` : ''
    )
    .join('')
}

function taskText(operation: Operation): string {
  const { number: _, atMs: __, entry, kind, ...rest } = operation
  const words = Object.values(rest).flatMap((value) =>
    value === null || value === false ? [] : [value === true ? 'with a key' : String(value)]
  )
  return `${kind} ${words.join(' ')} at n${String(entry + 1)}`
}
