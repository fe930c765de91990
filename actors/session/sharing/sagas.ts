/**
 * What a session changes at others before its own step. A saga that was cut short is asked for again and finds what is done: each change is
 * idempotent, and the session's record goes last.
 */
import { ONLY_ONE } from '../../../src/domain/address.js'
import type { Backing } from '../../../src/domain/commands/coordination-commands.js'
import type { SessionCommand } from '../../../src/domain/commands/session-commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import { ownerIdOf } from '../../../src/domain/meta-session.js'
import { keepsTrust } from '../../../src/domain/network-head.js'
import { unlessRefused, untilNotBusy } from '../../asking/answers.js'
import type { Ask } from '../../asking/ask.js'
import { fanOut } from '../../asking/fan-out.js'
import type { SessionState } from '../record/state.js'
import { type InquiryOptions, storedNetwork } from './inquiries.js'

/** Milliseconds for the answer of another actor; a command's own deadline is longer. */
const DEPARTURE_MS_MAX = 10_000

const KEPT: Readonly<Record<Backing, string>> = {
  cluster: 'Session belongs to a cluster: delete the cluster',
  region: 'Session belongs to a region: delete the region',
  observer: 'Session belongs to the observer, which keeps it'
}

/** Everything that a command has to do elsewhere before its step. */
export async function carryOut(options: InquiryOptions, state: SessionState, command: SessionCommand): Promise<void> {
  if (command.type !== 'session.delete') return
  if (command.isByOwner !== true) await refuseWhenKept(options, state)
  await takeLeave(options, state)
}

/** Refuses with `in_use` while the actor lives that keeps the session. One whose owner never came to be is kept by nobody. */
async function refuseWhenKept({ ask }: InquiryOptions, { address, ties }: SessionState): Promise<void> {
  if (ties.backing === null) return
  const { subject, id } = address
  const asked = askOwner({ ask, backing: ties.backing, subject, ownerId: ties.backing === 'cluster' ? id : ownerIdOf(id) })
  const found = await unlessRefused<unknown>(asked, ['cluster_missing', 'region_missing', 'observer_missing'])
  if (found !== null) throw new DomainError('in_use', KEPT[ties.backing])
}

/** Takes the session out of its clusters and of the network's trust, so that nobody counts on it any more. */
async function takeLeave(options: InquiryOptions, { address, ties }: SessionState): Promise<void> {
  const { ask, clock } = options
  const { subject, id: sessionId } = address
  const within = { deadlineMs: DEPARTURE_MS_MAX }
  await fanOut(ties.memberships, clock, async ({ clusterId }) => {
    await unlessRefused(ask({ kind: 'cluster', subject, id: clusterId }, { type: 'cluster.dropMember', sessionId }, within), [
      'cluster_missing'
    ])
  })
  const network = await storedNetwork(options, subject)
  if (network === null || !keepsTrust(network.head)) return
  const drop = () => ask({ kind: 'network', subject, id: ONLY_ONE }, { type: 'network.dropSession', sessionId }, within)
  // A subject that deletes all its sessions at once has more of them than one mailbox holds.
  await unlessRefused(untilNotBusy(drop, clock), ['user_missing'])
}

/** Anything but null from an owner that lives and has the session. Rejects when there is none. */
async function askOwner({
  ask,
  backing,
  subject,
  ownerId
}: {
  ask: Ask
  backing: Backing
  subject: string
  ownerId: string
}): Promise<unknown> {
  const within = { deadlineMs: DEPARTURE_MS_MAX }
  switch (backing) {
    case 'cluster':
      return ask({ kind: 'cluster', subject, id: ownerId }, { type: 'cluster.checkMember', sessionId: ownerId }, within)
    case 'region':
      return ask({ kind: 'region', subject, id: ownerId }, { type: 'region.sample' }, within)
    case 'observer': {
      // A subject has one observer at a time, and the session may be that of an earlier one.
      const { observerId } = await ask({ kind: 'observer', subject, id: ONLY_ONE }, { type: 'observer.summary' }, within)
      return observerId === ownerId ? observerId : null
    }
  }
}
