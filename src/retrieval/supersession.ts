/** What a newer memory puts in an older one's place: the same said again of something, with another value. */
import type { Memory, MemoryEntry } from '../domain/session.js'

/** Best memories among which it is looked for: those that a block of usual size may show. */
export const SUPERSESSION_LOOKED_MAX = 12

/** Content words of a text that are compared, the first ones. */
export const SUPERSESSION_TERMS_MAX = 24

/** Words that both have to hold, and their share of the shorter text: the matter is named by most of it, the value by the rest. */
const SHARED_MIN = 2
const SHARED_SHARE = 0.5

/** Distinct terms of a text. */
export type TermsOf = (entry: MemoryEntry) => readonly string[]

/** Whether the one says of the same matter something else than the other, later and by the same side. By places among the entries. */
export type Supersedes = (newer: number, older: number) => boolean

/** Reads each of the entries once. */
export function createSupersession(entries: readonly MemoryEntry[], termsOf: TermsOf): Supersedes {
  const words = entries.map(termsOf)
  const shared = sharedCounts(words)
  const memoryAt = (at: number): Memory => (entries[at] as MemoryEntry).memory
  const sizeAt = (at: number): number => (words[at] as readonly string[]).length
  return (newer, older) => {
    const [a, b] = [memoryAt(newer), memoryAt(older)]
    if (a.timestamp <= b.timestamp || a.role !== b.role || a.userId !== b.userId) return false
    const [left, right] = [sizeAt(newer), sizeAt(older)]
    const count = shared[newer]?.[older] ?? 0
    // Where nothing is new on one side a text adds to the other, or repeats it.
    if (count === left || count === right) return false
    return count >= SHARED_MIN && count >= SHARED_SHARE * Math.min(left, right)
  }
}

/** Of each two lists how many words stand in both. By the lists of each word: most stand in one alone, and are looked at once. */
function sharedCounts(lists: readonly (readonly string[])[]): Uint16Array[] {
  const shared = lists.map(() => new Uint16Array(lists.length))
  const holders = new Map<string, number[]>()
  for (const [at, words] of lists.entries()) {
    for (const word of words) {
      const known = holders.get(word)
      if (known === undefined) holders.set(word, [at])
      else known.push(at)
    }
  }
  for (const places of holders.values()) {
    if (places.length === 1) continue
    for (const at of places) {
      const row = shared[at] as Uint16Array
      for (const other of places) row[other] = (row[other] as number) + 1
    }
  }
  return shared
}
