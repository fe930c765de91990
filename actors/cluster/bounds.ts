/** How large a cluster may grow, and the refusals that come of it. */
import { DomainError, notFound } from '../../src/domain/errors.js'
import type { ClusterState } from './state.js'

/** Clusters of a subject: listed without pages, as some 2 MB. */
export const CLUSTERS_MAX = 10_000

/** Members: each is asked for every aggregate, in some 0.2 ms when it is in memory and 1 ms when it is not. */
const MEMBERS_MAX = 1_000

/** Regions: each gets an outbox message of every drift, so ten drifts may wait for regions that do not answer. */
export const REGIONS_MAX = 100

/** Drifts that are known when they are told again. A repeat of an older one is told on once more, and the regions know it by its id. */
export const DRIFTS_REMEMBERED = 64

/** Feedbacks on their way, each with a vector in the cluster's record: one takes milliseconds, unless members do not answer. */
const FEEDBACKS_PENDING_MAX = 16

/** Throws `member_missing` for a session that does not belong to the cluster. */
export function refuseNonMember({ members }: ClusterState, sessionId: string): void {
  if (!members.has(sessionId)) throw notFound('Member')
}

/** Throws `busy` when one feedback more is too many. */
export function refuseWhenFeedbacksWait({ feedbacks }: ClusterState): void {
  if (feedbacks.size >= FEEDBACKS_PENDING_MAX) throw new DomainError('busy', 'Earlier feedback has not reached every member yet')
}

/** Throws `limit_reached` when one member more is too many. */
export function refuseWhenClusterFull({ members }: ClusterState, sessionId: string): void {
  if (members.has(sessionId) || members.size < MEMBERS_MAX) return
  throw new DomainError('limit_reached', `A cluster holds at most ${String(MEMBERS_MAX)} members`)
}
