/** Single-use tickets for the debug stream. Each lives in the memory of the process that issued it. Interface, Authentication 8. */
import { createHash } from 'node:crypto'
import type { Clock, Secrets } from '../ports.js'

/** Interface, Limits: debug ticket lifetime. */
export const TICKET_LIFETIME_S = 60

/** Maximum unused tickets per subject: one per open window. */
export const TICKETS_MAX = 16

export interface Tickets {
  /** Issues a ticket. Above TICKETS_MAX the subject's oldest one is revoked. */
  issue(subject: string): string
  /** Redeems a ticket and returns its subject; null when it is unknown, used or expired. Of two racing calls one succeeds. */
  redeem(ticket: string): string | null
  /** Like `redeem`, for a node that knows only the ticket's hash, as `hashOfTicket` returns it. */
  redeemHash(hash: string): string | null
}

interface Issued {
  readonly subject: string
  /** Monotonic milliseconds. */
  readonly endsAtMs: number
}

/** Keeps only hashes, so a copy of the memory opens no stream. */
export function createTickets({ clock, secrets }: { clock: Clock; secrets: Secrets }): Tickets {
  // One lifetime for all and a monotonic clock: insertion order is also the order of expiry.
  const issued = new Map<string, Issued>()

  function dropExpired(): void {
    const nowMs = clock.monotonicMs()
    for (const [hash, { endsAtMs }] of issued) {
      if (endsAtMs > nowMs) return
      issued.delete(hash)
    }
  }

  return {
    issue(subject) {
      dropExpired()
      const own = [...issued].filter(([, ticket]) => ticket.subject === subject)
      const oldest = own[0]
      if (own.length >= TICKETS_MAX && oldest !== undefined) issued.delete(oldest[0])
      const ticket = secrets.secret()
      issued.set(hashOfTicket(ticket), { subject, endsAtMs: clock.monotonicMs() + TICKET_LIFETIME_S * 1000 })
      return ticket
    },
    redeem: (ticket) => redeemHash(hashOfTicket(ticket)),
    redeemHash
  }

  function redeemHash(hash: string): string | null {
    dropExpired()
    const found = issued.get(hash)
    issued.delete(hash)
    return found?.subject ?? null
  }
}

/** Hash of a ticket, which a node may tell other nodes: it cannot be used in place of the ticket. */
export function hashOfTicket(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url')
}
