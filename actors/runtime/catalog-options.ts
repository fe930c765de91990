/** Options of a catalog. */
import type { Address } from '../../src/domain/address.js'
import type { ActorStorage, Logger, Tracer } from '../../src/ports.js'
import type { Admission } from '../scheduling/admission.js'
import type { Host } from './host.js'

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
