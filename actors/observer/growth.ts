/** Growth of an observer's record by a command. */
import type { ObserverCommand } from '../../src/domain/commands/observer-commands.js'
import { plus, sumOf, WEIGHTLESS } from '../../src/domain/fairness/weight.js'
import { rowWeight } from '../weight/ledger.js'
import type { Growth } from '../weight/room.js'
import type { ObserverState } from './state.js'
import type { Prepared } from './work.js'

/** Upper bound on the growth, as far as known before the step. */
export function growthOf({ regionIds, conditions }: ObserverState, command: ObserverCommand, prepared: Prepared): Growth {
  const registered = (ids: readonly string[]): Growth =>
    sumOf([...new Set(ids)].filter((id) => !regionIds.has(id)).map((regionId) => rowWeight({ regionId, seq: 1 })))
  switch (command.type) {
    case 'observer.create':
      return registered(command.regionIds)
    case 'observer.register':
      return registered([command.regionId])
    case 'observer.sample': {
      const raised = (prepared.sample?.conditions ?? []).filter(({ key }) => !conditions.has(key))
      return {
        ...sumOf(raised.map((condition) => plus(rowWeight(true), rowWeight({ ...condition, timestamp: 0.5, seq: 1 })))),
        bypassesRecordLimit: true
      }
    }
    default:
      return WEIGHTLESS
  }
}
