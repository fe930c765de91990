/** The interfaces of everything outside: time, chance, storage, models, other nodes, people watching. */
import type { BusRequestOptions } from './domain/bus-request.js'
import type { ActorKind, Address, Siblings } from './domain/address.js'
import type { Occurrence } from './domain/commands/occurrences.js'
import type { DebugEventKind } from './domain/debug-events.js'
import type { Pieces } from './domain/pieces.js'
import type { TextTerms } from './domain/text/terms.js'
import type { Nearness, VectorHit } from './domain/vector.js'

/** Cancels what it came from. Calling it twice is fine. */
export type Cancel = () => void

export interface Clock {
  /** Epoch seconds, as on the wire. May jump; never used to measure durations. */
  now(): number
  /** Milliseconds that only ever grow. */
  monotonicMs(): number
  /** Calls `listener` once after `delayMs`. */
  after(delayMs: number, listener: () => void): Cancel
  /** Calls `listener` in this iteration of the event loop, once every promise that can settle without another one has. */
  whenSettled(listener: () => void): void
}

/** A source of numbers in [0, 1). */
export type Randomness = Readonly<{ next: () => number }>

/** A source of version 4 UUIDs. */
export type Ids = Readonly<{ uuid: () => string }>

/** `secret()`: 256 random bits in base64url, safe in an address. */
export type Secrets = Readonly<{ secret: () => string }>

/** Structured log: constant message, data in fields, never a token, a text, or a vector. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** One step of the service as an engineer sees it live. Scalars only unless `subject` owns it. */
export interface DebugEvent {
  readonly kind: DebugEventKind
  readonly subject: string | null
  readonly sessionId?: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface Tracer {
  /** False while nobody traces: the caller then skips building the event. */
  readonly isEnabled: boolean
  emit(event: DebugEvent): void
}

/** `terms`: of some of the texts, for an embedder that would read them for these. */
export type EmbedOptions = Readonly<{ dimension: number; signal?: AbortSignal; subject?: string; terms?: TextTerms }>

/** Turns texts into unit vectors. One model, one instance, shared by every session made with it. */
export interface Embedder {
  /** Versioned; a session stores it and is pinned to it. */
  readonly modelName: string
  /** Longest text, in tokens, that one vector can carry; longer texts are split by the caller. */
  readonly windowTokens: number
  /** Tokens of the embedder's own tokenizer, or an estimate of 4 characters a token without one. */
  countTokens(text: string): number
  /**
   * One unit vector of `dimension` per text, in order; all zeros for a text without any feature.
   * Throws DomainError `embedder_unavailable` when the model, its queue or its deadline gives out. What is remembered, queued or under way
   * for one `subject` is nothing to another; absent, the texts are the service's own.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>
}

export interface Embedders {
  /** The model of a new session of `subject` that asks for `requested`. Never throws for an unknown name under `auto`. */
  resolve(requested: string | undefined, subject?: string): Promise<string>
  /** The embedder of a session's model. Throws DomainError `embedder_unavailable` when it cannot be loaded here. */
  get(modelName: string): Promise<Embedder>
  /** `"ok"`-or-throws probe for readiness. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Nearest neighbours among unit vectors of one session. Labels are non-negative integers chosen by the caller. */
export interface VectorIndex {
  readonly size: number
  /** Adds or replaces. The vector is held, and must not be changed afterwards. */
  add(label: number, vector: Float32Array): void
  remove(label: number): void
  /** At most `limit` labels, most similar first, ties by the lower label. `accept` may be asked about any of them; default: all pass. */
  search(query: Float32Array, limit: number, accept?: (label: number) => boolean): VectorHit[]
  /** The same in pieces, while nothing is added or removed. What it works out is kept for the next searches with this query. */
  searchInPieces(query: Float32Array, limit: number, accept?: (label: number) => boolean): Pieces<VectorHit[]>
  /** What the last searches with this query worked out, for single vectors. */
  nearness(query: Float32Array): Nearness
  close(): void
}

export type CreateVectorIndex = (dimension: number) => VectorIndex

/** Proves which writer may write: (epoch, version) as stored. */
export interface WriteToken {
  /** Grows by one with each activation: only the last activated may commit. Begins anywhere. */
  readonly epoch: number
  /** Grows by one with each commit. */
  readonly version: number
}

/** A small row beside the head: one memory, one entity. `collection` names its sort. */
export interface StoredRow {
  readonly collection: string
  readonly id: string
  /** Plain data (objects, arrays, scalars, typed arrays), never changed after it was handed over. */
  readonly body: unknown
}

export interface StoredRecord {
  readonly token: WriteToken
  readonly head: unknown
  readonly rows: readonly StoredRow[]
}

/** One line of the audit trail: that something was written, or erased, for a data subject; never what. */
export interface AuditEntry {
  readonly action: 'run' | 'store' | 'edit' | 'erase'
  /** The data subject. */
  readonly userId: string
  readonly sessionId: string
  readonly requestId: string
  /** Epoch seconds. */
  readonly timestamp: number
  /** SHA-256 in hex over what was written, and its size in UTF-8 bytes; for an edit or an erasure the count of memories as `size`. */
  readonly digest: string
  readonly size: number
}

/** What one commit writes: only what changed. */
export interface RecordChanges {
  readonly head: unknown
  readonly put: readonly StoredRow[]
  readonly remove: readonly { readonly collection: string; readonly id: string }[]
  /** Drops every row first; `put` is applied afterwards. */
  readonly clear?: boolean
  /** Written in the same transaction, appended to the hash chain of the address's subject. */
  readonly audit?: readonly AuditEntry[]
  /**
   * The record wants to be activated when a node starts: it has something undelivered, or works by the clock. As of this write,
   * whatever the one before said; default false. See `ActorStorage.reminders`.
   */
  readonly wakes?: boolean
}

/** Part of a walk over the records that want to be woken; `next` is opaque. */
export type ReminderPage = Readonly<{ addresses: readonly Address[]; next: string | null }>

/**
 * Where actors keep what they own. Every write is fenced: it happens only while
 * `token` is the stored one, else it throws DomainError `fenced` and changes nothing.
 * Any other trouble throws `storage_unavailable`; the caller then drops its memory.
 */
export interface ActorStorage {
  /** False: what is released is gone (the memory backend with persistence off). */
  readonly isDurable: boolean
  /** Inserts if absent (a tombstone keeps its epoch); null when there is one or a tombstone is of another epoch (0: none; default: any). */
  create(address: Address, changes: RecordChanges, tombstoneEpoch?: number): Promise<WriteToken | null>
  /** Takes the record over: epoch + 1 in one atomic statement. Null when absent. */
  activate(address: Address): Promise<StoredRecord | null>
  commit(address: Address, token: WriteToken, changes: RecordChanges): Promise<WriteToken>
  /** Removes the record, leaving a tombstone with the epoch and `rows` for `TOMBSTONE_S`. Late writers stay fenced for good. */
  remove(address: Address, token: WriteToken, rows?: readonly StoredRow[]): Promise<void>
  /** What the last removal left, while `TOMBSTONE_S` lasts. Null: nothing was removed here, or it is forgotten, or the record exists. */
  tombstone(address: Address): Promise<{ readonly epoch: number; readonly rows: readonly StoredRow[] } | null>
  /** Drops tombstones older than `TOMBSTONE_S`. Safe to repeat. */
  clearTombstones(): Promise<void>
  /** Point read: whether `token` is still the stored one. */
  verify(address: Address, token: WriteToken): Promise<boolean>
  /** The head as last committed, without taking the record over; null when absent. */
  peek(address: Address): Promise<{ readonly head: unknown } | null>
  /** The heads of many of one subject's records, as `peek` has each, by their ids; absent ones are left out. At most `HEADS_MAX` ids. */
  heads(of: Siblings): Promise<ReadonlyMap<string, unknown>>
  /** Ids of one subject's records, ascending by code unit, strictly after `after`. */
  list(query: { kind: Address['kind']; subject: string; after?: string; limit: number }): Promise<string[]>
  /**
   * Addresses of all subjects whose records want to be woken, at most `limit` (from 1) a call. `next` continues after them as `after`,
   * and is null at the end; before it a page may be short or empty. A record that wants to be woken during the whole walk appears at
   * least once; others may or may not, so an actor that is woken looks for itself. Removal takes the wish away, taking over and release
   * leave it.
   */
  reminders(query: { after?: string; limit: number }): Promise<ReminderPage>
  /** The owner gives the record up: durable storage keeps it, the other kind drops it. */
  release(address: Address, token: WriteToken): Promise<void>
  check(): Promise<void>
  /** After an erasure: what was removed leaves the files too, as each adapter says. Slow, repeatable. Throws `storage_unavailable`. */
  purge(): Promise<void>
  /** Closing twice is fine. */
  close(): Promise<void>
}

export type AuditVerdict =
  | { readonly isIntact: true; readonly entries: number }
  /** `seq` is the first entry that is not as it was written, from 1. */
  | { readonly isIntact: false; readonly seq: number; readonly problem: 'missing' | 'changed' | 'unlinked' }

/** The audit trails of a durable storage. Verifying writes nothing, and what is appended meanwhile is not looked at. */
export interface AuditTrails {
  /** Walks a subject's chain from its start. A subject without any entry has an intact chain of none. */
  verifyAudit(subject: string): Promise<AuditVerdict>
  /** Every trail there is. `trail` is the subject, or its hash (SHA-256, base64url) where the storage keeps no subject's name. */
  verifyAudits(): AsyncIterable<{ readonly trail: string; readonly verdict: AuditVerdict }>
}

/** Carries messages between the parts of a process, or between nodes. */
export interface Bus {
  /** Answers requests on `topic`. One handler a topic. What it throws reaches the caller as `internal`, but for a DomainError. */
  serve(topic: string, handler: (body: unknown) => Promise<unknown>): Cancel
  /**
   * Throws DomainError `unreachable` when nobody serves the topic: it was certainly not handed over. `deadline_passed` when no answer
   * came in time, or before the wait ended otherwise: whether it was handled is unknown. See `BusRequestOptions`.
   */
  request(topic: string, body: unknown, options: BusRequestOptions): Promise<unknown>
  publish(topic: string, body: unknown): void
  /** `listener` is told the topic on which each body came: its last part may be `*` in what is subscribed to. */
  subscribe(topic: string, listener: (body: unknown, topic: string) => void): Cancel
  close(): Promise<void>
}

/** The bus between nodes. Cut off from its broker it throws `unreachable`, and drops what is published. */
export interface NodeBus extends Bus {
  /** `from` is the node that asks. */
  serve(topic: string, handler: (body: unknown, from: string) => Promise<unknown>): Cancel
  /** Resolves when the broker answers, else throws `unreachable`. */
  check(): Promise<void>
  readonly outbox: OutboxLog
}

/** Outbox messages kept between nodes for two minutes, until each is delivered. Being kept here acknowledges nothing to anybody. */
export interface OutboxLog {
  /** Resolves once it is kept for the node `to`; an `id` counts once within two minutes. Throws `unreachable`. */
  append(to: string, id: string, body: unknown): Promise<void>
  /** Takes outbox messages for this node. `deliver` resolves to whether it is done with one; else it comes again, and says so. */
  take(deliver: (body: unknown, options: { readonly isRepeated: boolean }) => Promise<boolean>): Cancel
}

export type LicenseVerdict =
  | { readonly outcome: 'valid'; readonly subject: string }
  /** The signature held, and the licence has ended. */
  | { readonly outcome: 'expired' }
  /** `reason` is safe to tell the caller: it names a rule, never a part of the token. */
  | { readonly outcome: 'invalid'; readonly reason: string }

/** Who brings a token, by remote address. What nobody wants any more by its turn is invalid unseen. */
export type LicenseCaller = Readonly<{ address: string; isWanted: () => boolean }>

/** Finds a licence token's subject. Never throws for a bad token; throws `busy` when so many wait that its turn does not come. */
export type VerifyLicense = (token: string, caller?: LicenseCaller) => Promise<LicenseVerdict>

/** Counts requests; `endpoint` is a route's template, so the number of series is bounded. */
export interface RequestMetrics {
  observe(request: { readonly method: string; readonly endpoint: string; readonly status: number; readonly durationS: number }): void
  /** The text that a Prometheus server scrapes. */
  expose(): Promise<{ readonly contentType: string; readonly body: string }>
}

/** Counts what happens to actors and nodes, once each. A decision whose commit fails afterwards stays counted. */
export interface Counters {
  count(occurrence: Occurrence): void
}

/** Live actors of one kind on this node. */
export type ActorCount = Readonly<{ kind: ActorKind; count: number }>

/** What a model service answered, byte for byte but for what it compressed: any status but a redirect. */
export interface ModelAnswer {
  readonly status: number
  /** Those that concern the caller, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** To be read to its end or left by `return`. Throws as `ModelService.send` does when the service stalls or breaks off. */
  readonly body: AsyncIterable<Uint8Array>
}

/** The model service behind the chat proxy. */
export interface ModelService {
  /**
   * Resolves when the service begins to answer. `signal` ends the call at any time, also in the middle of the body. Throws DomainError
   * `upstream_unavailable` (not reached, broken off, redirected), `upstream_late` (a deadline passed), `busy` (too many calls under way).
   */
  send(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>
  /** Ends what is under way. Twice is fine. */
  close(): void
}

export interface ModelRequest {
  readonly method: 'GET' | 'POST'
  /** Below the service's base, such as `chat/completions`. */
  readonly path: string
  /** JSON. */
  readonly body?: Uint8Array
  /** W3C `traceparent` to send along. Default: none. */
  readonly trace?: string | undefined
}
