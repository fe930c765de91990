/** What HTTP needs from the rest of the service. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Static, TSchema } from '@sinclair/typebox'
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify'
import type { Ask } from '../../../actors/asking/ask.js'
import type { Processor } from '../../../actors/scheduling/processor.js'
import type { Semaphore } from '../../../actors/scheduling/semaphore.js'
import type { SumDays } from '../../../actors/subject/day-sums.js'
import type { EraseUserEverywhere } from '../../../actors/subject/erasure.js'
import type { NodeBudget } from '../../../actors/weight/node-budget.js'
import type { Hold } from '../../../actors/weight/room.js'
import type { Recorder } from '../../debug/recorder.js'
import type { Tickets } from '../../debug/tickets.js'
import type { Address } from '../../domain/address.js'
import type { ClusterSummary } from '../../domain/commands/cluster-commands.js'
import type { RegionSummary } from '../../domain/commands/region-commands.js'
import type { Pieces } from '../../domain/pieces.js'
import type { SessionPage } from '../../domain/session-list.js'
import type { StallWatch } from '../../domain/stall-watch.js'
import type { LiveActor, Topology } from '../../domain/topology.js'
import type { Weight } from '../../domain/weight.js'
import type { Spans } from '../../spans.js'
import type { Clock, Ids, ModelService, RequestMetrics, VerifyLicense } from '../../ports.js'

/** What of the actors HTTP knows, beside how whole sessions are written (`documents.ts`). */
export type { Ask, EraseUserEverywhere, Hold, Processor, Semaphore }

/** Does long work of one subject in turns with that of others. */
export type InTurns = <Result>(work: Pieces<Result>) => Promise<Result>
export type TurnsOf = (subject: string) => InTurns

/** `"ok"`, `"not_configured"`, or `"error: …"` without addresses and credentials. */
export type CheckResult = string

export interface Readiness {
  /** Versioned name of the model that new sessions are pinned to. */
  readonly embedderModel: string
  readonly ready: boolean
  readonly checks: {
    readonly redis: CheckResult
    readonly database: CheckResult
    readonly embedder: CheckResult
    readonly mongo?: CheckResult
    readonly nats?: CheckResult
  }
}

/** What is known about the service without asking a session. */
export interface Directory {
  activeSessions(): number
  /** Id of the session that the subject used last; null when it has none. */
  lastUsedSession(subject: string): Promise<string | null>
  /** One page of the subject's sessions by id, strictly after `after`; `limit` is 1 to 1000. `contains`: a part of the id. */
  listSessions(subject: string, query: { limit: number; after?: string; contains?: string }): Promise<SessionPage>
  /** What the subject's sessions did by day, added up page by page. */
  readonly sumDays: SumDays
  /** All of the subject's regions, by id. */
  listRegions(subject: string): Promise<RegionSummary[]>
  /** All of the subject's clusters, by id. */
  listClusters(subject: string): Promise<readonly ClusterSummary[]>
  readiness(): Promise<Readiness>
}

/** What the debugger's routes show. */
export interface DebugOptions {
  readonly recorder: Recorder
  readonly tickets: Pick<Tickets, 'issue'>
  /** The subject of a ticket that this node or another one issued, which ends thereby; null for one that is unknown, used or expired. */
  redeem(ticket: string): Promise<string | null>
  readonly clock: Clock
  /** Every machine's chart, as the page draws it. */
  readonly charts: readonly Readonly<Record<string, unknown>>[]
  topology(subject: string): Promise<Topology>
  /** An actor that lives on any node; undefined for any other. */
  actor(address: Omit<Address, 'kind'> & { readonly kind: string }): Promise<LiveActor | undefined>
}

export interface HostRules {
  /** Address or name that the service listens on, as configured. */
  readonly listensOn: string
  /** Further names, each with the port that it is for, or without one for any. */
  readonly listed: readonly string[]
}

/** Counts one request of an address. Returns how many there were in its minute, on all nodes that are known of. */
export type CountShared = (address: string) => number

export type MemoryShares = Pick<NodeBudget, 'openHold' | 'openLease'>

/** What a request may note of the memory that its body and its answer take. */
export interface AnswerShares {
  /** What was read of the body is needed no more. Its bytes still count once: they may be on their way to another service. */
  letGoOfBody(): void
  /** The answer is made of rows of this actor, as they are from now on. */
  refersTo(address: Address): void
  /** The answer holds so much of its own. Throws `memory_exhausted`. */
  holds(weight: Weight): void
}

export interface HttpOptions {
  readonly ask: Ask
  readonly directory: Directory
  /** Null: every request is the anonymous subject's. */
  readonly verifyLicense: VerifyLicense | null
  readonly metrics: RequestMetrics
  /** Default: nobody collects. */
  readonly spans?: Spans
  /** Null: the chat proxy answers 503. */
  readonly modelService: ModelService | null
  /** Null: no compliance pack. */
  readonly eraseUser: EraseUserEverywhere | null
  /** Whether clients of the Model Context Protocol are answered, at `/mcp`. */
  readonly hasMcp: boolean
  /** Null: no debugger. */
  readonly debug: DebugOptions | null
  /** Where the debugger's page was built; the folder beside the compiled service when absent. */
  readonly debugPageFolder?: string
  /** Whether clients are to go elsewhere: requests are still answered, and each answer ends its connection. Default: never. */
  readonly isLeaving?: () => boolean
  /** Counts a request of a remote address, and returns its count on all nodes. Default: this process counts alone. */
  readonly countShared?: CountShared
  /** Where requests wait for their subject's turn. Default: none waits. */
  readonly lanes?: Lanes
  /** Memory for bodies and answers. Default: all they like. */
  readonly memory?: MemoryShares
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>
  readonly ids: Ids
  /** Resolves after everything else that waits in the event loop. */
  readonly yieldToEventLoop: () => Promise<void>
  /** Does long work on bodies, in turns by subject. */
  readonly takePieces: Processor['takePieces']
  /** Lets requests that have a place in their lane go on, those of busy subjects not always at once. Default: at once. */
  readonly admit?: Processor['admit']
  /** Is told of the bodies that are read. */
  readonly watch: StallWatch
  /** Made by `createLogger`, which redacts. */
  readonly logger: FastifyBaseLogger
  readonly config: {
    readonly bodyLimitBytes: number
    /** Of a body that holds an export. */
    readonly importLimitBytes: number
    /** Without a request under way; of more the one that has been so for longest is closed. Default: any number. */
    readonly connectionsMax?: number
    /** Per remote address; 0 turns the limit off. */
    readonly rateLimitPerMinute: number
    /** Empty: no cross-origin headers at all. `*` alone: any origin. */
    readonly corsOrigins: readonly string[]
    /** Names that requests may ask for; null: any. */
    readonly hosts: HostRules | null
    /** Undefined: `/metrics` answers 503. */
    readonly metricsCredentials: { readonly user: string; readonly password: string } | undefined
    /** Shown by the health route when the process is one of several nodes. */
    readonly nodeId?: string
  }
}

/** Version of the interface, in the schema and in the health record. Interface, Versioning. */
export const INTERFACE_VERSION = '1.0.0'

/** Commands, checks whether a text is known, answers of the model service, and calls of tools: each has places and queues of its own. */
export type Lane = 'commands' | 'checks' | 'streams' | 'tools'

/**
 * By what a request is for: long answers of the model service keep no command waiting, nor do checks, which the rate limit does not count.
 * A call of a tool waits for commands of its own, so it never has one of their places.
 */
export type Lanes = Readonly<Record<Lane, Semaphore>>

/** Lets a handler see its request and reply as its schemas describe them. */
export interface SchemaTypes extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

/** A Fastify instance whose routes are typed by their schemas. */
export type Http = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, SchemaTypes>

declare module 'fastify' {
  interface FastifyRequest {
    /** `sub` of the license, once authenticated; empty on routes without authentication. */
    subject: string
    /** Null where nothing counts. */
    answerShares: AnswerShares | null
    /** W3C `traceparent` of its span; null where nobody collects. */
    trace: string | null
    /** The body's bytes as they came, where the route's `isSourceKept` asks for them and there were any. */
    source: Buffer | null
  }
  interface FastifyContextConfig {
    /** Who may call the route; `license` unless said otherwise. `basic` and `ticket` check for themselves. */
    access?: 'license' | 'public' | 'basic' | 'ticket'
    /** False: the route does not count towards the requests of an address, and has a wide limit of its own. */
    isRateLimited?: boolean
    /** With which requests it takes turns; `commands` unless said otherwise. Null: it waits for none. Only for `license`. */
    lane?: Lane | null
    /** True: a page that a link on another site may open. */
    isPage?: boolean
    /** True: the bytes of a JSON body stay at hand in `request.source`. */
    isSourceKept?: boolean
    /** True: its body is a session export. Whatever is wrong with it is 400. */
    isExport?: boolean
  }
}
