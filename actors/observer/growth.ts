/** Growth of an observer's record by a command. */
import { plus, sumOf } from '../../src/domain/fairness/weight.js'
import type { Growths } from '../coordination/kind.js'
import { rowWeight } from '../weight/ledger.js'
import type { Growth } from '../weight/room.js'
import type { ObserverState } from './state.js'
import type { ObserverKind } from './work.js'

export const GROWTHS: Growths<ObserverKind> = {
  'observer.create': (state, { regionIds }) => registered(state, regionIds),
  'observer.register': (state, { regionId }) => registered(state, [regionId]),
  'observer.sample': (state, _, sample) => {
    const raised = (sample?.conditions ?? []).filter(({ key }) => !state.conditions.has(key))
    return {
      ...sumOf(raised.map((condition) => plus(rowWeight(true), rowWeight({ ...condition, timestamp: 0.5, seq: 1 })))),
      bypassesRecordLimit: true
    }
  }
}

function registered(state: ObserverState, ids: readonly string[]): Growth {
  return sumOf([...new Set(ids)].filter((id) => !state.regionIds.has(id)).map((regionId) => rowWeight({ regionId, seq: 1 })))
}
