/** A session that an actor keeps for itself: whose it is, and what only that one may do. */
import { notFound } from '../../../src/domain/errors.js'
import type { SessionState } from './state.js'

/** Refuses unless the session is the shared one of a cluster. To the caller a cluster is missing, not a session. */
export function requireCluster({ ties }: SessionState): void {
  if (ties.backing !== 'cluster') throw notFound('Cluster')
}
