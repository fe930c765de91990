/** Bounds of a cluster, and their refusals. */
import { DomainError, notFound } from '../../src/domain/errors.js'
import type { ClusterState } from './state.js'

/** Upper bound on a subject's clusters: they are listed without pages, in some 2 MB. */
export const CLUSTERS_MAX = 10_000

/** Upper bound on members: each is asked for every aggregate, in some 0.2 ms if it is in memory, and 1 ms if not. */
const MEMBERS_MAX = 1_000

/** Upper bound on regions: each gets an outbox message for every drift, so ten drifts may wait for regions that do not answer. */
export const REGIONS_MAX = 100

/** Number of drifts recognised when they are repeated. An older one is told once more, and the regions recognise it by its id. */
export const DRIFTS_REMEMBERED = 64

/** Upper bound on pending feedbacks, each with a vector in the cluster's record: one takes milliseconds, unless members do not answer. */
const FEEDBACKS_PENDING_MAX = 16

/** Throws `member_missing` for a session that does not belong to the cluster. */
export function refuseNonMember({ members }: ClusterState, sessionId: string): void {
  if (!members.has(sessionId)) throw notFound('Member')
}

/** Throws `busy` if there is no room for another feedback. */
export function refuseWhenFeedbacksWait({ feedbacks }: ClusterState): void {
  if (feedbacks.size >= FEEDBACKS_PENDING_MAX) throw new DomainError('busy', 'Earlier feedback has not reached every member yet')
}

/** Throws `limit_reached` if there is no room for a new member. */
export function refuseWhenClusterFull({ members }: ClusterState, sessionId: string): void {
  if (members.has(sessionId) || members.size < MEMBERS_MAX) return
  throw new DomainError('limit_reached', `A cluster holds at most ${String(MEMBERS_MAX)} members`)
}
