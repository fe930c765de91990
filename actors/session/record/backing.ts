/** Access to sessions that another actor uses for its own purposes. */
import { notFound } from '../../../src/domain/errors.js'
import type { SessionState } from './state.js'

/** Throws unless the session is the shared one of a cluster: for the caller the cluster is missing, not the session. */
export function requireCluster({ ties }: SessionState): void {
  if (ties.backing !== 'cluster') throw notFound('Cluster')
}
