/** What a newer memory puts in an older one's place: the same said again of something, with another value. */
import type { MemoryEntry } from '../domain/session.js'

/** Best memories among which it is looked for: those that a block of usual size may show. */
export const SUPERSESSION_LOOKED_MAX = 12

/** Content words of a text that are compared, the first ones. */
export const SUPERSESSION_TERMS_MAX = 24

/** Words that both have to hold, and their share of the shorter text: the matter is named by most of it, the value by the rest. */
const SHARED_MIN = 2
const SHARED_SHARE = 0.5

export type TermsOf = (entry: MemoryEntry) => readonly string[]

/**
 * Tells for some memories whether `newer` says of the same matter something else than `older`, later and by the same side. Each is read
 * once, however many it is compared with.
 */
export function createSupersession(termsOf: TermsOf): (newer: MemoryEntry, older: MemoryEntry) => boolean {
  const known = new Map<MemoryEntry, ReadonlySet<string>>()
  const wordsOf = (entry: MemoryEntry): ReadonlySet<string> => {
    const words = known.get(entry) ?? new Set(termsOf(entry))
    known.set(entry, words)
    return words
  }
  return (newer, older) => {
    const [a, b] = [newer.memory, older.memory]
    if (a.timestamp <= b.timestamp || a.role !== b.role || a.userId !== b.userId) return false
    const [left, right] = [wordsOf(newer), wordsOf(older)]
    let shared = 0
    for (const word of left) if (right.has(word)) shared += 1
    // Where nothing is new on one side a text adds to the other, or repeats it.
    if (shared === left.size || shared === right.size) return false
    return shared >= SHARED_MIN && shared >= SHARED_SHARE * Math.min(left.size, right.size)
  }
}
