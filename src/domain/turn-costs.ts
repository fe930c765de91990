/**
 * What turns of a shared processor count for. Work is done in pieces of a few milliseconds; what takes longer now and then is the
 * collector's, the compiler's, or another process that was given the processor, and nobody's in particular. Counted in full, a pause of
 * 50 ms in a turn of one of a hundred subjects would have it wait until each of the others has worked for 50 ms more.
 */
export interface TurnCosts {
  /** What a turn of the subject that took `usedMs`, and ended at `atMs`, monotonic milliseconds, counts for: no more than it took. */
  of(subject: string, usedMs: number, atMs: number): number
}

/** Milliseconds of a turn that always count. */
const COUNTED_MS = 8

/** Milliseconds beyond that a subject is let off, once in so many. */
const PARDON_MS_MAX = 100
const PARDON_EVERY_MS = 1_000

export function createTurnCosts(): TurnCosts {
  /** When each subject was let off last; those that may be again are forgotten. Oldest first. */
  const pardons = new Map<string, number>()
  return {
    of(subject, usedMs, atMs) {
      if (usedMs <= COUNTED_MS) return usedMs
      for (const [other, pardonedAtMs] of pardons) {
        if (atMs - pardonedAtMs < PARDON_EVERY_MS) break
        pardons.delete(other)
      }
      if (pardons.has(subject)) return usedMs
      pardons.set(subject, atMs)
      return Math.max(COUNTED_MS, usedMs - PARDON_MS_MAX)
    }
  }
}
