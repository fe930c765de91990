/** Growth of a cluster's record by a command. */
import { plus, times, vectorsWeight, WEIGHTLESS, weightOf } from '../../src/domain/fairness/weight.js'
import type { Growths } from '../coordination/kind.js'
import { rowWeight } from '../weight/ledger.js'
import type { ClusterKind } from './work.js'

/** Bytes of heap of an outbox message's row: its ids, its address and its command. */
const MESSAGE = { heap: 1_000, buffers: 0 }

export const GROWTHS: Growths<ClusterKind> = {
  'cluster.addMember': ({ head, members }, { sessionId, weight }) =>
    members.has(sessionId) ? WEIGHTLESS : rowWeight({ sessionId, weight, seq: head.nextSeq }),
  'cluster.joinRegion': ({ regions }, { regionId }) => (regions.has(regionId) ? WEIGHTLESS : plus(rowWeight({}), MESSAGE)),
  'cluster.feedback': ({ head, members }, _, gathered) =>
    plus(rowWeight([[...members.keys()], gathered?.aggregate?.users ?? []]), vectorsWeight(head.dimension, 1), MESSAGE),
  'cluster.noteDrift': ({ head, drifts, regions }, { eventId }) => {
    if (drifts.has(eventId)) return WEIGHTLESS
    return { ...plus(rowWeight(head.nextSeq), weightOf(eventId), times(MESSAGE, regions.size)), bypassesRecordLimit: true }
  }
}
