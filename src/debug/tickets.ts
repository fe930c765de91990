/** Single-use tickets for the debug stream. Each lives in the memory of the process that issued it. Interface, Authentication 8. */
import { createHash } from 'node:crypto'
import type { Clock, Secrets } from '../ports.js'

/** Interface, Limits: debug ticket lifetime. */
export const TICKET_LIFETIME_S = 60

/** Tickets of one subject that wait to be used: a page open in that many windows. */
export const TICKETS_MAX = 16

export interface Tickets {
  /** A new ticket. Of more than TICKETS_MAX the oldest of the subject ends. */
  issue(subject: string): string
  /** The subject of a ticket, which ends thereby; null for one that is unknown, used or expired. One of two racing calls gets it. */
  redeem(ticket: string): string | null
  /** The same for a node that knows only the ticket's hash, as `hashOfTicket` makes it. */
  redeemHash(hash: string): string | null
}

interface Issued {
  readonly subject: string
  /** Monotonic milliseconds. */
  readonly endsAtMs: number
}

/** Holds hashes only: a copy of the memory opens no stream. */
export function createTickets({ clock, secrets }: { clock: Clock; secrets: Secrets }): Tickets {
  // A lifetime for all and a clock that only grows: the order of insertion is that of the ends.
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

/** What a node may tell another one of a ticket: nobody can come in with it. */
export function hashOfTicket(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url')
}
