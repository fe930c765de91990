/** Further commands to a session: control, the literal cache, and whole memories. */
import type { Entity, EntityKind, IsolationLevel, Role, Tier } from '../session.js'
import type { EraseUser, ErasureReplies } from './erasure.js'
import type { MemoryFilter, MemoryView } from './memory-view.js'

export interface SetTrigger {
  readonly type: 'trigger.set'
  /** Exactly one of `keyword` and `embedding`. */
  readonly keyword?: string
  readonly embedding?: readonly number[]
  /** For an embedding, -1..1. */
  readonly threshold: number
}
export interface ClearTriggers {
  readonly type: 'trigger.clear'
}
export interface SetAnchor {
  readonly type: 'anchor.set'
  /** Exactly one of `text` and `embedding`. */
  readonly text?: string
  readonly embedding?: readonly number[]
}
export interface ReadAnchorScore {
  readonly type: 'anchor.score'
}
export interface SetIsolation {
  readonly type: 'isolation.set'
  readonly level: IsolationLevel
  readonly exclusionEmbeddings: readonly (readonly number[])[]
  readonly allowlistEmbeddings: readonly (readonly number[])[]
  /** -1..1 */
  readonly similarityThreshold: number
}
export interface ReleaseHeld {
  readonly type: 'isolation.release'
}
/** Judges texts that are not the session's own input, but would reach a model together with it. */
export interface ScreenTexts {
  readonly type: 'isolation.screen'
  /** At most SCREENED_TEXTS_MAX. */
  readonly texts: readonly string[]
}
export interface InjectMemory {
  readonly type: 'memory.inject'
  readonly text: string
  readonly embedding?: readonly number[]
  readonly tier: Tier
  /** At least 0. */
  readonly importance: number
  readonly accessCount: number
  /** Epoch seconds. */
  readonly expiresAt?: number
}
export interface IngestMemories {
  readonly type: 'memory.ingest'
  /** 1..1000; all or none are stored. */
  readonly memories: readonly IngestedMemory[]
}
export interface IngestedMemory {
  readonly text: string
  readonly role: Role
  readonly userId?: string
  /** Epoch seconds; default: now. */
  readonly timestamp?: number
  readonly importance?: number
  readonly expiresAt?: number
}
export interface ListMemories {
  readonly type: 'memory.list'
  /** 1..1000 */
  readonly limit: number
  /** Id of the last memory on the previous page. */
  readonly after?: string
  readonly filter: MemoryFilter
}
export interface DeleteMemory {
  readonly type: 'memory.delete'
  readonly hash: string
}
/** Changes every memory with that text. At least one of `importance` and `pinned` is required. */
export interface EditMemory {
  readonly type: 'memory.edit'
  readonly hash: string
  /** At least 0. */
  readonly importance?: number
  readonly pinned?: boolean
}
export interface ExportSession {
  readonly type: 'session.export'
}
export interface ImportSession {
  readonly type: 'session.import'
  /** As exported; validated in full before anything changes. */
  readonly stateDict: unknown
}
export interface VerifySession {
  readonly type: 'session.verify'
  /** 1..256 */
  readonly testEmbeddings: readonly (readonly number[])[]
  /** At most one of the two. Default: this session's own export, restored separately. */
  readonly referenceSessionId?: string
  readonly stateDict?: unknown
  readonly tolerance: number
}
/** Asks how a session responds to test embeddings; `session.verify` sends it to its reference. */
export interface ProbeSession {
  readonly type: 'session.probe'
  readonly testEmbeddings: readonly (readonly number[])[]
}
/** Removes expired memories; sent by the node's sweep. */
export interface SweepSession {
  readonly type: 'session.sweep'
}
/** Computes pending vectors; sent by the node while there are any. */
export interface EmbedPending {
  readonly type: 'session.embed'
}
export interface PutEntity {
  readonly type: 'entity.put'
  readonly key: string
  readonly kind: EntityKind
  readonly value: string
  readonly context?: string
  readonly importance: number
}
export interface ListEntities {
  readonly type: 'entity.list'
  /** Empty for all entities. */
  readonly query: string
  readonly maxResults: number
}
export interface RemoveEntity {
  readonly type: 'entity.remove'
  readonly key: string
}

export type ControlCommand =
  | SetTrigger
  | ClearTriggers
  | SetAnchor
  | ReadAnchorScore
  | SetIsolation
  | ReleaseHeld
  | ScreenTexts
  | InjectMemory
  | IngestMemories
  | ListMemories
  | DeleteMemory
  | EditMemory
  | ExportSession
  | ImportSession
  | VerifySession
  | ProbeSession
  | SweepSession
  | EmbedPending
  | EraseUser
  | PutEntity
  | ListEntities
  | RemoveEntity

export interface IsolationReply {
  readonly level: IsolationLevel
  readonly similarityThreshold: number
  readonly exclusionCount: number
  readonly allowlistCount: number
  readonly quarantinedCount: number
}

export interface EntityView extends Entity {
  /** UTF-8 bytes of the value. */
  readonly size: number
}

/** Response of a session to one test embedding. */
export interface Probe {
  /** Cosine to the session's semantic state, -1..1; 0 without one. */
  readonly stateSimilarity: number
  /** Best first. */
  readonly hits: readonly { readonly memoryHash: string; readonly score: number }[]
}

export interface ControlReplies extends ErasureReplies {
  'trigger.set': { readonly triggerCount: number }
  'trigger.clear': { readonly triggerCount: number }
  'anchor.set': { readonly anchorCount: number }
  'anchor.score': {
    readonly anchorScore: number | null
    readonly anchorCount: number
    readonly driftThreshold: number
    readonly realignmentRemaining: number
  }
  'isolation.set': IsolationReply
  'isolation.release': { readonly releasedCount: number; readonly level: IsolationLevel }
  /** `refused`: indexes of the texts that the level does not let pass, ascending; none under `OPEN` and `FILTER`. */
  'isolation.screen': { readonly level: IsolationLevel; readonly refused: readonly number[] }
  'memory.inject': { readonly tier: Tier; readonly totalMemories: number; readonly memoryId: string; readonly memoryHash: string }
  'memory.ingest': {
    readonly stored: number
    readonly updated: number
    readonly memories: readonly { readonly memoryId: string; readonly memoryHash: string }[]
  }
  'memory.list': { readonly memories: readonly MemoryView[]; readonly next: string | null }
  'memory.edit': MemoryView
  'memory.delete': { readonly memoryHash: string; readonly deleted: true }
  /** The session as one opaque value; the caller serialises it to JSON piece by piece. */
  'session.export': { readonly document: object }
  'session.import': { readonly imported: true; readonly totalMemories: number; readonly checksum: string }
  'session.verify': { readonly consistent: boolean; readonly maxDeviation: number; readonly tolerance: number; readonly checked: number }
  'session.probe': { readonly probes: readonly Probe[] }
  'session.sweep': { readonly swept: true }
  'session.embed': { readonly embedded: number; readonly pending: number }
  'entity.put': EntityView
  'entity.list': { readonly entities: readonly EntityView[]; readonly total: number }
  'entity.remove': { readonly key: string; readonly removed: true }
}
