/** Memberships of a session in clusters. */
import type { AddMembership, CoordinationReplies, RemoveMembership } from '../../../src/domain/commands/coordination-commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import { MEMBERSHIPS_MAX, withMembership, withoutMembership } from '../record/ties.js'
import type { Work } from '../record/work.js'

/** Adds a membership. Throws if the cluster has another dimension or model: vectors of two models must not be mixed. */
export function addMembership({ state, now }: Work, command: AddMembership): CoordinationReplies['membership.add'] {
  const { clusterId, dimension, modelName } = command
  const { settings } = state.head
  if (clusterId === state.address.id) throw unfit('The session backs this cluster, and cannot be a member of it')
  if (settings.dimension !== dimension) throw unfit(`The session has dimension ${settings.dimension}, and the cluster ${dimension}`)
  if (settings.modelName !== modelName) throw unfit('The session has another embedding model than the cluster')
  const ties = withMembership(state.ties, { clusterId, since: now })
  if (ties.memberships.length > MEMBERSHIPS_MAX) {
    throw new DomainError('limit_reached', `Session belongs to ${MEMBERSHIPS_MAX} clusters, which is the most it can belong to`)
  }
  state.ties = ties
  return { added: true }
}

/** Removes a membership, a stale one only if that has ended at the cluster. Throws `busy` if it was added again since. */
export function removeMembership(
  { state, prepared: { ended } }: Work,
  { clusterId, isStale }: RemoveMembership
): CoordinationReplies['membership.remove'] {
  const known = state.ties.memberships.find((membership) => membership.clusterId === clusterId)
  if (known === undefined || (isStale === true && ended.length === 0)) return { removed: true }
  if (isStale === true && !ended.includes(known)) throw new DomainError('busy', 'The session is being added at the moment')
  state.ties = withoutMembership(state.ties, clusterId)
  return { removed: true }
}

function unfit(message: string): DomainError {
  return new DomainError('invalid_input', message, { loc: ['session_id'] })
}
