/** Reads an export: checks its checksum, its shape, and the consistency of its parts. Changes nothing. */
import { utf8Bytes } from '../../../machines/literal-store.js'
import { DomainError } from '../../../src/domain/errors.js'
import { ENTITY_BYTES_MAX, ENTITY_VALUE_BYTES_MAX } from '../../../src/domain/limits.js'
import { isLexicalModel, LEXICAL_WINDOW_CHARS } from '../../../src/domain/similarity/models.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { Delta, Entity, Memory, Trigger } from '../../../src/domain/session.js'
import { partsMax } from '../../../src/domain/text/split.js'
import { flawOf } from '../../../src/domain/text/storable.js'
import { norm, vectorAt } from '../../../src/domain/similarity/vector.js'
import { toCamelCase } from '../../../src/domain/wire-names.js'
import { foldFully } from '../../../src/domain/words/triggers.js'
import { toWireDocument } from './document-schema.js'
import { checksumOf, DOCUMENT_FORMAT, DOCUMENT_VERSION, type SessionDocument, versionOf } from './document.js'
import { hashText } from './hash.js'
import type { SessionHead } from './head.js'
import { pinnedProblem } from './pinned.js'

/** Tolerance on the length of a unit vector in single precision, with room for vectors normalised elsewhere. */
const UNIT_TOLERANCE = 1e-3

/** Fields of the wire form that hold vectors; all other strings are texts. */
const VECTOR_FIELDS: ReadonlySet<string> = new Set(['vector', 'vectors', 'embedding', 'templateEmbedding'])
const VECTOR_LIST_FIELDS: ReadonlySet<string> = new Set(['exclusions', 'allowlist'])

/** Reads the document of a `state_dict`. Throws DomainError `malformed_payload` for anything that an export would not contain. */
export function* readDocument(value: unknown, memoriesMax: number): Pieces<SessionDocument> {
  const stateDict = yield* toWireDocument(value)
  if (stateDict === null) throw malformed(shapeProblem(value))
  if ((yield* checksumOf(stateDict)) !== stateDict.checksum) throw malformed('the checksum of state_dict does not match')
  const document = yield* toDocument(stateDict.session)
  requireThat(stateDict.version === versionOf(document), 'its version is not that of what it holds')
  const { dimension, modelName } = document.head.settings
  requireThat(stateDict.dimension === dimension && stateDict.model_name === modelName, 'dimension and model_name do not match the session')
  requireThat(stateDict.memory_count === document.memories.length, 'memories are missing or repeated')
  requireThat(document.memories.length <= memoriesMax, `it holds more than ${String(memoriesMax)} memories`)
  yield* checkMemories(document)
  yield* checkReferences(document)
  yield* checkVectors(document)
  return document
}

/** Throws `malformed_payload` if the document has another model or dimension: their vectors must not be mixed. */
export function refuseForeign(document: SessionDocument, settings: { readonly modelName: string; readonly dimension: number }): void {
  const own = document.head.settings
  if (own.dimension !== settings.dimension) {
    throw new DomainError(
      'malformed_payload',
      `Malformed session export: its dimension is ${String(own.dimension)}, not ${String(settings.dimension)}`
    )
  }
  if (own.modelName !== settings.modelName)
    throw new DomainError('malformed_payload', 'Malformed session export: it comes from another embedding model')
}

/** Explains why a value does not have the shape of an export. */
function shapeProblem(value: unknown): string {
  const { format, version } = (value ?? {}) as { readonly format?: unknown; readonly version?: unknown }
  const isNewer = format === DOCUMENT_FORMAT && Number.isSafeInteger(version) && Number(version) > DOCUMENT_VERSION
  if (!isNewer) return 'state_dict is not an export of a session'
  return `state_dict is of version ${String(version)}, and this service reads versions up to ${String(DOCUMENT_VERSION)}`
}

function* checkMemories({ memories, head }: SessionDocument): Pieces<void> {
  let lastSeq = 0
  for (const { memory, stats } of memories) {
    yield
    requireThat(memory.seq > lastSeq, 'memories are not in their order')
    requireThat(memory.hash === hashText(memory.text), 'a memory_hash is not that of its text')
    requireThat(areParts(memory, head.settings.modelName), 'the parts of a memory are not those of its text')
    requireThat(areDistinct(memory.replyTo), 'an answer names a question twice')
    requireThat(
      yield* isUnits(memory.vectors, memory.partEnds.length, head.settings.dimension),
      'a vector is not a unit vector of the dimension'
    )
    requireThat(stats.isPinned !== true || memory.expiresAt === null, 'a pinned memory would expire')
    requireThat(Number.isFinite(stats.importance), 'an importance is not a number')
    lastSeq = memory.seq
  }
  const problem = pinnedProblem(memories.filter(({ stats }) => stats.isPinned))
  requireThat(problem === null, problem ?? '')
  requireThat(head.nextSeq > lastSeq, 'the order of memories runs beyond its end')
}

function* checkReferences({ memories, head, held, entities, anchors, triggers, deltas }: SessionDocument): Pieces<void> {
  const ids = new Set(memories.map(({ memory }) => memory.id))
  requireThat(ids.size === memories.length, 'a memory id is repeated')
  yield
  requireThat(
    head.folds.every((fold) => ids.has(fold.memoryId)),
    'a fold names a memory that is missing'
  )
  requireThat(head.calmTurns === 0 || head.driftPhase === 'drifted', 'turns are calm after a drift only')
  requireThat(head.openQuestionId === null || ids.has(head.openQuestionId), 'the open question is missing')
  requireThat(
    memories.every(({ memory }) => memory.replyTo.every((id) => ids.has(id))),
    'an answer names a question that is missing'
  )
  yield
  for (const list of [held, anchors, triggers, deltas]) requireThat(areDistinct(list.map(({ id }) => id)), 'an id is repeated')
  for (const trigger of triggers) {
    yield
    requireThat(isTrigger(trigger), 'a trigger has not exactly one of keyword and embedding')
  }
  for (const { turn, users } of deltas) {
    yield
    requireThat(turn <= head.interactionCount, 'a delta is of a turn that is still to come')
    requireThat(users === null || areDistinct(users), 'a delta names a data subject twice')
  }
  requireThat(areDistinct(entities.map(({ key }) => key)), 'an entity key is repeated')
  yield* checkEntities(entities)
}

/** Checks the size of the entities against the bound of the first version, which did not count keys: what it accepted stays readable. */
function* checkEntities(entities: readonly Entity[]): Pieces<void> {
  let sum = 0
  for (const { value, context } of entities) {
    yield
    const bytes = utf8Bytes(value)
    requireThat(bytes <= ENTITY_VALUE_BYTES_MAX, 'the value of an entity is too long')
    sum += bytes + utf8Bytes(context ?? '')
  }
  requireThat(sum <= ENTITY_BYTES_MAX, 'its entities are too much for a session')
}

function* checkVectors({ head, anchors, triggers, deltas, isolation, held }: SessionDocument): Pieces<void> {
  const { dimension, modelName, templateEmbedding, policyVectors } = head.settings
  const singles = [
    ...(templateEmbedding === null ? [] : [templateEmbedding]),
    ...policyVectors.map((policy) => policy.embedding),
    ...anchors.map((anchor) => anchor.embedding),
    ...triggers.flatMap((trigger) => trigger.embedding ?? []),
    ...isolation.exclusions,
    ...isolation.allowlist
  ]
  for (const vector of singles) {
    yield
    requireThat(yield* isUnits(vector, 1, dimension), 'a vector is not a unit vector of the dimension')
  }
  requireThat(
    deltas.every(({ vector }) => vector.length === dimension && vector.every(Number.isFinite)),
    'a delta is not of the dimension'
  )
  for (const input of held) {
    yield
    requireThat(areParts(input, modelName), 'the parts of a held input are not those of its text')
    requireThat(yield* isUnits(input.vectors, input.partEnds.length, dimension), 'a vector is not a unit vector of the dimension')
  }
}

function isTrigger({ keyword, embedding }: Trigger): boolean {
  return keyword === null ? embedding !== null : embedding === null && foldFully(keyword) !== ''
}

/** Whether the vectors are `count` vectors of the dimension, each of length 1 or all zeros. */
function* isUnits(vectors: Float32Array, count: number, dimension: number): Pieces<boolean> {
  if (vectors.length !== count * dimension) return false
  for (let at = 0; at < count; at++) {
    const length = norm(vectorAt(vectors, at, dimension))
    if (!(Math.abs(length - 1) <= UNIT_TOLERANCE || length === 0)) return false
    yield
  }
  return true
}

/** Whether `partEnds` can be the parts of the text. With the lexical model, not more parts than its window makes. */
function areParts({ text, partEnds }: Pick<Memory, 'text' | 'partEnds'>, modelName: string): boolean {
  if (!isAscending(partEnds) || partEnds.at(-1) !== text.length) return false
  return !isLexicalModel(modelName) || partEnds.length <= partsMax(text, LEXICAL_WINDOW_CHARS)
}

function areDistinct(items: readonly string[]): boolean {
  return new Set(items).size === items.length
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((value, at) => at === 0 || value > (numbers[at - 1] as number))
}

function* toDocument(session: object): Pieces<SessionDocument> {
  const document = (yield* fieldsFromWire(session)) as Omit<SessionDocument, 'head' | 'deltas'> & {
    readonly head: Omit<SessionHead, 'calmTurns'> & Partial<SessionHead>
    readonly deltas: readonly (Omit<Delta, 'users'> & Partial<Delta>)[]
  }
  return {
    ...document,
    head: { ...document.head, calmTurns: document.head.calmTurns ?? 0 },
    deltas: document.deltas.map((delta) => ({ ...delta, users: delta.users ?? null }))
  }
}

function* fieldsFromWire(session: object): Pieces<unknown> {
  const fields: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(session)) {
    yield
    fields[toCamelCase(key)] = Array.isArray(field) ? yield* itemsFromWire(field, '') : yield* fromWire(field, toCamelCase(key))
  }
  return fields
}

function* itemsFromWire(items: readonly unknown[], field: string): Pieces<unknown[]> {
  const read: unknown[] = []
  for (const item of items) {
    if (isPlain(item)) {
      read.push(item)
      continue
    }
    yield
    read.push(yield* fromWire(item, field))
  }
  return read
}

/** Converts deeply: keys to camelCase, base64 to vectors in vector fields. The shape was checked before. */
function* fromWire(value: unknown, field: string): Pieces<unknown> {
  if (typeof value === 'string') {
    if (VECTOR_FIELDS.has(field) || VECTOR_LIST_FIELDS.has(field)) return yield* toVector(value)
    requireThat(flawOf(value) === undefined, 'a text has characters that cannot be stored')
    return value
  }
  if (Array.isArray(value)) return yield* itemsFromWire(value, VECTOR_LIST_FIELDS.has(field) ? field : '')
  if (isPlain(value)) return value
  const fields: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value as object)) {
    const name = toCamelCase(key)
    fields[name] = isPlain(item) ? item : yield* fromWire(item, name)
  }
  return fields
}

/** Whether a value needs no conversion. */
function isPlain(value: unknown): value is number | boolean | null {
  return typeof value === 'number' || typeof value === 'boolean' || value === null
}

/** Characters of base64 decoded in one piece, a multiple of four, and the bytes that they encode. */
const BASE64_LENGTH = 65_536
const BASE64_BYTES = (BASE64_LENGTH / 4) * 3

function* toVector(base64: string): Pieces<Float32Array> {
  const length = Buffer.byteLength(base64, 'base64')
  let isExact = length % 4 === 0
  const bytes = new Uint8Array(isExact ? length : 0)
  for (let at = 0; isExact && at < base64.length; at += BASE64_LENGTH) {
    if (at > 0) yield
    const text = base64.slice(at, at + BASE64_LENGTH)
    const part = Buffer.from(text, 'base64')
    const from = (at / BASE64_LENGTH) * BASE64_BYTES
    // Only the last piece may be shorter, or padded.
    isExact = part.length === Math.min(BASE64_BYTES, length - from) && part.toString('base64') === text
    if (isExact) bytes.set(part, from)
  }
  requireThat(isExact, 'a vector is not base64 of float32 values')
  return new Float32Array(bytes.buffer)
}

function requireThat(holds: boolean, reason: string): void {
  if (!holds) throw malformed(reason)
}

function malformed(reason: string): DomainError {
  return new DomainError('malformed_payload', `Malformed session export: ${reason}`)
}
