/** The actors of one kind on this node: what the files of this folder share. */
import type { AnyActorRef } from 'xstate'
import type { Address } from '../../src/domain/address.js'
import { ACTIVATIONS_MAX, SUBJECT_ACTIVATIONS_MAX } from '../../src/domain/limits.js'
import type { ActorStorage, Logger, Tracer } from '../../src/ports.js'
import type { Admission } from '../scheduling/admission.js'
import { createSemaphore, type Semaphore } from '../scheduling/semaphore.js'
import type { Host } from './host.js'
import { createRegistry, type Registry } from './registry.js'

export interface CatalogOptions extends Host {
  readonly storage: ActorStorage
  readonly logger: Logger
  readonly tracer: Tracer
  readonly admission: Admission
  /** Called when a commit, a removal or a verified read finds that another node has taken the record over. */
  readonly fenced: () => void
  /** False when this node has stood still: another node may own by now the records it was about to take over. */
  readonly isAwake: () => boolean
  /** Number of live actors beyond which the least recently used idle one is passivated. At least 1. */
  readonly activeMax: number
  /**
   * Caps of one subject: the number of its live actors of this kind, and the bytes of its actors of all kinds. Beyond either,
   * its own idle actors are passivated. Default 0: no such cap.
   */
  readonly subjectActiveMax?: number
  readonly subjectBytesMax?: number
  /** Milliseconds without work after which the sweep passivates an actor. */
  readonly idleTtlMs: number
  /** Whether this node is the one to run the actor. */
  readonly owns: (address: Address) => boolean
}

export interface Actors {
  readonly options: CatalogOptions
  readonly registry: Registry
  /** Limits how many records are read at the same time. */
  readonly reads: Semaphore
  /** Parent of all actors that start from now on; null while it is being restarted. */
  supervisor: AnyActorRef | null
  /** Number of records that stay in memory without an actor. */
  dormantCount: number
  /** Whether the supervisor was told that the cap is exceeded. */
  isOverCap: boolean
  /** Whether the last trim stayed above the cap because of busy actors: an actor that becomes idle may then have to be evicted. */
  isTrimWaiting: boolean
  /** Subjects whose last `trimSubject` stayed above a cap because of busy actors. */
  readonly subjectsWaiting: Set<string>
}

export function createActors(options: CatalogOptions): Actors {
  const full = 'Too many records are being read'
  return {
    options,
    registry: createRegistry(),
    reads: createSemaphore({ clock: options.clock, permitsMax: ACTIVATIONS_MAX, subjectMax: SUBJECT_ACTIVATIONS_MAX, full }),
    supervisor: null,
    dormantCount: 0,
    isOverCap: false,
    isTrimWaiting: false,
    subjectsWaiting: new Set()
  }
}
