/**
 * Sagas of a session: changes of other actors before its own step. An interrupted saga is repeated: each change is idempotent, and the
 * session's record is removed last.
 */
import { type Address, ONLY_ONE } from '../../../src/domain/address.js'
import type { Backing, RemoveMembership } from '../../../src/domain/commands/coordination-commands.js'
import type { DeleteSession } from '../../../src/domain/commands/session-commands.js'
import { DomainError, notFound } from '../../../src/domain/errors.js'
import { ownerIdOf } from '../../../src/domain/meta-session.js'
import { keepsTrust } from '../../../src/domain/network-head.js'
import { unlessRefused, untilNotBusy } from '../../asking/answers.js'
import type { Ask } from '../../asking/ask.js'
import { fanOut } from '../../asking/fan-out.js'
import type { PrepareMeta } from '../../behaviour/behaviour.js'
import { refuseUnlessLeft } from '../record/backing.js'
import type { SessionState } from '../record/state.js'
import type { SessionTies } from '../record/ties.js'
import { type InquiryOptions, storedNetwork, WITHIN } from './inquiries.js'

const KEPT: Readonly<Record<Backing, string>> = {
  cluster: 'Session belongs to a cluster: delete the cluster',
  region: 'Session belongs to a region: delete the region',
  observer: 'Session belongs to the observer, which keeps it'
}

export interface SagaOptions extends InquiryOptions {
  /** See `askingAnew`. */
  readonly askAnew: Ask
}

/** Has a session that is to be deleted leave whatever it belongs to. Resolves to its memberships, which have ended at their clusters. */
export async function leaveAll(options: SagaOptions, state: SessionState, command: DeleteSession): Promise<SessionTies['memberships']> {
  if (command.isLeft === true) refuseUnlessLeft(state)
  else if (command.isByOwner !== true) await refuseWhenKept(options, state)
  else if (state.ties.backing === null) throw notFound('Session')
  const { memberships } = state.ties
  await takeLeave(options, state)
  return memberships
}

/** Throws `busy` while a cluster has not heard what was deleted here: that would go with the record, and what was shared would stay. */
export function refuseWhileUntold({ isUntold }: Pick<PrepareMeta, 'isUntold'>): void {
  if (isUntold?.('exchange.unlearn') !== true) return
  throw new DomainError('busy', 'What was deleted in the session has not reached its clusters yet')
}

/**
 * Resolves to a membership that is said to be stale, if its cluster says that the session is no member. Rejects with `busy` while it is
 * being added.
 */
export async function endedMemberships(
  { ask }: InquiryOptions,
  { address, ties }: SessionState,
  { clusterId, isStale }: RemoveMembership
): Promise<SessionTies['memberships']> {
  if (isStale !== true) return []
  const known = ties.memberships.filter((membership) => membership.clusterId === clusterId)
  if (known.length === 0) return known
  const { subject, id: sessionId } = address
  const asked = ask({ kind: 'cluster', subject, id: clusterId }, { type: 'cluster.checkMember', sessionId }, WITHIN)
  return (await unlessRefused(asked, ['cluster_missing']))?.isMember === true ? [] : known
}

/** Throws `in_use` while the actor that uses the session exists. A session whose owner was never created can be deleted. */
async function refuseWhenKept({ ask }: InquiryOptions, { address, ties }: SessionState): Promise<void> {
  if (ties.backing === null) return
  const asked = askOwner(ask, address, ties.backing)
  const found = await unlessRefused(asked, ['cluster_missing', 'region_missing', 'observer_missing'])
  if (found !== null) throw new DomainError('in_use', KEPT[ties.backing])
}

/**
 * Removes the session from its clusters and from the network's trust. A deletion that is done again asks anew: the session may have joined
 * again, or voted, since its first try left.
 */
async function takeLeave(options: SagaOptions, { address, ties }: SessionState): Promise<void> {
  const { askAnew: ask, clock } = options
  const { subject, id: sessionId } = address
  await fanOut(ties.memberships, clock, async ({ clusterId }) => {
    await unlessRefused(ask({ kind: 'cluster', subject, id: clusterId }, { type: 'cluster.dropMember', sessionId }, WITHIN), [
      'cluster_missing'
    ])
  })
  const network = await storedNetwork(options, subject)
  if (network === null || !keepsTrust(network.head)) return
  const drop = () => ask({ kind: 'network', subject, id: ONLY_ONE }, { type: 'network.dropSession', sessionId }, WITHIN)
  // Retried while busy: a subject that deletes all its sessions at once sends more commands than one mailbox holds.
  await unlessRefused(untilNotBusy(drop, clock), ['user_missing'])
}

/** Asks the owner of a session. Resolves to a value other than null if it exists and has the session. Rejects if there is no owner. */
async function askOwner(ask: Ask, { subject, id }: Address, backing: Backing): Promise<unknown> {
  switch (backing) {
    case 'cluster':
      return ask({ kind: 'cluster', subject, id }, { type: 'cluster.checkMember', sessionId: id }, WITHIN)
    case 'region':
      return ask({ kind: 'region', subject, id: ownerIdOf(id) }, { type: 'region.sample' }, WITHIN)
    case 'observer': {
      // A subject has one observer at a time: the session may belong to an earlier one.
      const { observerId } = await ask({ kind: 'observer', subject, id: ONLY_ONE }, { type: 'observer.summary' }, WITHIN)
      return observerId === ownerIdOf(id) ? observerId : null
    }
  }
}
