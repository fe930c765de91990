/**
 * Decides how long busy subjects pause, so that the work of lighter ones finds the event loop idle. Priority alone is not enough: light
 * work consists of many short steps, with a database or another node in between, and each step waits for the piece of other work that has
 * just begun, and for whatever else that work keeps from the processors. So a subject that uses more than its share pauses while a lighter
 * one is present. Alone, or among equally busy ones, a subject may use everything.
 */
interface FairShares {
  /**
   * Records that a subject has used `usedMs` by `atMs`, monotonic milliseconds. It may be an estimate; in sum no more is counted than time
   * has passed. Returns the milliseconds for which the subject pauses now, 0 to 50.
   */
  use(subject: string, usedMs: number, atMs: number): number
}

/** Share of an event loop's time that a subject may use while a lighter one is present. */
const SHARE = 1 / 5

/** Milliseconds that a subject may be ahead of or behind its share: some iterations of the event loop. */
const CREDIT_MS = 10

/**
 * Milliseconds that a subject counts as present after its last work. Sequential requests over several nodes reach each node every few
 * hundred milliseconds; where nodes share processors, none may use up what the others need meanwhile.
 */
const PRESENT_MS = 500

interface Account {
  readonly creditMs: number
  readonly atMs: number
  /** Milliseconds that may still be counted: no more than have passed since the account was opened. */
  readonly leftMs: number
}

/** Token bucket per present subject. */
export function createFairShares(): FairShares {
  /** Accounts, the last used at the end. An account can be dropped after PRESENT_MS, since it would be full by then. */
  const accounts = new Map<string, Account>()
  let latest: string | null = null

  function creditOf(account: Account | undefined, atMs: number): number {
    return account === undefined ? CREDIT_MS : Math.min(CREDIT_MS, account.creditMs + (atMs - account.atMs) * SHARE)
  }
  function forget(beforeMs: number): void {
    for (const [subject, { atMs }] of accounts) {
      if (atMs >= beforeMs) return
      accounts.delete(subject)
    }
  }

  return {
    use(subject, usedMs, atMs) {
      forget(atMs - PRESENT_MS)
      const account = accounts.get(subject)
      const passedMs = account === undefined ? usedMs : account.leftMs + atMs - account.atMs
      const countedMs = Math.min(usedMs, passedMs)
      const creditMs = Math.max(-CREDIT_MS, creditOf(account, atMs) - countedMs)
      // Moving the only entry of a map to its end makes V8 allocate a new table.
      if (subject !== latest) accounts.delete(subject)
      latest = subject
      accounts.set(subject, { creditMs, atMs, leftMs: passedMs - countedMs })
      if (creditMs >= 0) return 0
      for (const other of accounts.values()) if (creditOf(other, atMs) >= 0) return -creditMs / SHARE
      return 0
    }
  }
}
