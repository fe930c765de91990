/**
 * One rate limit for all nodes: each counts for itself and tells the others soon after. No request waits for it. A node that is not heard
 * counts only what it sees, and is told everything once it is there again.
 */
import { DomainError } from '../../src/domain/errors.js'
import type { NodeName } from '../../src/domain/membership.js'
import { createRequestCounts, toToldCounts } from '../../src/domain/request-counts.js'
import type { Bus, Cancel, Clock } from '../../src/ports.js'
import type { Membership } from './membership.js'
import { countsTopic } from './topics.js'

/** Milliseconds in which what was counted is gathered into one message: four a second and node at most, however many requests there are. */
const TELL_MS = 250

/** Milliseconds for the receipt of a message, and the pause after none came. */
const RECEIPT_MS_MAX = 1_000
const PAUSE_MS = 1_000

export interface SharedCounts {
  /** Counts one request. Returns how many there were of the address in its window, on all nodes, as far as is known here. */
  count(address: string): number
  /** Takes what another node tells, and returns its receipt. Throws `malformed_payload`. */
  receive(body: unknown, from: string): null
}

export interface SharedCountsOptions {
  readonly bus: Pick<Bus, 'request'>
  readonly membership: Pick<Membership, 'self' | 'state' | 'members' | 'onChange'>
  readonly clock: Clock
}

/** Another node, as far as it was told. */
interface Peer extends NodeName {
  /** Of `RequestCounts.since`. */
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
      // The name of a process's first incarnation stays its own.
      run ||= membership.self.incarnation
      peers = new Map(others().map((name) => [name.nodeId, known(name)]))
      for (const peer of peers.values()) if (isBehind(peer) && !peer.isBeingTold) void tell(peer)
    })
  }

  function others(): readonly NodeName[] {
    return membership.members().filter(({ nodeId, isGone }) => nodeId !== membership.self.nodeId && !isGone)
  }

  /** A node that was away may be another process: it is told everything, which changes nothing where it is known already. */
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
      // Whatever the reason: it is told again what it has not confirmed.
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
      const told = toToldCounts(body)
      // Only members: each address keeps one share for each of them.
      if (told === null || !others().some(({ nodeId }) => nodeId === from)) throw new DomainError('malformed_payload', 'No node tells this')
      counts.hear(from, told, clock.monotonicMs())
      return null
    }
  }
}
