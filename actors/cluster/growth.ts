/** Growth of a cluster's record by a command. */
import type { ClusterCommand } from '../../src/domain/commands/cluster-commands.js'
import { plus, times, vectorsWeight, WEIGHTLESS, weightOf } from '../../src/domain/fairness/weight.js'
import { rowWeight } from '../weight/ledger.js'
import type { Growth } from '../weight/room.js'
import type { ClusterState } from './state.js'
import type { Prepared } from './work.js'

/** Bytes of heap of an outbox message's row: its ids, its address and its command. */
const MESSAGE = { heap: 1_000, buffers: 0 }

/** Upper bound on the growth, as far as known before the step. */
export function growthOf({ head, members, regions, drifts }: ClusterState, command: ClusterCommand, prepared: Prepared): Growth {
  switch (command.type) {
    case 'cluster.addMember':
      return members.has(command.sessionId)
        ? WEIGHTLESS
        : rowWeight({ sessionId: command.sessionId, weight: command.weight, seq: head.nextSeq })
    case 'cluster.joinRegion':
      return regions.has(command.regionId) ? WEIGHTLESS : plus(rowWeight({}), MESSAGE)
    case 'cluster.feedback': {
      const users = prepared.gathered?.aggregate?.users ?? []
      return plus(rowWeight([[...members.keys()], users]), vectorsWeight(head.dimension, 1), MESSAGE)
    }
    case 'cluster.noteDrift':
      if (drifts.has(command.eventId)) return WEIGHTLESS
      return { ...plus(rowWeight(head.nextSeq), weightOf(command.eventId), times(MESSAGE, regions.size)), bypassesRecordLimit: true }
    default:
      return WEIGHTLESS
  }
}
