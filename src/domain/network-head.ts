/** What the stored head of a network tells, also to those who do not ask the network itself. */

/** Written with every commit, so it stays small. Replaced, never mutated. */
export interface NetworkHead {
  readonly format: 1
  readonly activeUser: string
  /** Sessions that have been on a side of an accepted proposal. */
  readonly trustedCount: number
}

/** The user whose partition is active, as a record's head says. */
export function readActiveUser(head: unknown): string {
  return (head as NetworkHead).activeUser
}

/** Whether any session is trusted otherwise than initially, as a record's head says: without, no network has to know of a session's end. */
export function keepsTrust(head: unknown): boolean {
  return (head as NetworkHead).trustedCount > 0
}
