/** Types of the observer kind. */
import type { ObserverCommand } from '../../src/domain/commands/observer-commands.js'
import type { Ids } from '../../src/ports.js'
import type { KindServices, Work as KindWork } from '../coordination/kind.js'
import type { Census, Sample } from './sample.js'
import type { ObserverState } from './state.js'
import type { Timetable } from './timetable.js'

interface Prepared {
  readonly 'observer.sample': Sample
  readonly 'observer.summary': Census
}

export interface ObserverServices extends KindServices {
  readonly ids: Ids
  readonly timetable: Pick<Timetable, 'note' | 'forget'>
}

export interface ObserverKind {
  readonly state: ObserverState
  readonly command: ObserverCommand
  readonly prepared: Prepared
  readonly services: ObserverServices
}

export type Work = KindWork<ObserverKind>
