/** Types of the region kind. */
import type { RegionCommand } from '../../src/domain/commands/region-commands.js'
import type { ActorStorage, Ids } from '../../src/ports.js'
import type { Join } from '../coordination/joins.js'
import type { KindServices, Work as KindWork } from '../coordination/kind.js'
import type { Consensus, RegionState } from './state.js'

/** Result of one half of a realignment, which the step applies if that realignment is still under way. */
export type Half = ({ readonly type: 'gathered'; readonly consensus: Consensus | null } | { readonly type: 'pulled' }) & {
  readonly realignmentId: string
  /** Ids of clusters that no longer exist. */
  readonly goneIds: readonly string[]
}

interface Prepared {
  readonly 'region.attach': Join
  /** Null if there was nothing to do. */
  readonly 'region.realign': Half | null
}

export interface RegionServices extends KindServices {
  readonly ids: Ids
  readonly storage: Pick<ActorStorage, 'list'>
}

export interface RegionKind {
  readonly state: RegionState
  readonly command: RegionCommand
  readonly prepared: Prepared
  readonly services: RegionServices
}

export type Work = KindWork<RegionKind>
