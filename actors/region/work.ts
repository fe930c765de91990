/** Types of the region kind. */
import type { RegionCommand } from '../../src/domain/commands/region-commands.js'
import type { Counters, Ids, Tracer } from '../../src/ports.js'
import type { Work as KindWork } from '../behaviour/kind.js'
import type { Asking } from './asking.js'
import type { Consensus, RegionState } from './state.js'

/** Result of one half of a realignment, which the step applies if that realignment is still under way; null for other commands. */
export type Prepared =
  | (({ readonly half: 'gathered'; readonly consensus: Consensus | null } | { readonly half: 'pulled' }) & {
      readonly realignmentId: string
      /** Ids of clusters that no longer exist. */
      readonly goneIds: readonly string[]
    })
  | null

/** Services shared by all regions of a node. */
export interface RegionServices {
  readonly ids: Ids
  readonly tracer: Tracer
  readonly counters: Counters
}

export interface RegionKind {
  readonly state: RegionState
  readonly command: RegionCommand
  readonly prepared: Prepared
  readonly services: RegionServices
  readonly asking: Asking
}

export type Work = KindWork<RegionKind>
