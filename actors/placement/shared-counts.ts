/**
 * Request counts for a rate limit across all nodes: each node counts for itself and tells the others soon after. No request waits for it. A
 * node that is cut off counts only its own requests, and is told all others once it is back.
 */
import { DomainError } from '../../src/domain/errors.js'
import type { NodeName } from '../../src/domain/nodes/membership.js'
import { createRequestCounts, toCountsReport } from '../../src/domain/fairness/request-counts.js'
import type { Bus, Cancel, Clock } from '../../src/ports.js'
import type { Membership } from './membership.js'
import { countsTopic } from './topics.js'

/** Milliseconds in which counts are gathered into one message: at most four per second and node, regardless of the number of requests. */
const TELL_MS = 250

/** Milliseconds for the receipt of a message, and the pause when none came. */
const RECEIPT_MS_MAX = 1_000
const PAUSE_MS = 1_000

export interface SharedCounts {
  /** Counts one request. Returns the number of requests of the address in its window, on all nodes, as far as known here. */
  count(address: string): number
  /** Adds the counts that another node sent. Returns the receipt. Throws `malformed_payload`. */
  receive(body: unknown, from: string): null
}

interface SharedCountsOptions {
  readonly bus: Pick<Bus, 'request'>
  readonly membership: Pick<Membership, 'self' | 'state' | 'members' | 'onChange'>
  readonly clock: Clock
}

/** Another node, with the progress of telling it. */
interface Peer extends NodeName {
  /** Mark from `RequestCounts.since` up to which it was told. */
  mark: number
  isBeingTold: boolean
  restsUntilMs: number
}

export function createSharedCounts({ bus, membership, clock }: SharedCountsOptions): SharedCounts {
  const counts = createRequestCounts()
  let peers = new Map<string, Peer>()
  let run = ''
  let cancel: Cancel | null = null

  function tellSoon(): void {
    cancel ??= clock.after(TELL_MS, () => {
      cancel = null
      // The first incarnation identifies this process to the others, also after later ones.
      run ||= membership.self.incarnation
      peers = new Map(others().map((name) => [name.nodeId, known(name)]))
      for (const peer of peers.values()) if (isBehind(peer) && !peer.isBeingTold) void tell(peer)
    })
  }

  function others(): readonly NodeName[] {
    return membership.members().filter(({ nodeId, isGone }) => nodeId !== membership.self.nodeId && !isGone)
  }

  /** Returns the peer of an incarnation. A new one may be another process, and is told everything: repeated counts change nothing. */
  function known({ nodeId, incarnation }: NodeName): Peer {
    const peer = peers.get(nodeId)
    return peer?.incarnation === incarnation ? peer : { nodeId, incarnation, mark: 0, isBeingTold: false, restsUntilMs: -Infinity }
  }

  function isBehind({ mark }: Peer): boolean {
    return mark < counts.latest
  }

  async function tell(peer: Peer): Promise<void> {
    if (clock.monotonicMs() < peer.restsUntilMs) {
      tellSoon()
      return
    }
    peer.isBeingTold = true
    const until = counts.latest
    try {
      while (peer.mark < until && membership.state !== 'left') {
        const untold = counts.since(peer.mark, clock.monotonicMs())
        if (untold.counts.length > 0) await bus.request(countsTopic(peer), { run, counts: untold.counts }, { deadlineMs: RECEIPT_MS_MAX })
        peer.mark = untold.mark
      }
    } catch {
      // For any failure: counts that were not confirmed are sent again.
      peer.restsUntilMs = clock.monotonicMs() + PAUSE_MS
    }
    peer.isBeingTold = false
    if (isBehind(peer) && peers.get(peer.nodeId) === peer && membership.state !== 'left') tellSoon()
  }

  membership.onChange(() => {
    if (membership.state !== 'left') return tellSoon()
    cancel?.()
    cancel = null
  })

  return {
    count(address) {
      tellSoon()
      return counts.count(address, clock.monotonicMs())
    },
    receive(body, from) {
      const report = toCountsReport(body)
      // Only from members: each address keeps one count per member.
      if (report === null || !others().some(({ nodeId }) => nodeId === from))
        throw new DomainError('malformed_payload', 'No node tells this')
      counts.hear(from, report, clock.monotonicMs())
      return null
    }
  }
}
