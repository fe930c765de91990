/** What the HTTP layer needs from the rest of the service. */
import type { FastifyBaseLogger } from 'fastify'
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
import type { StallWatch } from '../../domain/fairness/stall-watch.js'
import type { LiveActor, Topology } from '../../domain/nodes/topology.js'
import type { Weight } from '../../domain/fairness/weight.js'
import type { Spans } from '../../spans.js'
import type { Clock, Ids, ModelService, RequestMetrics, VerifyLicense } from '../../ports.js'

/** The actors' types that HTTP uses, apart from how whole sessions are written (`documents.ts`). */
export type { Ask, EraseUserEverywhere, Hold, Processor, Semaphore }

/** Runs long work of one subject in turns with the work of others. */
export type RunFairly = <Result>(work: Pieces<Result>) => Promise<Result>
export type RunFairlyFor = (subject: string) => RunFairly

/** `"ok"`, `"not_configured"`, or `"error: …"` without addresses and credentials. */
export type CheckResult = string

export interface Readiness {
  /** Versioned name of the model that new sessions use. */
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

/** Facts about the service that need no session. */
export interface Directory {
  activeSessions(): number
  /** Returns the id of the session that the subject used last; null when it has none. */
  lastUsedSession(subject: string): Promise<string | null>
  /** Returns one page of the subject's sessions by id, strictly after `after`. `limit` is 1 to 1000; `contains` is a part of the id. */
  listSessions(subject: string, query: { limit: number; after?: string; contains?: string }): Promise<SessionPage>
  /** Sums what the subject's sessions did by day, page by page. */
  readonly sumDays: SumDays
  /** Returns all of the subject's regions, by id. */
  listRegions(subject: string): Promise<RegionSummary[]>
  /** Returns all of the subject's clusters, by id. */
  listClusters(subject: string): Promise<readonly ClusterSummary[]>
  readiness(): Promise<Readiness>
}

/** What the debugger's routes need. */
export interface DebugOptions {
  readonly recorder: Recorder
  readonly tickets: Pick<Tickets, 'issue'>
  /** Redeems a ticket that any node issued, and returns its subject; null when the ticket is unknown, used or expired. */
  redeem(ticket: string): Promise<string | null>
  readonly clock: Clock
  /** The chart of every machine, as the page draws it. */
  readonly charts: readonly Readonly<Record<string, unknown>>[]
  topology(subject: string): Promise<Topology>
  /** Returns an actor that is active on any node; else undefined. */
  actor(address: Omit<Address, 'kind'> & { readonly kind: string }): Promise<LiveActor | undefined>
}

export interface HostRules {
  /** Configured address or name that the service listens on. */
  readonly listensOn: string
  /** Further host names, each for its port, or for any port if it has none. */
  readonly listed: readonly string[]
}

/** Counts one request of an address. Returns the number in the current minute, on all known nodes. */
export type CountShared = (address: string) => number

export type MemoryShares = Pick<NodeBudget, 'openHold' | 'openLease'>

/** Accounts for the memory that a request's body and its answer take. */
export interface AnswerShares {
  /** Releases the parsed body. Its bytes still count once: they may be on their way to another service. */
  releaseBody(): void
  /** Declares that the answer refers to this actor's rows as they are now. */
  leaseRecord(address: Address): void
  /** Declares that the answer takes this much memory of its own. Throws `memory_exhausted`. */
  holds(weight: Weight): void
}

export interface HttpOptions {
  readonly ask: Ask
  readonly directory: Directory
  /** Null: every request is the anonymous subject's. */
  readonly verifyLicense: VerifyLicense | null
  readonly metrics: RequestMetrics
  /** Default: no spans are collected. */
  readonly spans?: Spans
  /** Null: the chat proxy answers 503. */
  readonly modelService: ModelService | null
  /** Null: the compliance pack is off. */
  readonly eraseUser: EraseUserEverywhere | null
  /** Whether `/mcp` serves clients of the Model Context Protocol. */
  readonly hasMcp: boolean
  /** Null: the debugger is off. */
  readonly debug: DebugOptions | null
  /** Folder of the built debugger page. Default: beside the compiled service. */
  readonly debugPageFolder?: string
  /** Whether clients should leave this node. Requests are still answered, and each answer ends its connection. */
  readonly isLeaving: () => boolean
  /** Counts a request of a remote address, and returns the number on all nodes. Default: this process counts alone. */
  readonly countShared?: CountShared
  /** Where requests wait for their subject's turn. */
  readonly lanes: Lanes
  /** Memory for bodies and answers. */
  readonly memory: MemoryShares
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>
  readonly ids: Ids
  /** Resolves in a later iteration of the event loop, after everything that waits now. */
  readonly yieldToEventLoop: () => Promise<void>
  /** Resolves once the connections have come that another process accepts for this one. Default: it accepts them itself. */
  readonly handedOver?: () => Promise<void>
  /** Runs long work on bodies, in turns by subject. */
  readonly takePieces: Processor['takePieces']
  /** Lets requests continue that have a place in their lane; those of busy subjects may be delayed. */
  readonly admit: Processor['admit']
  /** Is notified when bodies are parsed. */
  readonly watch: StallWatch
  /** Made by `createLogger`, which redacts. */
  readonly logger: FastifyBaseLogger
  readonly config: {
    readonly bodyLimitBytes: number
    /** Limit for a body that holds an export. */
    readonly importLimitBytes: number
    /** Maximum number of connections without a request in progress. Above it the one that has been idle longest is closed. */
    readonly connectionsMax: number
    /** Requests per minute of one remote address; 0 turns the limit off. */
    readonly rateLimitPerMinute: number
    /** Empty: no cross-origin headers. `*` alone: any origin. */
    readonly corsOrigins: readonly string[]
    /** Host names that requests may use; null: any. */
    readonly hosts: HostRules | null
    /** Undefined: `/metrics` answers 503. */
    readonly metricsCredentials: { readonly user: string; readonly password: string } | undefined
    /** Shown by the health route when there are several nodes. */
    readonly nodeId?: string
  }
}

/** Version of the interface, in the schema and in the health answer. Interface, Versioning. */
export const INTERFACE_VERSION = '1.0.0'

/** Kinds of requests with separate limits and queues: commands, checks for known texts, answers of the model service, and tool calls. */
export type Lane = 'commands' | 'checks' | 'streams' | 'tools'

/**
 * One semaphore per kind of request, so that long answers of the model service do not delay commands, nor do checks, which the rate limit
 * does not count. A tool call waits for commands that it makes itself, so it must not take one of their places.
 */
export type Lanes = Readonly<Record<Lane, Semaphore>>
