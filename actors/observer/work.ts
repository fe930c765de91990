/** Types of the observer kind. */
import type { ObserverCommand } from '../../src/domain/commands/observer-commands.js'
import type { Counters, Ids, Tracer } from '../../src/ports.js'
import type { Work as KindWork } from '../behaviour/kind.js'
import type { Asking } from './asking.js'
import type { Census, Sample } from './sample.js'
import type { ObserverState } from './state.js'
import type { Timetable } from './timetable.js'

/** Result of a preparation; null for commands that only check regions, or ask nobody. */
export type Prepared = { readonly sample?: Sample; readonly census?: Census } | null

/** Services shared by all observers of a node. */
export interface ObserverServices {
  readonly ids: Ids
  readonly tracer: Tracer
  readonly counters: Counters
  readonly timetable: Pick<Timetable, 'note' | 'forget'>
}

export interface ObserverKind {
  readonly state: ObserverState
  readonly command: ObserverCommand
  readonly prepared: Prepared
  readonly services: ObserverServices
  readonly asking: Asking
}

export type Work = KindWork<ObserverKind>
