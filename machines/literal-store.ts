/**
 * The literal cache of one session: verbatim entities by key. What happens to it are the events of a store, which counts what it holds and
 * emits what others may want to know. The entities themselves lie in a map beside it: a copy of ten thousand of them at each put would be
 * quadratic.
 */
import { createStore } from '@xstate/store'
import { LeanMap } from '../src/domain/lean-map.js'
import type { Entity } from '../src/domain/session.js'

/** How much a cache holds, or held. */
export interface Held {
  readonly entities: number
  /** UTF-8 bytes of all keys, values and contexts. */
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

type Listener = (news: LiteralNews) => void

/** An empty cache. Limits are the caller's. */
export function createLiteralStore(): LiteralStore {
  return new EntityCache()
}

/** A class, because each session has one, and most have nothing in it: functions of its own would weigh more than all the rest. */
class EntityCache implements LiteralStore {
  private listeners: readonly Listener[] = NO_LISTENERS
  private entities = new LeanMap<string, Entity>()
  // Made for the first entity: a store takes five kilobytes, and most sessions have no use for it.
  private store: HeldStore | null = null

  held(): Held {
    return this.store?.getSnapshot().context ?? NOTHING
  }

  get(key: string): Entity | undefined {
    return this.entities.get(key)
  }

  all(): IterableIterator<Entity> {
    return this.entities.values()
  }

  put(entity: Entity): void {
    const known = this.entities.get(entity.key)
    this.entities.set(entity.key, entity)
    this.store ??= createHeldStore((news) => this.listeners.forEach((listener) => listener(news)))
    this.store.send({ type: 'entity.put', entity, known })
  }

  remove(key: string): void {
    const entity = this.entities.get(key)
    if (entity === undefined) return
    this.entities.delete(key)
    this.store?.send({ type: 'entity.remove', entity })
  }

  load(): void {
    this.store?.send({ type: 'cache.load' })
  }

  evict(reason: Exclude<EvictionReason, 'removed'>): void {
    this.entities = new LeanMap()
    this.store?.send({ type: 'cache.evict', reason })
  }

  watch(listener: Listener): void {
    this.listeners = this.listeners.concat(listener)
  }
}

const NO_LISTENERS: readonly Listener[] = []

type HeldStore = ReturnType<typeof createHeldStore>

/** Counts what a cache holds, and tells what it emits. */
function createHeldStore(tell: Listener) {
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
  store.on('*', tell)
  return store
}

/** What an entity takes of the session's room: UTF-8 bytes of its key, value and context; 0 without one. */
export function heldBytes(entity: Entity | undefined): number {
  return entity === undefined ? 0 : utf8Bytes(entity.key) + utf8Bytes(entity.value) + utf8Bytes(entity.context ?? '')
}

/** UTF-8 bytes of a text, counted natively: values are as long as two million characters. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}
