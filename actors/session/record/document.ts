/** Document: a session as one self-contained value, for export and import. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../src/domain/canonical-json.js'
import { inOneGo, type Pieces } from '../../../src/domain/pieces.js'
import type { Anchor, Delta, Entity, HeldInput, IsolationVectors, MemoryEntry, Trigger } from '../../../src/domain/session.js'
import { sorted } from '../../../src/domain/collections/sorting.js'
import type { Weight } from '../../../src/domain/fairness/weight.js'
import { toSnakeCase } from '../../../src/domain/wire-names.js'
import type { SessionHead } from './head.js'
import type { SessionState } from './state.js'

export const DOCUMENT_FORMAT = 'engram.session'

/**
 * Latest version of the format. An export carries the lowest version that can express it, 1, or 2 where a memory is pinned, so that older
 * services can still import it.
 */
export const DOCUMENT_VERSION = 2

/** Refers to the session's own immutable parts, so creating one costs lists, not copies of the content. */
export interface SessionDocument {
  readonly head: SessionHead
  /** Oldest first. */
  readonly memories: readonly MemoryEntry[]
  readonly anchors: readonly Anchor[]
  readonly triggers: readonly Trigger[]
  readonly deltas: readonly Delta[]
  readonly isolation: IsolationVectors
  readonly held: readonly HeldInput[]
  readonly entities: readonly Entity[]
}

/** Returns the document of a session. Its rows are sorted, so that equal sessions have equal documents regardless of storage order. */
export function documentOf(state: SessionState): SessionDocument {
  return inOneGo(documentWith(state, [...state.corpus.ordered()]))
}

function* documentWith(state: SessionState, memories: readonly MemoryEntry[]): Pieces<SessionDocument> {
  return {
    head: state.head,
    memories,
    anchors: [...state.anchors.values()].sort(byId),
    triggers: [...state.triggers.values()].sort(byId),
    deltas: [...state.deltas.values()].sort(byId),
    isolation: state.isolation,
    held: [...state.held.values()],
    // Sorted in pieces: ten thousand keys that differ only in their last letter take long.
    entities: yield* sorted([...state.literals.all()], (a, b) => (a.key < b.key ? -1 : 1))
  }
}

/** Memories listed in one piece of work: some tenths of a millisecond. */
const MEMORIES_A_PIECE = 1_024

/** Returns the document without memories that expired by `now`, epoch seconds. The state must not change between the pieces. */
export function* liveDocumentOf(state: SessionState, now: number): Pieces<SessionDocument> {
  const gone = yield* state.expiring.by(now)
  const isKept = (id: string): boolean => !gone.has(id)
  const memories: MemoryEntry[] = []
  let looked = 0
  for (const entry of state.corpus.ordered()) {
    if (++looked % MEMORIES_A_PIECE === 0) yield
    const { memory, stats } = entry
    if (gone.size === 0) memories.push(entry)
    else if (isKept(memory.id)) memories.push({ memory: { ...memory, replyTo: memory.replyTo.filter(isKept) }, stats })
  }
  return yield* documentWith(state, memories)
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1
}

/**
 * Yields the `state_dict` of a document as JSON text in chunks. Returns its checksum, which is also its last field: the SHA-256 of the
 * canonical JSON of all other fields, and so independent of the order of keys.
 */
export function* documentJson(document: SessionDocument): Generator<string, string> {
  const hash = createHash('sha256')
  let held = ''
  for (const chunk of canonicalJson(envelope(document), toWire)) {
    hash.update(chunk, 'utf8')
    if (held !== '') yield held
    held = chunk
  }
  const checksum = hash.digest('hex')
  // The last chunk ends with the closing brace: the checksum goes in before it.
  yield `${held.slice(0, -1)},"checksum":"${checksum}"}`
  return checksum
}

/**
 * Yields the `state_dict` as canonical JSON, with the checksum in its sorted place, for use within a larger value. Yields empty chunks
 * while the checksum is computed.
 */
export function* canonicalDocumentJson(document: SessionDocument): Generator<string, void> {
  const chunks = documentJson(document)
  let next = chunks.next()
  for (; next.done !== true; next = chunks.next()) yield ''
  yield* canonicalJson({ ...envelope(document), checksum: next.value }, toWire)
}

/** Computes the checksum that a `state_dict` should carry. */
export function* checksumOf(stateDict: Readonly<Record<string, unknown>>): Pieces<string> {
  const { checksum: _, ...rest } = stateDict
  const hash = createHash('sha256')
  for (const chunk of canonicalJson(rest)) {
    hash.update(chunk, 'utf8')
    yield
  }
  return hash.digest('hex')
}

/** Computes the checksum of a document's export. */
export function* documentChecksum(document: SessionDocument): Pieces<string> {
  const chunks = documentJson(document)
  for (let next = chunks.next(); ; next = chunks.next()) {
    if (next.done === true) return next.value
    yield
  }
}

/** Returns the `state_dict` as a client would have kept it: converted through JSON text, piece by piece instead of as one text. */
export function* throughText(document: SessionDocument): Pieces<Record<string, unknown>> {
  const checksum = yield* documentChecksum(document)
  return { ...((yield* partsThroughText(envelope(document))) as Record<string, unknown>), checksum }
}

/** Converts a value through text: one piece per item of a list, more for the vectors of a long text. */
function* partsThroughText(value: unknown): Pieces<unknown> {
  if (value instanceof Float32Array) {
    const parts: string[] = []
    for (const part of base64Parts(value)) {
      parts.push(part)
      yield
    }
    return parts.join('')
  }
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) {
      items.push(yield* partsThroughText(item))
      if (typeof item === 'object') yield
    }
    return items
  }
  if (typeof value !== 'object' || value === null) return JSON.parse(JSON.stringify(value)) as unknown
  const fields: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) if (field !== undefined) fields[toSnakeCase(key)] = yield* partsThroughText(field)
  return fields
}

/** Returns the version of an export of this document. */
export function versionOf({ memories }: SessionDocument): number {
  return memories.some(({ stats }) => stats.isPinned) ? 2 : 1
}

function envelope(document: SessionDocument): Record<string, unknown> {
  return {
    format: DOCUMENT_FORMAT,
    version: versionOf(document),
    dimension: document.head.settings.dimension,
    modelName: document.head.settings.modelName,
    memoryCount: document.memories.length,
    session: document
  }
}

/** Converts one level: keys to snake_case, a vector to base64 of its little-endian float32 values. */
function toWire(value: unknown): unknown {
  if (value instanceof Float32Array) return base64Parts(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [toSnakeCase(key), item]))
}

/** Bytes of a vector encoded in one piece. A multiple of three, so that only the last piece of base64 is padded. */
const BASE64_BYTES = 49_152

function* base64Parts({ buffer, byteOffset, byteLength }: Float32Array): Generator<string, void> {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  for (let at = 0; at < bytes.length; at += BASE64_BYTES) yield bytes.toString('base64', at, Math.min(at + BASE64_BYTES, bytes.length))
}

/** Prepared import: the content that a session is replaced by. */
export interface Imported {
  readonly document: SessionDocument
  readonly restored: SessionState
  /** Upper bound on its weight as a session. */
  readonly weight: Weight
  /** Checksum of the document's export. */
  readonly checksum: string
}
