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

/** Whether `newer` says of the same matter something else than `older`, later and by the same side. */
export function supersedes(newer: MemoryEntry, older: MemoryEntry, termsOf: TermsOf): boolean {
  const [a, b] = [newer.memory, older.memory]
  if (a.timestamp <= b.timestamp || a.role !== b.role || a.userId !== b.userId) return false
  const [left, right] = [termsOf(newer), termsOf(older)]
  const known = new Set(right)
  const shared = left.filter((term) => known.has(term)).length
  // Where nothing is new on one side a text adds to the other, or repeats it.
  if (shared === left.length || shared === right.length) return false
  return shared >= SHARED_MIN && shared >= SHARED_SHARE * Math.min(left.length, right.length)
}
