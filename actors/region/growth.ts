/** Growth of a region's record by a command. */
import { plus, WEIGHTLESS, weightOf } from '../../src/domain/fairness/weight.js'
import type { Growths } from '../coordination/kind.js'
import { rowWeight } from '../weight/ledger.js'
import type { RegionKind } from './work.js'

export const GROWTHS: Growths<RegionKind> = {
  'region.attach': ({ clusters }, { clusterId }) =>
    clusters.has(clusterId) ? WEIGHTLESS : rowWeight({ clusterId, seq: 1, attachedAt: 0.5, votedAt: 0.5 }),
  'region.vote': ({ log }, vote) =>
    log.has(vote.eventId) ? WEIGHTLESS : { ...plus(rowWeight({ ...vote, seq: 1 }), weightOf(vote.eventId)), bypassesRecordLimit: true },
  'region.realign': (_state, _command, half) =>
    half?.type === 'gathered' && half.consensus !== null ? { ...rowWeight(half.consensus), bypassesRecordLimit: true } : WEIGHTLESS
}
