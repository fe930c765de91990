/** The literal cache of one session: verbatim entities by key, as a store that can be watched. */
import { createStore } from '@xstate/store'
import type { Entity } from '../src/domain/session.js'

export interface LiteralStore {
  readonly size: number
  /** UTF-8 bytes of all values and contexts. */
  readonly bytes: number
  get(key: string): Entity | undefined
  /** In the order in which the keys came. */
  all(): IterableIterator<Entity>
  /** Adds the entity, or replaces the one of its key. */
  put(entity: Entity): void
  remove(key: string): void
  /** Called after each change. Returns its end. */
  watch(listener: () => void): () => void
}

interface Contents {
  /** Replaced as a whole record, mutated as a map: copying ten thousand entities at each put would be quadratic. */
  readonly entities: Map<string, Entity>
  readonly bytes: number
}

/** An empty cache. Limits are the caller's. */
export function createLiteralStore(): LiteralStore {
  const store = createStore({
    context: { entities: new Map(), bytes: 0 },
    on: {
      'entity.put': ({ entities, bytes }: Contents, { entity }: { entity: Entity }): Contents => {
        const before = heldBytes(entities.get(entity.key))
        entities.set(entity.key, entity)
        return { entities, bytes: bytes - before + heldBytes(entity) }
      },
      'entity.remove': ({ entities, bytes }: Contents, { key }: { key: string }): Contents => {
        const before = heldBytes(entities.get(key))
        entities.delete(key)
        return { entities, bytes: bytes - before }
      },
    },
  })
  const contents = (): Contents => store.getSnapshot().context

  return {
    get size() {
      return contents().entities.size
    },
    get bytes() {
      return contents().bytes
    },
    get: (key) => contents().entities.get(key),
    all: () => contents().entities.values(),
    put: (entity) => store.trigger['entity.put']({ entity }),
    remove: (key) => store.trigger['entity.remove']({ key }),
    watch(listener) {
      const subscription = store.subscribe(listener)
      return () => subscription.unsubscribe()
    },
  }
}

/** What an entity takes of the session's room: UTF-8 bytes of its value and context; 0 without one. */
export function heldBytes(entity: Entity | undefined): number {
  return entity === undefined ? 0 : utf8Bytes(entity.value) + utf8Bytes(entity.context ?? '')
}

/** UTF-8 bytes of a text, counted natively: values are as long as two million characters. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}
