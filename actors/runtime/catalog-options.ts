/** What a catalog is made with. */
import type { Address } from '../../src/domain/address.js'
import type { ActorStorage, Clock, Logger, Tracer } from '../../src/ports.js'
import type { Admission } from '../scheduling/admission.js'
import type { Host } from './host.js'

export interface CatalogOptions extends Host {
  readonly storage: ActorStorage
  readonly clock: Clock
  readonly logger: Logger
  readonly tracer: Tracer
  readonly admission: Admission
  /** See `LifecycleOptions`. */
  readonly verifiesReads: boolean
  readonly fenced: () => void
  readonly isAwake: () => boolean
  /** Live actors beyond which the least recently used idle one is passivated. At least 1. */
  readonly activeMax: number
  /**
   * Those of one subject, from 1, and bytes that its actors of any kind hold: beyond, its own least recently used idle ones are passivated.
   * Default: no such cap.
   */
  readonly subjectActiveMax?: number
  readonly subjectBytesMax?: number
  /** Milliseconds without work after which the sweep passivates an actor. */
  readonly idleTtlMs: number
  /** Whether this node is the one to run the actor. */
  readonly owns: (address: Address) => boolean
}
