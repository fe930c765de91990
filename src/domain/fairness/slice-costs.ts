/**
 * How much of a slice of a shared processor's time is charged. Work is done in pieces of a few milliseconds; an occasional longer slice is
 * due to the garbage collector, the compiler or another process, not to a subject. Charged in full, a pause of 50 ms in a slice of one of a
 * hundred subjects would make it wait until each of the others has worked for 50 ms more.
 */
interface SliceCosts {
  /**
   * Milliseconds charged, at most `usedMs`, for a slice of the subject that took `usedMs` and ended at `atMs`, in monotonic milliseconds.
   */
  of(subject: string, usedMs: number, atMs: number): number
}

/** Milliseconds of a slice that are always charged. */
const COUNTED_MS = 8

/** Milliseconds beyond that are waived, and the interval within which that happens once per subject. */
const PARDON_MS_MAX = 100
const PARDON_EVERY_MS = 1_000

export function createSliceCosts(): SliceCosts {
  /** Time of each subject's last waiver, oldest first. Expired ones are dropped. */
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
