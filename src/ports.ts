/** Interfaces to everything outside the service: clock, randomness, storage, models, other nodes, people who trace it. */
import type { Weight } from './domain/fairness/weight.js'
import type { BusRequestOptions } from './domain/nodes/bus-request.js'
import type { Address, Siblings } from './domain/address.js'
import type { Occurrence } from './domain/commands/occurrences.js'
import type { DebugEventKind } from './domain/debug-events.js'
import type { Pieces } from './domain/pieces.js'
import type { TextTerms } from './domain/text/terms.js'
import type { Nearness, VectorHit } from './domain/similarity/vector.js'

/** Cancels the call that returned it. Safe to call twice. */
export type Cancel = () => void

export interface Clock {
  /** Epoch seconds, as on the wire. May jump, so never use it to measure durations. */
  now(): number
  /** Monotonic milliseconds, from an arbitrary start. */
  monotonicMs(): number
  /** Calls `listener` once after `delayMs`. */
  after(delayMs: number, listener: () => void): Cancel
  /** Calls `listener` in this iteration of the event loop, after all pending promise reactions and those that they queue. */
  whenSettled(listener: () => void): void
}

/** A source of numbers in [0, 1). */
export type Randomness = Readonly<{ next: () => number }>

/** A source of version 4 UUIDs. */
export type Ids = Readonly<{ uuid: () => string }>

/** `secret()`: 256 random bits in base64url, safe in an address. */
export type Secrets = Readonly<{ secret: () => string }>

/** Structured log: constant messages, with the data in fields. Never logs a token, a text or a vector. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** One step of the service, as an engineer sees it live. Data is scalars only unless `subject` owns it. */
export interface DebugEvent {
  readonly kind: DebugEventKind
  readonly subject: string | null
  readonly sessionId?: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface Tracer {
  /** False while nobody traces; callers then skip building the event. */
  readonly isEnabled: boolean
  emit(event: DebugEvent): void
}

/** `terms`: terms of some of the texts, already read, for an embedder that would otherwise read the texts for them. */
export type EmbedOptions = Readonly<{ dimension: number; signal?: AbortSignal; subject?: string; terms?: TextTerms }>

/** Turns texts into unit vectors. There is one instance per model, shared by every session of that model. */
export interface Embedder {
  /** Includes a version. A session stores the name and stays on that model. */
  readonly modelName: string
  /** Longest text, in tokens, that one vector can represent; callers split longer texts. */
  readonly windowTokens: number
  /** Tokens by the embedder's own tokenizer; without one, an estimate of 4 characters a token, and `promptTokens` estimates by script. */
  countTokens(text: string): number
  promptTokens?(text: string): number
  /**
   * Returns one unit vector of `dimension` per text, in order; all zeros for a text without any feature. Throws DomainError
   * `embedder_unavailable` (the model fails, the deadline passes, `signal` aborts) or `busy` (the queue is full). Cached, queued and
   * running work is never shared between subjects; without `subject`, the texts are the service's own.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>
}

export interface Embedders {
  /** Name of the model for a new session of `subject` that asks for `requested`. Under `auto` an unknown name never throws. */
  resolve(requested: string | undefined, subject?: string): Promise<string>
  /** Embedder of a session's model. Throws DomainError `embedder_unavailable` when it cannot be loaded here. */
  get(modelName: string): Promise<Embedder>
  /** Readiness probe: resolves when embedding works, else throws. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Nearest-neighbour index of the unit vectors of one session. Labels are non-negative integers chosen by the caller. */
export interface VectorIndex {
  readonly size: number
  /** Adds or replaces. The index keeps a reference to the vector, which must not change afterwards. */
  add(label: number, vector: Float32Array): void
  remove(label: number): void
  /** At most `limit` accepted labels (default: all are), most similar first, ties by the lower. Nothing may be changed meanwhile. */
  search(query: Float32Array, limit: number, accept?: (label: number) => boolean): Pieces<VectorHit[]>
  /** Tells that a search with this query comes next, so that it can begin in the background. Harmless if it does not. Default: nothing. */
  prepare?(query: Float32Array): void
  /** Similarities of single vectors to the query. It and `search` reuse what the last searches with this query computed. */
  nearness(query: Float32Array): Nearness
  close(): void
}

export type CreateVectorIndex = (dimension: number) => VectorIndex

/** Proves that a writer may write: the (epoch, version) pair as stored. */
export interface WriteToken {
  /** Grows by one per activation, and goes on after a tombstone. Only the latest activation may commit. Starts at any number. */
  readonly epoch: number
  /** Grows by one with each commit. */
  readonly version: number
}

/** A small row beside the head, such as one memory or one entity. `collection` names its kind. */
export interface StoredRow {
  readonly collection: string
  readonly id: string
  /** Plain data (objects, arrays, scalars, typed arrays); must not change once handed over. */
  readonly body: unknown
}

export interface StoredRecord {
  readonly token: WriteToken
  readonly head: unknown
  readonly rows: readonly StoredRow[]
}

/** One line of the audit trail: that something was written or erased for a data subject, never its content. */
export interface AuditEntry {
  readonly action: 'run' | 'store' | 'edit' | 'erase'
  /** The data subject. */
  readonly userId: string
  readonly sessionId: string
  readonly requestId: string
  /** Epoch seconds. */
  readonly timestamp: number
  /** SHA-256 in hex over what was written, and its size in UTF-8 bytes; for an edit or an erasure `size` counts memories. */
  readonly digest: string
  readonly size: number
}

/** The changes of one commit; rows that are not named stay as they are. */
export interface RecordChanges {
  readonly head: unknown
  readonly put: readonly StoredRow[]
  readonly remove: readonly { readonly collection: string; readonly id: string }[]
  /** Drops every row before `put` is applied. */
  readonly clear?: boolean
  /** Appended to the hash chain of the address's subject, in the same transaction. */
  readonly audit?: readonly AuditEntry[]
  /** Whether a starting node has to activate it, for outbox messages or by the clock (`ActorStorage.reminders`). Default: false. */
  readonly wakes?: boolean
}

/** One page of a walk over the records that want to be activated; `next` is an opaque cursor. */
export type ReminderPage = Readonly<{ addresses: readonly Address[]; next: string | null }>

/**
 * Storage of the actors' records. Every write is fenced: it happens only while `token` is the stored one, else it throws DomainError
 * `fenced` and changes nothing. Any other failure throws `storage_unavailable`; the caller then drops its copy in memory.
 */
export interface ActorStorage {
  /** False when released records are lost (the memory backend with persistence off). */
  readonly isDurable: boolean
  /** Inserts if absent; null when it exists, or when its tombstone's epoch is not `tombstoneEpoch` (0: no tombstone; default: any). */
  create(address: Address, changes: RecordChanges, tombstoneEpoch?: number): Promise<WriteToken | null>
  /** Takes the record over: increments its epoch in one atomic statement. Null when absent. */
  activate(address: Address): Promise<StoredRecord | null>
  commit(address: Address, token: WriteToken, changes: RecordChanges): Promise<WriteToken>
  /** Removes the record and leaves a tombstone with its epoch and `rows` for `TOMBSTONE_S`. Late writers stay fenced for good. */
  remove(address: Address, token: WriteToken, rows?: readonly StoredRow[]): Promise<void>
  /** Tombstone of the last removal, for `TOMBSTONE_S`. Null when nothing was removed, the tombstone expired or the record exists. */
  tombstone(address: Address): Promise<{ readonly epoch: number; readonly rows: readonly StoredRow[] } | null>
  /** Drops tombstones older than `TOMBSTONE_S`, and clears files of what was removed where that takes milliseconds. Safe to repeat. */
  sweep(): Promise<void>
  /** Whether `token` is still the stored one. A point read. */
  verify(address: Address, token: WriteToken): Promise<boolean>
  /** Head as last committed, read without taking the record over; null when absent. */
  peek(address: Address): Promise<{ readonly head: unknown } | null>
  /** Heads of several records of one subject by id, as `peek` reads each; absent ones are left out. At most `HEADS_MAX` ids. */
  heads(of: Siblings): Promise<ReadonlyMap<string, unknown>>
  /** Ids of one subject's records, strictly after `after`, in ascending order of code units. */
  list(query: { kind: Address['kind']; subject: string; after?: string; limit: number }): Promise<string[]>
  /**
   * Addresses, of all subjects, whose records want to be activated (`RecordChanges.wakes`): at most `limit` (from 1) a call. `next` goes
   * into the following call as `after`; null at the end. Pages before the end may be short or empty. A record that wants to wake throughout
   * the walk appears at least once; others may appear too, so a woken actor checks for itself. Removal clears the wish; taking over and
   * release keep it.
   */
  reminders(query: { after?: string; limit: number }): Promise<ReminderPage>
  /** The owner gives the record up: durable storage keeps it, other storage drops it. */
  release(address: Address, token: WriteToken): Promise<void>
  check(): Promise<void>
  /** After an erasure, removes deleted data from the files too, as each adapter says. Slow, repeatable. Throws `storage_unavailable`. */
  purge(): Promise<void>
  /** Safe to call twice. */
  close(): Promise<void>
}

export type AuditVerdict =
  | { readonly isIntact: true; readonly entries: number }
  /** `seq`: the first entry, from 1, that is not as it was written. */
  | { readonly isIntact: false; readonly seq: number; readonly problem: 'missing' | 'changed' | 'unlinked' }

/** Audit trails of a durable storage. Verifying writes nothing and ignores entries that are appended meanwhile. */
export interface AuditTrails {
  /** Verifies a subject's chain from its start. A subject without entries has an intact chain of zero entries. */
  verifyAudit(subject: string): Promise<AuditVerdict>
  /** Verifies every trail. `trail` is the subject, or its hash (SHA-256, base64url) where the storage keeps no names of subjects. */
  verifyAudits(): AsyncIterable<{ readonly trail: string; readonly verdict: AuditVerdict }>
}

/** Transport of messages between the parts of a process, or between nodes. */
export interface Bus {
  /** Answers requests on `topic`; one handler a topic. Errors reach the caller as `internal`, except DomainErrors. */
  serve(topic: string, handler: (body: unknown) => Promise<unknown>): Cancel
  /** Throws `unreachable` when nobody was asked, `deadline_passed` without an answer, `outcome_unknown` without room for the answer. */
  request(topic: string, body: unknown, options: BusRequestOptions): Promise<unknown>
  publish(topic: string, body: unknown): void
  /** `listener` also gets the topic on which the body came. The last part of the subscribed topic may be the wildcard `*`. */
  subscribe(topic: string, listener: (body: unknown, topic: string) => void): Cancel
  close(): Promise<void>
}

/** The bus between nodes. While cut off from its broker, requests throw `unreachable` and published messages are dropped. */
export interface NodeBus extends Bus {
  /** `from`: the node that asks. */
  serve(topic: string, handler: (body: unknown, from: string) => Promise<unknown>): Cancel
  /** Resolves when the broker answers; else throws `unreachable`. */
  check(): Promise<void>
  /** Number of connections to the broker so far. With each new one, what was on its way over the last one may be lost. */
  connections(): number
  readonly outbox: OutboxLog
}

/** Keeps outbox messages between nodes for two minutes, until each is delivered. Being kept is no acknowledgement. */
export interface OutboxLog {
  /** Resolves once the message is kept for node `to`; repeats of an `id` within two minutes are ignored. Throws `unreachable`. */
  append(to: string, id: string, body: unknown): Promise<void>
  /** Consumes messages for this node. `deliver` resolves to true when done; else the message comes again with `isRepeated`. */
  take(deliver: (body: unknown, options: { readonly isRepeated: boolean }) => Promise<boolean>): Cancel
}

export type LicenseVerdict =
  | { readonly outcome: 'valid'; readonly subject: string }
  /** The signature is valid, but the licence has ended. */
  | { readonly outcome: 'expired' }
  /** `reason` is safe to show to the caller: it names a rule, never a part of the token. */
  | { readonly outcome: 'invalid'; readonly reason: string }

/** Who presents a token: remote address, and whether the verdict is still wanted. If not, the verdict is `invalid` unchecked. */
export type LicenseCaller = Readonly<{ address: string; isWanted: () => boolean }>

/** Resolves a licence token to its subject. Never throws for a bad token; throws `busy` when too many tokens wait ahead of it. */
export type VerifyLicense = (token: string, caller?: LicenseCaller) => Promise<LicenseVerdict>

/** Counts requests. `endpoint` is a route's template, which bounds the number of series. */
export interface RequestMetrics {
  observe(request: { readonly method: string; readonly endpoint: string; readonly status: number; readonly durationS: number }): void
  /** Exposition text for a Prometheus server. */
  expose(): Promise<{ readonly contentType: string; readonly body: string }>
}

/** Counts occurrences at actors and nodes, once each. A decision stays counted even if its commit fails afterwards. */
export interface Counters {
  count(occurrence: Occurrence): void
}

/** Answer of a model service, byte for byte except that compression is undone. Any status but a redirect. */
export interface ModelAnswer {
  readonly status: number
  /** Headers that concern the caller, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Read it to its end, or end it by `return`. Throws as `ModelService.send` does when the service stalls or breaks off. */
  readonly body: AsyncIterable<Uint8Array>
}

/** The model service behind the chat proxy. */
export interface ModelService {
  /**
   * Resolves when the answer begins. `signal` ends the call at any time, also during the body. Throws DomainError `upstream_unavailable`
   * (not reached, broken off, redirected), `upstream_late` (deadline passed), `busy` (too many calls under way).
   */
  send(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>
  /** Ends all calls under way. Safe to call twice. */
  close(): void
}

export interface ModelRequest {
  readonly method: 'GET' | 'POST'
  /** Path below the service's base, such as `chat/completions`. */
  readonly path: string
  /** JSON. */
  readonly body?: Uint8Array
  /** W3C `traceparent` to send along. Default: none. */
  readonly trace?: string | undefined
  /** Calls `goOn` when the next part of the answer may be read: at once, or when its subject's turn comes. Default: at once. */
  readonly admit?: (goOn: () => void) => void
  /** Takes memory until the answer is over. Throws DomainError `memory_exhausted` when there is none. Default: takes nothing. */
  readonly holds?: (weight: Weight) => void
}
