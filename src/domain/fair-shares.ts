/**
 * Which subjects rest, so that the work of lighter ones finds the event loop idle. That light work goes first is not enough: it comes in
 * many short steps, with a database or another node in between. Each of them waits for the piece of other work that has just begun, and
 * for whatever else that keeps the processors from. So a subject that uses more than its share rests while one is there that does not.
 * Alone, or among others that are as busy, a subject has all that there is.
 */
export interface FairShares {
  /**
   * Counts what a subject has used by `atMs`, monotonic milliseconds: part of it may be an estimate, and together it counts for no more
   * than has passed. For how many of them it rests now: 0 to 30.
   */
  use(subject: string, usedMs: number, atMs: number): number
}

/** Of the time of an event loop, what a subject may use while a lighter one is there. */
const SHARE = 1 / 3

/** Milliseconds of work that a subject may be ahead of its share, and behind it: some iterations of the event loop. */
const CREDIT_MS = 10

/**
 * Milliseconds for which a subject is there after its last work. Who asks again and again through several nodes comes to each of them
 * every few hundred; where they share processors, none of them may use up what the others need meanwhile.
 */
const PRESENT_MS = 500

interface Account {
  readonly creditMs: number
  readonly atMs: number
  /** Milliseconds that it may still have used: no more than have passed since it was opened. */
  readonly leftMs: number
}

/** A token bucket for each subject that is there. */
export function createFairShares(): FairShares {
  /** Those that used something last at the end. An account that is forgotten would be full by now: PRESENT_MS is longer than that takes. */
  const accounts = new Map<string, Account>()

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
      accounts.delete(subject)
      accounts.set(subject, { creditMs, atMs, leftMs: passedMs - countedMs })
      if (creditMs >= 0) return 0
      for (const other of accounts.values()) if (creditOf(other, atMs) >= 0) return -creditMs / SHARE
      return 0
    }
  }
}
