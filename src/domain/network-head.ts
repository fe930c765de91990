/** The stored head of a network, also for readers that do not ask the network itself. */

/** Written with every commit, so keep it small. Replaced, never mutated. */
export interface NetworkHead {
  readonly format: 1
  readonly activeUser: string
  /** Sessions that have taken a side on an accepted proposal. */
  readonly trustedCount: number
}

/** The active user, from a record's head. */
export function readActiveUser(head: unknown): string {
  return (head as NetworkHead).activeUser
}

/**
 * Whether any session's trust differs from the initial one, from a record's head. If not, the network need not learn of a session's end.
 */
export function keepsTrust(head: unknown): boolean {
  return (head as NetworkHead).trustedCount > 0
}
