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
  /** True: no reply leaves before storage has confirmed that nobody else has taken the record over. For storage that nodes share. */
  readonly verifiesReads: boolean
  /** A commit, a removal or a verified read found that somebody else has taken the record over. */
  readonly fenced: () => void
  /** False when this node has stood still: another node may own by now what it was about to take over. */
  readonly isAwake: () => boolean
  /** Live actors beyond which the least recently used idle one is passivated. At least 1. */
  readonly activeMax: number
  /**
   * The same for one subject: how many live actors of this kind, at least 1, and how many bytes for its actors of all kinds. Beyond either,
   * its own idle actors are passivated. Default: no such cap.
   */
  readonly subjectActiveMax?: number
  readonly subjectBytesMax?: number
  /** Milliseconds without work after which the sweep passivates an actor. */
  readonly idleTtlMs: number
  /** Whether this node is the one to run the actor. */
  readonly owns: (address: Address) => boolean
}
