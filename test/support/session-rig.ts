/** Sessions without the runtime: commands are prepared, stepped and committed here, so that tests can inspect both state and storage. */
import type { OutboxMessage } from '../../actors/behaviour/behaviour.js'
import { createSessionBehaviour, type SessionBehaviourOptions } from '../../actors/session/behaviour.js'
import { documentJson, documentOf } from '../../actors/session/record/document.js'
import { createJournal } from '../../actors/session/record/journal.js'
import type { SessionState } from '../../actors/session/record/state.js'
import type { Work } from '../../actors/session/record/work.js'
import type { Address } from '../../src/domain/address.js'
import type { Command, ReplyOf } from '../../src/domain/commands/commands.js'
import type { RunTurn, SessionCommand } from '../../src/domain/commands/session-commands.js'
import { DomainError, type ErrorCode, isDomainError } from '../../src/domain/errors.js'
import { PACKED_MAX } from '../../src/domain/limits.js'
import { inOneGo } from '../../src/domain/pieces.js'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import { createLexicalEmbedder } from '../../src/embedders/lexical.js'
import type { DebugEvent, Ids, StoredRecord } from '../../src/ports.js'
import { createMemoryStorage } from '../../src/storage/memory.js'
import { createExactIndexes } from '../../src/vectors/exact-index.js'
import { whenSettled } from '../../src/platform/event-loop.js'
import { UNBOUNDED, unbounded } from './unbounded.js'

/** Large enough to keep unrelated texts apart, small enough for thousands of steps. */
export const RIG_DIMENSION = 256

export const RIG_START = 1_700_000_000

/** Model of all sessions of a rig. */
export const RIG_MODEL = createLexicalEmbedder().modelName

type Settings = Partial<
  Pick<
    SessionBehaviourOptions,
    | 'driftThreshold'
    | 'updateThreshold'
    | 'contextTokensMax'
    | 'memoriesMax'
    | 'audits'
    | 'createVectorIndex'
    | 'packedMax'
    | 'arePacksRead'
  >
>

export type RigOptions = Settings & { readonly isTraced?: boolean }

export type SessionRig = ReturnType<typeof createSessionRig>
export type RigSession = Awaited<ReturnType<SessionRig['create']>>

/** Creates UUIDs that count up. Setting `next` lets two behaviours produce the same ids. */
export function createCountingIds(): Ids & { next: number } {
  return {
    next: 1,
    uuid() {
      return `00000000-0000-4000-8000-${String(this.next++).padStart(12, '0')}`
    }
  }
}

export function createSessionRig(options: RigOptions = {}) {
  const storage = createMemoryStorage({ retains: true })
  const embedder = createLexicalEmbedder()
  const ids = createCountingIds()
  const events: DebugEvent[] = []
  const counted: string[] = []
  const warnings: { readonly fields: object; readonly message: string }[] = []
  const sessions = new Map<string, { readonly ask: <C extends SessionCommand>(command: C, requestId?: string) => Promise<ReplyOf<C>> }>()
  /** Members of the existing clusters, by cluster. */
  const clusters = new Map<string, Set<string>>()
  /** Posted but not yet delivered. */
  let messages: OutboxMessage[] = []
  let now = RIG_START
  const { isTraced = false, ...settings } = options
  const behaviourOptions: SessionBehaviourOptions = {
    createVectorIndex: createExactIndexes(),
    driftThreshold: 0.5,
    updateThreshold: 0.85,
    contextTokensMax: 350,
    memoriesMax: 100_000,
    audits: false,
    packedMax: PACKED_MAX,
    arePacksRead: () => true,
    ...settings,
    ids,
    storage,
    tracer: { isEnabled: isTraced, emit: (event) => void events.push(event) },
    counters: { count: ({ name }) => void counted.push(name) },
    logger: { warn: (fields, message) => void warnings.push({ fields, message }) },
    monotonicMs: () => 0,
    storesWords: true,
    clock: {
      now: () => now,
      monotonicMs: () => 0,
      after(_, listener) {
        const timer = setImmediate(listener)
        return () => clearImmediate(timer)
      },
      whenSettled
    },
    embedders: {
      resolve: async () => embedder.modelName,
      get: async () => embedder,
      check: async () => undefined,
      close: async () => undefined
    },
    ask: async <C extends Command>(address: Address, command: C) => {
      if (address.kind === 'cluster') return askCluster(address.id, command) as ReplyOf<C>
      if (address.kind !== 'session') throw new DomainError('user_missing', 'There is none')
      const session = sessions.get(address.id)
      if (session === undefined) throw behaviour.missing(address)
      return session.ask(command as SessionCommand) as Promise<ReplyOf<C>>
    }
  }
  const behaviour = createSessionBehaviour(behaviourOptions)
  const shadowIds = createCountingIds()
  const shadowBehaviour = createSessionBehaviour({ ...behaviourOptions, ids: shadowIds })

  /** The part of a cluster that sessions ask. */
  function askCluster(id: string, command: Command): unknown {
    const members = clusters.get(id)
    if (members === undefined) throw new DomainError('cluster_missing', 'Cluster not found')
    if (command.type === 'cluster.checkMember') return { isMember: members.has(command.sessionId) }
    if (command.type === 'cluster.dropMember') return { removed: members.delete(command.sessionId) }
    throw new Error('the rig has no more of a cluster than that')
  }

  /** Returns the session's record as read after a crash: copied, and with the rows in another order. */
  async function readCopy(address: Address): Promise<StoredRecord> {
    const record = await storage.activate(address)
    if (record === null) throw new Error('no such record')
    return structuredClone({ ...record, rows: [...record.rows].sort((a, b) => (a.id < b.id ? 1 : -1)) })
  }

  async function open(id: string, first: SessionCommand) {
    const address: Address = { kind: 'session', subject: 'tester', id }
    const made = await behaviour.initiate(address, first, { address, now, requestId: 'r', room: UNBOUNDED })
    if (made === null) throw behaviour.missing(address)
    let token = await storage.create(address, structuredClone(made.changes))
    const { state } = made
    let isFresh = true

    async function record(): Promise<StoredRecord> {
      const read = await readCopy(address)
      token = read.token
      return read
    }

    const meta = (requestId = 'r') => ({ address, now, requestId, isFresh, room: UNBOUNDED })

    /** Prepares, steps and commits one command. Rejects if the command is refused. */
    async function ask<C extends SessionCommand>(
      command: C,
      requestId?: string,
      more: { outboxPending?: number } = {}
    ): Promise<ReplyOf<C>> {
      const prepared = await behaviour.prepare(state, command, unbounded({ requestId: requestId ?? 'r', now }))
      const { reply, changes, outbox = [] } = inOneGo(behaviour.step(state, command, prepared, { ...meta(requestId), ...more }))
      messages.push(...outbox)
      isFresh = false
      if (changes !== null && token !== null) token = await storage.commit(address, token, structuredClone(changes))
      return reply as ReplyOf<C>
    }

    const session = {
      address,
      state,
      ask,
      /** Runs a turn and returns its reply. */
      run: (message: string, more: Partial<RunTurn> = {}) => ask({ type: 'session.run', message, resetContext: false, ...more }),
      store: (response: string, more: { userId?: string; dedupThreshold?: number; question?: string } = {}) =>
        ask({ type: 'session.store', response, ...more }),
      search: async (query: string, topK = 10) => (await ask({ type: 'session.search', query, topK, filter: {}, explain: false })).results,
      list: async () => (await ask({ type: 'memory.list', limit: 1000, filter: {} })).memories,
      metrics: () => ask({ type: 'session.metrics' }),
      /** Returns the code of the refusal, or `accepted`. */
      async refusal(command: SessionCommand): Promise<ErrorCode | 'accepted'> {
        try {
          await ask(command)
          return 'accepted'
        } catch (error) {
          if (isDomainError(error)) return error.code
          throw error
        }
      },
      /** Returns the changes of the step without committing them. */
      async changes(command: SessionCommand) {
        const prepared = await behaviour.prepare(state, command, unbounded({ requestId: 'r', now }))
        return inOneGo(behaviour.step(state, command, prepared, meta())).changes
      },
      exported: () => [...documentJson(documentOf(state))].join(''),
      record,
      /** Returns a separate state, restored from storage. */
      restored: async () => {
        const state = inOneGo(behaviour.restore(address, await record()))
        behaviour.activated?.(address, state)
        return state
      },
      /** Asks another state of this session; ids continue from this session's. */
      async askOther<C extends SessionCommand>(other: SessionState, command: C): Promise<ReplyOf<C>> {
        shadowIds.next = ids.next
        const prepared = await shadowBehaviour.prepare(other, command, unbounded({ requestId: 'r', now }))
        return inOneGo(shadowBehaviour.step(other, command, prepared, { ...meta(), isFresh: false })).reply as ReplyOf<C>
      },
      /** Creates a step's context, for functions called outside of a command. */
      work: (of: SessionState = state): Work => ({
        state: of,
        journal: createJournal(),
        prepared: { embedder, texts: new Map(), readings: new Map(), shares: new Map(), shared: [], ended: [], removals: of.removals },
        services: behaviourOptions,
        requestId: 'r',
        isFresh: false,
        room: UNBOUNDED,
        now,
        writtenAt: now
      })
    }
    sessions.set(id, session)
    await ask(first)
    return session
  }

  return {
    behaviour,
    storage,
    embedder,
    events,
    counted,
    warnings,
    clusters,
    /** Creates a cluster and the session behind it. */
    async cluster(id: string, own: Partial<Extract<SessionCommand, { type: 'session.create' }>> = {}) {
      clusters.set(id, new Set())
      return this.create(id, { ...own, backing: 'cluster' })
    },
    /** Adds sessions to a cluster, as the cluster does. */
    async join(
      clusterId: string,
      ...members: readonly { readonly address: Address; readonly ask: (command: SessionCommand) => Promise<unknown> }[]
    ) {
      for (const { address, ask } of members) {
        await ask({ type: 'membership.add', clusterId, dimension: RIG_DIMENSION, modelName: embedder.modelName })
        clusters.get(clusterId)?.add(address.id)
      }
    },
    /** Posted but undelivered messages. */
    get messages(): readonly OutboxMessage[] {
      return messages
    },
    /** Delivers posted messages to sessions, each once, and returns the codes of the refusals. Messages to other actors are dropped. */
    async deliver(posted: readonly OutboxMessage[] = messages): Promise<string[]> {
      messages = messages.filter((message) => !posted.includes(message))
      const refusals: string[] = []
      for (const { id, to, command } of posted) {
        if (to.kind !== 'session') continue
        const receiver = sessions.get(to.id)
        if (receiver === undefined) refusals.push('session_missing')
        else
          await receiver
            .ask(command as SessionCommand, id)
            .catch((error: unknown) => refusals.push(isDomainError(error) ? error.code : String(error)))
      }
      return refusals
    },
    create: (id = 's', own: Partial<Extract<SessionCommand, { type: 'session.create' }>> = {}) =>
      open(id, { type: 'session.create', dimension: RIG_DIMENSION, useCortex: false, enableTopicSwitch: true, policyVectors: [], ...own }),
    open,
    advance(seconds: number) {
      now += seconds
    },
    get now() {
      return now
    }
  }
}

/** Embedding of a text, in the form that a client sends. */
export function embeddingOf(text: string, dimension = RIG_DIMENSION): number[] {
  return [...lexicalVector(text, dimension)]
}

/** Describes where two plain values differ, in a number by more than `tolerance` or in anything else; null if they do not. */
export function differenceOf(a: unknown, b: unknown, tolerance = 1e-5, path = ''): string | null {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= tolerance || Object.is(a, b) ? null : `${path}: ${String(a)}, ${String(b)}`
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return a === b ? null : `${path}: ${String(a)}, ${String(b)}`
  const [left, right] = [Object.entries(a), Object.entries(b)]
  if (left.length !== right.length) return `${path}: ${String(left.length)} entries, ${String(right.length)}`
  for (const [key, value] of left) {
    const found = differenceOf(value, (b as Readonly<Record<string, unknown>>)[key], tolerance, `${path}/${key}`)
    if (found !== null) return found
  }
  return null
}
