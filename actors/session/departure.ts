/** What has to be said before a session ends: to who keeps it, and to those it belongs to. */
import { fanOut } from '../fan-out.js'
import { ONLY_ONE } from '../../src/domain/address.js'
import type { Backing } from '../../src/domain/coordination-commands.js'
import { DomainError, isDomainError, type ErrorCode } from '../../src/domain/errors.js'
import type { InquiryOptions } from './inquiries.js'
import type { SessionState } from './state.js'

/** Milliseconds for the answer of another actor; a command's own deadline is longer. */
const DEPARTURE_MS_MAX = 10_000

/** A meta-session is named after what it belongs to. */
const META_PREFIX = 'meta-'

const KEPT: Readonly<Record<Backing, string>> = {
  cluster: 'Session belongs to a cluster: delete the cluster',
  region: 'Session belongs to a region: delete the region',
  observer: 'Session belongs to the observer, which keeps it',
}

/** Answers that mean: whoever was to be told is gone, and all is well. */
const GONE: ReadonlySet<ErrorCode> = new Set(['cluster_missing', 'region_missing', 'observer_missing', 'member_missing', 'user_missing', 'session_missing'])

/** Refuses with `in_use` while the actor lives that keeps the session. Of one whose owner never came to be, nobody asks. */
export async function refuseWhenKept({ ask }: InquiryOptions, { address, ties }: SessionState): Promise<void> {
  if (ties.backing === null) return
  const within = { deadlineMs: DEPARTURE_MS_MAX }
  const { subject, id } = address
  const ownId = id.startsWith(META_PREFIX) ? id.slice(META_PREFIX.length) : id
  const isKept = {
    cluster: async () => (await ask({ kind: 'cluster', subject, id }, { type: 'cluster.checkMember', sessionId: id }, within), true),
    region: async () => (await ask({ kind: 'region', subject, id: ownId }, { type: 'region.sample' }, within), true),
    observer: async () => (await ask({ kind: 'observer', subject, id: ONLY_ONE }, { type: 'observer.summary' }, within)).observerId === ownId,
  }[ties.backing]
  if (await isKept().catch(gone(false))) throw new DomainError('in_use', KEPT[ties.backing])
}

/** Takes the session out of its clusters. */
export async function leaveClusters({ ask, clock }: InquiryOptions, { address, ties }: SessionState): Promise<void> {
  const { subject, id: sessionId } = address
  await fanOut(ties.memberships, clock, async ({ clusterId }) => {
    await ask({ kind: 'cluster', subject, id: clusterId }, { type: 'cluster.dropMember', sessionId }, { deadlineMs: DEPARTURE_MS_MAX }).catch(gone(null))
  })
}

function gone<Answer>(answer: Answer): (error: unknown) => Answer {
  return (error) => {
    if (isDomainError(error) && GONE.has(error.code)) return answer
    throw error
  }
}
