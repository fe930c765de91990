/** HTTP over a minimal session owner in memory: plain answers, and the refusals of the real one. */
import type { InjectOptions } from 'fastify'
import { createSemaphore } from '../../actors/scheduling/semaphore.js'
import { generateKeyPair, signLicense } from '../../src/auth/license-signing.js'
import { createLicenseVerifier } from '../../src/auth/license.js'
import { type Address, addressKey } from '../../src/domain/address.js'
import type { Command, ReplyOf } from '../../src/domain/commands/commands.js'
import type { MemoryView } from '../../src/domain/commands/memory-view.js'
import type { SessionCommand, SessionReplies } from '../../src/domain/commands/session-commands.js'
import { DomainError } from '../../src/domain/errors.js'
import { inOneGo } from '../../src/domain/pieces.js'
import type { Ask, HttpOptions } from '../../src/http/contract/contracts.js'
import { createLogger, type LogDestination } from '../../src/http/plugins/logger.js'
import { createHttp } from '../../src/http/server.js'
import { createMetrics } from '../../src/metrics/prometheus.js'
import { yieldToEventLoop } from '../../src/platform/event-loop.js'
import { unlimitedBudget } from './unlimited-budget.js'

/** Epoch seconds; the initial time of the rig's clock. */
export const START = 1_800_000_000

export const CREDENTIALS = { user: 'scraper', password: 'pass:word' }

const keys = generateKeyPair()

export interface Rig {
  readonly app: Awaited<ReturnType<typeof createHttp>>
  readonly publicKey: string
  readonly privateKey: string
  readonly asked: { address: Address; command: SessionCommand }[]
  readonly logs: string[]
  readonly clock: { now(): number; set(seconds: number): void; monotonicMs(): number; pass(ms: number): void }
  token(subject: string, expiresAt?: number): Promise<string>
  /** Sends a request with a licence of `alice`. */
  call(options: InjectOptions): Promise<Answer>
  post(url: string, body: unknown): Promise<Answer>
  get(url: string): Promise<Answer>
}

/** Parsed body of an answer; fields vary by route. */
export interface AnswerBody {
  readonly [name: string]: unknown
  readonly detail?: unknown
  readonly session_id?: unknown
  readonly dedup_signal?: unknown
  readonly stages?: unknown
}

export interface Answer {
  readonly status: number
  readonly body: AnswerBody
  readonly headers: Record<string, unknown>
  readonly text: string
}

interface RigOptions {
  readonly anonymous?: boolean
  readonly config?: Partial<HttpOptions['config']>
  /** Called before the in-memory owner; undefined, or a promise of it, passes the command on. */
  readonly intercept?: (command: SessionCommand) => unknown
  readonly ready?: boolean
  readonly modelService?: HttpOptions['modelService']
  readonly debug?: HttpOptions['debug']
  /** Default: no request waits. */
  readonly lanes?: HttpOptions['lanes']
  /** Default: runs all of it at once. */
  readonly takePieces?: HttpOptions['takePieces']
  /** Default: at once. */
  readonly admit?: HttpOptions['admit']
  /** Default: unlimited. */
  readonly memory?: HttpOptions['memory']
}

export async function createRig({
  anonymous = false,
  config = {},
  intercept,
  ready = true,
  modelService = null,
  debug = null,
  lanes,
  takePieces,
  admit,
  memory
}: RigOptions = {}): Promise<Rig> {
  let now = START
  let passedMs = 0
  const clock = {
    now: () => now,
    set: (seconds: number) => void (now = seconds),
    monotonicMs: () => passedMs,
    after: () => () => undefined,
    pass: (ms: number) => void (passedMs += ms)
  }
  const logs: string[] = []
  const destination: LogDestination = { write: (line) => void logs.push(line) }
  const asked: Rig['asked'] = []
  const owner = createOwner()
  let lastUsed: string | null = null
  let uuids = 0
  const places = createSemaphore({ clock, permitsMax: Infinity, full: 'full' })
  const ask: Ask = async <C extends Command>(address: Address, command: C) => {
    // This owner has only sessions.
    const asking = command as SessionCommand
    asked.push({ address, command: asking })
    const intercepted = await intercept?.(asking)
    if (intercepted instanceof Error) throw intercepted
    const reply = (intercepted ?? owner.handle(address, asking)) as ReplyOf<C>
    lastUsed = address.id
    return reply
  }
  const app = await createHttp({
    ask,
    directory: {
      activeSessions: () => owner.count(),
      lastUsedSession: async () => lastUsed,
      listRegions: async () => [],
      listSessions: async () => ({ sessions: [], next: null }),
      sumDays: async () => ({ days: [], sessions: 0, next: null }),
      listClusters: async () => [],
      readiness: async () => ({
        ready,
        checks: { redis: 'not_configured', database: 'not_configured', embedder: ready ? 'ok' : 'error: down' },
        embedderModel: 'lexical-hash-v1'
      })
    },
    verifyLicense: anonymous ? null : createLicenseVerifier({ publicKey: keys.publicKey, clock }),
    metrics: createMetrics(),
    takePieces: takePieces ?? (async (_subject, work) => inOneGo(work)),
    watch: { during: (_command, _input, work) => work() },
    modelService,
    eraseUser: null,
    hasMcp: true,
    debug,
    lanes: lanes ?? { commands: places, checks: places, streams: places, tools: places },
    memory: memory ?? unlimitedBudget(),
    admit: admit ?? ((_subject, goOn) => goOn()),
    isLeaving: () => false,
    clock,
    ids: { uuid: () => `00000000-0000-4000-8000-${String(++uuids).padStart(12, '0')}` },
    yieldToEventLoop,
    logger: createLogger({ level: 'info', destination }),
    config: {
      bodyLimitBytes: 4_194_304,
      importLimitBytes: 33_554_432,
      connectionsMax: Infinity,
      rateLimitPerMinute: 0,
      corsOrigins: [],
      hosts: null,
      metricsCredentials: CREDENTIALS,
      ...config
    }
  })
  const token = (subject: string, expiresAt?: number) =>
    signLicense({ privateKey: keys.privateKey, subject, clock, ...(expiresAt !== undefined && { expiresAt }) })
  const alice = await token('alice')

  async function call(options: InjectOptions): Promise<Answer> {
    const headers = { authorization: `Bearer ${alice}`, ...options.headers }
    const response = await app.inject({ ...options, headers })
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: isJson && response.body !== '' ? (JSON.parse(response.body) as AnswerBody) : {}
    }
  }
  return {
    app,
    publicKey: keys.publicKey,
    privateKey: keys.privateKey,
    asked,
    logs,
    clock,
    token,
    call,
    post: (url, body) =>
      call({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        payload: typeof body === 'string' ? body : JSON.stringify(body)
      }),
    get: (url) => call({ method: 'GET', url })
  }
}

const HASH = 'a'.repeat(32)

function createOwner() {
  const sessions = new Map<string, { dimension: number }>()

  function handle(address: Address, command: SessionCommand): SessionReplies[SessionCommand['type']] {
    const key = addressKey(address)
    if (command.type === 'session.create') {
      if (sessions.has(key)) throw new DomainError('already_exists', 'Session already exists')
      const wrong = command.templateEmbedding !== undefined && command.templateEmbedding.length !== command.dimension
      if (wrong) throw new DomainError('invalid_input', 'Embedding has the wrong length', { loc: ['template_embedding'] })
      sessions.set(key, { dimension: command.dimension })
      return { modelName: 'lexical-1' }
    }
    if (command.type === 'session.run' && !sessions.has(key)) sessions.set(key, { dimension: 384 })
    if (!sessions.has(key)) throw new DomainError('session_missing', 'Session not found')
    return reply(command, key)
  }

  function reply(command: SessionCommand, key: string): SessionReplies[SessionCommand['type']] {
    const dedupSignal = { isUpdate: false, maxSim: 0, matchedId: null }
    switch (command.type) {
      case 'session.delete':
        sessions.delete(key)
        return { deleted: true }
      case 'session.run':
        return {
          context: '[Memory context | Phase: initialization | Turn 1 | 0 memories]',
          topSimilarity: 0,
          shortCircuit: false,
          driftScore: 0,
          driftDetected: false,
          driftPhase: 'stable',
          dedupSignal: command.response === undefined ? null : dedupSignal,
          retrievalError: false,
          phase: 'initialization',
          turn: 1,
          isolation: { level: 'OPEN', action: 'passed', similarity: null }
        }
      case 'session.store':
        return { memoryId: 'id', memoryHash: HASH, dedupSignal }
      case 'session.dedupCheck':
        return dedupSignal
      case 'session.context': {
        return { items: [{ ...MEMORY, truncated: false, relevance: 0.5 }] }
      }
      case 'session.memory':
        if (command.hash !== HASH) throw new DomainError('memory_missing', 'Memory not found')
        return MEMORY
      case 'session.search':
        return {
          results: [{ ...MEMORY, score: 0.5, ...(command.explain && { components: { dense: 0.5 } }) }],
          ...(command.explain && { stages: [{ stage: 'retrieve', durationMs: 1, candidates: 3 }] })
        }
      default:
        return METRICS
    }
  }

  return { handle, count: () => sessions.size }
}

const MEMORY: MemoryView = {
  memoryHash: HASH,
  memoryId: 'id',
  text: 'hello',
  importance: 0.5,
  accessCount: 1,
  timestamp: START,
  tier: 'short_term',
  role: 'user',
  userId: 'u1',
  pinned: false
}

const METRICS: SessionReplies['session.metrics'] = {
  phase: 'initialization',
  driftPhase: 'stable',
  driftScore: 0,
  driftThreshold: 0.5,
  interactionCount: 1,
  totalMemories: 1,
  tiers: { shortTerm: 1, mediumTerm: 0, longTerm: 0 },
  meanSimilarity: 0,
  similarityVariance: 0,
  topicSwitches: 0,
  shortCircuits: 0,
  anchorCount: 0,
  anchorScore: null,
  triggerCount: 0,
  triggers: [],
  entityCount: 0,
  isolation: { level: 'OPEN', similarityThreshold: 0.7, quarantinedCount: 0 },
  dimension: 384,
  modelName: 'lexical-1',
  useCortex: false,
  enableTopicSwitch: true,
  createdAt: START,
  lastActiveAt: START
}
