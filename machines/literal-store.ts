/**
 * The literal cache of one session: verbatim entities by key. What happens to it are the events of a store, which counts what it holds and
 * emits what others may want to know. The entities themselves lie in a map beside it: a copy of ten thousand of them at each put would be
 * quadratic.
 */
import { createStore } from '@xstate/store'
import type { Entity } from '../src/domain/session.js'

/** How much a cache holds, or held. */
export interface Held {
  readonly entities: number
  /** UTF-8 bytes of all values and contexts. */
  readonly bytes: number
}

/** `removed`: by its key, as somebody asked. `replaced`: by an import. `put_away`: with its session, which left the memory of this node. */
export type EvictionReason = 'removed' | 'replaced' | 'put_away'

/** What a cache tells of itself: entities came with their session, or are not there any more. Never told of none. */
export type LiteralNews = (Held & { readonly type: 'loaded' }) | (Held & { readonly type: 'evicted'; readonly reason: EvictionReason })

export interface LiteralStore {
  held(): Held
  get(key: string): Entity | undefined
  /** In the order in which the keys came. */
  all(): IterableIterator<Entity>
  /** Adds the entity, or replaces the one of its key. */
  put(entity: Entity): void
  /** Emits `evicted`, if there is such an entity. */
  remove(key: string): void
  /** What was put so far, came with the session. Emits `loaded`. */
  load(): void
  /** Empties it. Emits `evicted`. */
  evict(reason: Exclude<EvictionReason, 'removed'>): void
  /** Calls `listener` with all that is emitted from now on. */
  watch(listener: (news: LiteralNews) => void): void
}

type LiteralEvent =
  | { readonly type: 'entity.put'; readonly entity: Entity; readonly known: Entity | undefined }
  | { readonly type: 'entity.remove'; readonly entity: Entity }
  | { readonly type: 'cache.load' }
  | { readonly type: 'cache.evict'; readonly reason: EvictionReason }

const NOTHING: Held = { entities: 0, bytes: 0 }

/** An empty cache. Limits are the caller's. */
export function createLiteralStore(): LiteralStore {
  const listeners: ((news: LiteralNews) => void)[] = []
  let entities = new Map<string, Entity>()
  // Made for the first entity: a store takes five kilobytes, and most sessions have no use for it.
  let store: HeldStore | null = null
  const held = (): Held => store?.getSnapshot().context ?? NOTHING

  return {
    held,
    get: (key) => entities.get(key),
    all: () => entities.values(),
    put(entity) {
      const known = entities.get(entity.key)
      entities.set(entity.key, entity)
      store ??= createHeldStore(listeners)
      store.send({ type: 'entity.put', entity, known })
    },
    remove(key) {
      const entity = entities.get(key)
      if (entity === undefined) return
      entities.delete(key)
      store?.send({ type: 'entity.remove', entity })
    },
    load: () => store?.send({ type: 'cache.load' }),
    evict(reason) {
      entities = new Map()
      store?.send({ type: 'cache.evict', reason })
    },
    watch: (listener) => void listeners.push(listener)
  }
}

type HeldStore = ReturnType<typeof createHeldStore>

/** Counts what a cache holds, and tells what it emits. */
function createHeldStore(listeners: readonly ((news: LiteralNews) => void)[]) {
  const store = createStore<Held, LiteralEvent, LiteralNews>({
    context: NOTHING,
    on: {
      'entity.put': (held, { entity, known }) => ({
        entities: held.entities + (known === undefined ? 1 : 0),
        bytes: held.bytes - heldBytes(known) + heldBytes(entity)
      }),
      'entity.remove': (held, { entity }, enqueue) => {
        const bytes = heldBytes(entity)
        enqueue.emit.evicted({ entities: 1, bytes, reason: 'removed' })
        return { entities: held.entities - 1, bytes: held.bytes - bytes }
      },
      'cache.load': (held, _, enqueue) => {
        if (held.entities > 0) enqueue.emit.loaded(held)
      },
      'cache.evict': (held, { reason }, enqueue) => {
        if (held.entities > 0) enqueue.emit.evicted({ ...held, reason })
        return NOTHING
      }
    }
  })
  store.on('*', (news) => {
    for (const listener of listeners) listener(news)
  })
  return store
}

/** What an entity takes of the session's room: UTF-8 bytes of its value and context; 0 without one. */
export function heldBytes(entity: Entity | undefined): number {
  return entity === undefined ? 0 : utf8Bytes(entity.value) + utf8Bytes(entity.context ?? '')
}

/** UTF-8 bytes of a text, counted natively: values are as long as two million characters. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}
