/** What a step of a region works with: the state it changes, and what has to be written and told because of it. */
import type { Counters, Ids, StoredRow, Tracer } from '../../src/ports.js'
import type { OutboxMessage, StepMeta } from '../behaviour/behaviour.js'
import type { Prepared } from './prepare.js'
import type { RegionHead, RegionState } from './state.js'

/** Shared by all regions of a node. */
export interface RegionServices {
  readonly ids: Ids
  readonly tracer: Tracer
  readonly counters: Counters
}

export interface Work {
  readonly state: RegionState
  readonly prepared: Prepared
  readonly services: RegionServices
  readonly meta: StepMeta
  readonly put: StoredRow[]
  readonly remove: { readonly collection: string; readonly id: string }[]
  readonly messages: OutboxMessage[]
}

/** Replaces some of the head's fields. */
export function setHead({ state }: Work, fields: Partial<RegionHead>): void {
  state.head = { ...state.head, ...fields }
}
