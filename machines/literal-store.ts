/**
 * Literal cache of one session: verbatim entities by key. Changes are events of a store, which counts the content and emits news to
 * listeners. The entities themselves are in a map beside the store: copying ten thousand of them at each put would be quadratic.
 */
import { createStore } from '@xstate/store'
import { LeanMap } from '../src/domain/collections/lean-map.js'
import type { Entity } from '../src/domain/session.js'

/** Size of a cache's content. */
interface Held {
  readonly entities: number
  /** UTF-8 bytes of all keys, values and contexts. */
  readonly bytes: number
}

/** `removed`: by key, on request. `replaced`: by an import. `put_away`: with its session, which left this node's memory. */
type EvictionReason = 'removed' | 'replaced' | 'put_away'

/** News of a cache: entities were loaded with their session, or have left. Never emitted for zero entities. */
export type LiteralNews = (Held & { readonly type: 'loaded' }) | (Held & { readonly type: 'evicted'; readonly reason: EvictionReason })

type LiteralEvent =
  | { readonly type: 'entity.put'; readonly entity: Entity; readonly known: Entity | undefined }
  | { readonly type: 'entity.remove'; readonly entity: Entity }
  | { readonly type: 'cache.load' }
  | { readonly type: 'cache.evict'; readonly reason: EvictionReason }

const NOTHING: Held = { entities: 0, bytes: 0 }

type Listener = (news: LiteralNews) => void

/**
 * The caller enforces limits. A class rather than closures: every session has one, most are empty, and per-instance functions would
 * outweigh everything else.
 */
export class LiteralStore {
  private listeners: readonly Listener[] = NO_LISTENERS
  private entities = new LeanMap<string, Entity>()
  // Created with the first entity: a store takes five kilobytes, and most sessions have no entities.
  private store: HeldStore | null = null

  held(): Held {
    return this.store?.getSnapshot().context ?? NOTHING
  }

  get(key: string): Entity | undefined {
    return this.entities.get(key)
  }

  /** Entities in the order in which their keys were first put. */
  all(): IterableIterator<Entity> {
    return this.entities.values()
  }

  /** Adds the entity, or replaces the one with its key. */
  put(entity: Entity): void {
    const known = this.entities.get(entity.key)
    this.entities.set(entity.key, entity)
    this.store ??= createHeldStore((news) => this.listeners.forEach((listener) => listener(news)))
    this.store.send({ type: 'entity.put', entity, known })
  }

  /** Removes an entity and emits `evicted`. No-op if there is none. */
  remove(key: string): void {
    const entity = this.entities.get(key)
    if (entity === undefined) return
    this.entities.delete(key)
    this.store?.send({ type: 'entity.remove', entity })
  }

  /** Marks the entities put so far as loaded with the session. Emits `loaded`. */
  load(): void {
    this.store?.send({ type: 'cache.load' })
  }

  /** Removes all entities. Emits `evicted`. */
  evict(reason: Exclude<EvictionReason, 'removed'>): void {
    this.entities = new LeanMap()
    this.store?.send({ type: 'cache.evict', reason })
  }

  /** Calls `listener` with all news from now on. */
  watch(listener: Listener): void {
    this.listeners = this.listeners.concat(listener)
  }
}

const NO_LISTENERS: readonly Listener[] = []

type HeldStore = ReturnType<typeof createHeldStore>

/** Creates the store that counts a cache's content and passes its news to `tell`. */
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

/** Returns the UTF-8 bytes of an entity's key, value and context, which count against the session's bound; 0 for undefined. */
export function heldBytes(entity: Entity | undefined): number {
  return entity === undefined ? 0 : utf8Bytes(entity.key) + utf8Bytes(entity.value) + utf8Bytes(entity.context ?? '')
}

/** Returns the UTF-8 bytes of a text, counted natively, as values may have two million characters. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}
