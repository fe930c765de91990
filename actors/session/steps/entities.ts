/** The literal cache: verbatim entities by key. */
import { heldBytes, utf8Bytes } from '../../../machines/literal-store.js'
import type { ControlReplies, EntityView, ListEntities, PutEntity, RemoveEntity } from '../../../src/domain/commands/control-commands.js'
import { DomainError, notFound } from '../../../src/domain/errors.js'
import { ENTITIES_MAX, ENTITY_BYTES_MAX, ENTITY_VALUE_BYTES_MAX } from '../../../src/domain/limits.js'
import { createPace, isPauseDue, type Pieces } from '../../../src/domain/pieces.js'
import type { Entity } from '../../../src/domain/session.js'
import { rankEntities } from '../../../src/domain/words/entity-search.js'
import { hashText } from '../record/hash.js'
import { ENTITY } from '../record/head.js'
import type { Work } from '../record/work.js'

/** UTF-16 units whose bytes are counted in one piece of work: about a millisecond where each has several bytes. */
const COUNTED_A_PIECE = 2 ** 20

/** Stores an entity, replacing one with the same key. Throws when a limit is reached: entities are never evicted for others. */
export function putEntity(work: Work, command: PutEntity): EntityView {
  const { state, journal, now } = work
  const { key, kind, value, context, importance } = command
  const known = state.literals.get(key)
  const entity: Entity = { key, kind, value, context: context ?? null, importance, accessCount: known?.accessCount ?? 0, timestamp: now }
  refuseWhenFull(work, entity, known)
  if (known !== undefined && (known.value !== value || known.context !== entity.context)) journal.noteErasure()
  state.literals.put(entity)
  state.unread.add(entity)
  journal.put(ENTITY, rowId(key), entity)
  return entityView(entity)
}

/** Returns entities whose key or value has words of the query, best first; for an empty query all, newest first. Changes nothing. */
export function* listEntities({ state, prepared }: Work, command: ListEntities): Pieces<ControlReplies['entity.list']> {
  const ranked = yield* rankEntities(command.query, state.literals.all(), prepared.readings.get(command.query))
  const entities: EntityView[] = []
  const pace = createPace()
  for (const { entity } of ranked.slice(0, command.maxResults)) {
    if (isPauseDue(pace, entity.value.length / COUNTED_A_PIECE)) yield
    entities.push(entityView(entity))
  }
  return { entities, total: ranked.length }
}

export function removeEntity({ state, journal }: Work, command: RemoveEntity): ControlReplies['entity.remove'] {
  if (state.literals.get(command.key) === undefined) throw notFound('Entity')
  state.literals.remove(command.key)
  journal.noteErasure()
  journal.remove(ENTITY, rowId(command.key))
  return { key: command.key, removed: true }
}

// Hashed, as keys may contain anything, and row ids have to be short and plain.
function rowId(key: string): string {
  return hashText(key)
}

function refuseWhenFull({ state }: Work, entity: Entity, known: Entity | undefined): void {
  if (utf8Bytes(entity.value) > ENTITY_VALUE_BYTES_MAX) {
    throw new DomainError('invalid_input', `Value should have at most ${String(ENTITY_VALUE_BYTES_MAX)} bytes`, { loc: ['value'] })
  }
  if (known === undefined && state.literals.held().entities >= ENTITIES_MAX) {
    throw new DomainError('limit_reached', `Session has ${String(ENTITIES_MAX)} entities, which is the most it can hold`)
  }
  // A replacement that does not grow always passes: earlier versions did not count keys, so a session may exceed the bound.
  const growth = heldBytes(entity) - heldBytes(known)
  if (growth > 0 && state.literals.held().bytes + growth > ENTITY_BYTES_MAX) {
    throw new DomainError('limit_reached', `Session would hold more than ${String(ENTITY_BYTES_MAX)} bytes of entities`)
  }
}

/** Cached sizes by entity: a listing may have to count sixty megabytes, and may be requested again and again. */
const sizes = new WeakMap<Entity, number>()

function entityView(entity: Entity): EntityView {
  const size = sizes.get(entity) ?? utf8Bytes(entity.value)
  sizes.set(entity, size)
  return { ...entity, size }
}
