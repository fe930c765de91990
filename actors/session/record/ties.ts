/** Ties of a session to other actors. Stored beside its head, and not part of an export: a copy of a session has ties of its own. */
import type { Backing } from '../../../src/domain/commands/coordination-commands.js'
import { DEFAULT_USER } from '../../../src/domain/commands/network-commands.js'

interface Membership {
  readonly clusterId: string
  /** Epoch seconds at which it was last requested. */
  readonly since: number
}

/** Replaced, never mutated. */
export interface SessionTies {
  /** Kind of the actor that uses the session for its own purposes; null for a session of a client. */
  readonly backing: Backing | null
  /** Epoch seconds at which it was made; tells it from another one that had its id before. Absent where an earlier version made it. */
  readonly madeAt?: number
  /** User partition that was active when the session was created. */
  readonly partition: string
  /** At most MEMBERSHIPS_MAX, in the order they were added. */
  readonly memberships: readonly Membership[]
  /** Ids of the last deliveries that changed the session, newest last, at most DELIVERIES_MAX: a repeated one changes nothing. */
  readonly deliveries: readonly string[]
}

/** Upper bound on the clusters that a session belongs to: each is asked at every run. */
export const MEMBERSHIPS_MAX = 16

/** A delivery is repeated within seconds or, after a crash, as one of the last. Enough for two per cluster, and as many to spare. */
const DELIVERIES_MAX = 64

/** Ties of a session without any, and of one stored by a version without ties. */
export const NO_TIES: SessionTies = { backing: null, partition: DEFAULT_USER, memberships: [], deliveries: [] }

/** Whether another actor uses the session, or it belongs to a cluster. */
export function isTied({ backing, memberships }: SessionTies): boolean {
  return backing !== null || memberships.length > 0
}

export function hasDelivery({ ties }: { readonly ties: SessionTies }, id: string): boolean {
  return ties.deliveries.includes(id)
}

export function noteDelivery(state: { ties: SessionTies }, id: string): void {
  state.ties = { ...state.ties, deliveries: [...state.ties.deliveries, id].slice(-DELIVERIES_MAX) }
}

/** Returns the ties with this membership, in place of an earlier one of the same cluster. */
export function withMembership(ties: SessionTies, membership: Membership): SessionTies {
  const { clusterId } = membership
  const others = ties.memberships.filter((known) => known.clusterId !== clusterId)
  return { ...ties, memberships: [...others, membership] }
}

export function withoutMembership(ties: SessionTies, clusterId: string): SessionTies {
  if (!ties.memberships.some((known) => known.clusterId === clusterId)) return ties
  return { ...ties, memberships: ties.memberships.filter((known) => known.clusterId !== clusterId) }
}
