/** What a region is made of, for its steps: the types of its kind. */
import type { RegionCommand } from '../../src/domain/commands/region-commands.js'
import type { Counters, Ids, Tracer } from '../../src/ports.js'
import type { Work as KindWork } from '../behaviour/kind.js'
import type { Asking } from './asking.js'
import type { Consensus, RegionState } from './state.js'

/** What came of one half of a realignment: for its step to keep, if the realignment is still the one under way. */
export type Prepared =
  | (({ readonly half: 'gathered'; readonly consensus: Consensus | null } | { readonly half: 'pulled' }) & {
      readonly realignmentId: string
      /** Clusters that do not exist any more. */
      readonly goneIds: readonly string[]
    })
  | null

/** Shared by all regions of a node. */
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
