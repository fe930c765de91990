/** Access to sessions that another actor uses for its own purposes. */
import { DomainError, notFound } from '../../../src/domain/errors.js'
import type { SessionState } from './state.js'

/** Throws unless the session is the shared one of a cluster: for the caller the cluster is missing, not the session. */
export function requireCluster({ ties }: SessionState): void {
  if (ties.backing !== 'cluster') throw notFound('Cluster')
}

/** Throws `already_exists` unless the session was made for a cluster and nobody has used it. */
export function refuseUnlessLeft({ ties, head, corpus }: SessionState): void {
  if (ties.backing !== 'cluster' || head.interactionCount > 0 || corpus.size > 0) {
    throw new DomainError('already_exists', 'Session already exists')
  }
}
