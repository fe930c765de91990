/** Growth of a region's record by a command. */
import type { RegionCommand } from '../../src/domain/commands/region-commands.js'
import { plus, WEIGHTLESS, weightOf } from '../../src/domain/fairness/weight.js'
import { rowWeight } from '../weight/ledger.js'
import type { Growth } from '../weight/room.js'
import type { RegionState } from './state.js'
import type { Prepared } from './work.js'

/** Upper bound on the growth, as far as known before the step. */
export function growthOf({ clusters, log }: RegionState, command: RegionCommand, { half }: Prepared): Growth {
  switch (command.type) {
    case 'region.attach':
      return clusters.has(command.clusterId)
        ? WEIGHTLESS
        : rowWeight({ clusterId: command.clusterId, seq: 1, attachedAt: 0.5, votedAt: 0.5 })
    case 'region.vote':
      return log.has(command.eventId)
        ? WEIGHTLESS
        : { ...plus(rowWeight({ ...command, seq: 1 }), weightOf(command.eventId)), bypassesRecordLimit: true }
    case 'region.realign':
      return half?.type === 'gathered' && half.consensus !== null ? { ...rowWeight(half.consensus), bypassesRecordLimit: true } : WEIGHTLESS
    default:
      return WEIGHTLESS
  }
}
