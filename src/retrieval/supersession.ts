/** What a newer memory puts in an older one's place: the same said again of something, with another value. */
import type { Memory, MemoryEntry } from '../domain/session.js'

/** Best memories among which it is looked for: those that a block of usual size may show. */
export const SUPERSESSION_LOOKED_MAX = 12

/** Content words of a text that are compared, the first ones. */
export const SUPERSESSION_TERMS_MAX = 24

/**
 * Words that both have to hold, and their share of the shorter text: the matter is named by most of it, the value by the rest. One word is
 * enough where the query asks for it.
 */
const SHARED_MIN = 2
const SHARED_SHARE = 0.5

/** Whether so many shared words of two texts name one matter; `shorter` are the words of the shorter one. */
export function nameOneMatter(shared: number, shorter: number, sharedMin = SHARED_MIN): boolean {
  return shared >= sharedMin && shared >= SHARED_SHARE * shorter
}

/** Distinct terms of a text. */
export type TermsOf = (entry: MemoryEntry) => readonly string[]

/** Whether the one says of the same matter something else than the other, later and by the same side. By places among the entries. */
export type Supersedes = (newer: number, older: number) => boolean

export interface SupersessionOptions {
  readonly termsOf: TermsOf
  /** Terms of the query: what an older text holds of them a newer one has to hold as well. */
  readonly asked: ReadonlyMap<string, unknown>
}

/** Reads each of the entries once. */
export function createSupersession(entries: readonly MemoryEntry[], { termsOf, asked }: SupersessionOptions): Supersedes {
  const { all, words, ofQuery } = sharedTerms(entries.map(termsOf), asked)
  const memoryAt = (at: number): Memory => (entries[at] as MemoryEntry).memory
  return (newer, older) => {
    const [a, b] = [memoryAt(newer), memoryAt(older)]
    if (a.timestamp <= b.timestamp || a.role !== b.role || a.userId !== b.userId) return false
    const both = all.of(newer, older)
    // Where nothing is new on one side a text adds to the other, or repeats it.
    if (both === all.of(newer, newer) || both === all.of(older, older)) return false
    // What is asked for and stands in the older one alone tells the two apart.
    const bothAsked = ofQuery.of(newer, older)
    if (bothAsked < ofQuery.of(older, older)) return false
    const shorter = Math.min(words.of(newer, newer), words.of(older, older))
    return nameOneMatter(words.of(newer, older), shorter, bothAsked > 0 ? 1 : SHARED_MIN)
  }
}

/** Of any two lists how many terms stand in both; of one and itself, how many it has. */
class SharedCounts {
  private readonly counts: Uint16Array

  constructor(private readonly lists: number) {
    this.counts = new Uint16Array(lists * lists)
  }

  /** Counts a term that stands in these lists. */
  add(holders: readonly number[]): void {
    for (const a of holders) for (const b of holders) this.counts[a * this.lists + b] = this.of(a, b) + 1
  }

  of(a: number, b: number): number {
    return this.counts[a * this.lists + b] as number
  }
}

/** What lists have in common: terms, those without a digit, and those of the query. By the lists of each term. */
function sharedTerms(lists: readonly (readonly string[])[], asked: ReadonlyMap<string, unknown>) {
  const holders = new Map<string, number[]>()
  for (const [at, terms] of lists.entries()) {
    for (const term of terms) {
      const known = holders.get(term)
      if (known === undefined) holders.set(term, [at])
      else known.push(at)
    }
  }
  const shared = { all: new SharedCounts(lists.length), words: new SharedCounts(lists.length), ofQuery: new SharedCounts(lists.length) }
  for (const [term, places] of holders) {
    shared.all.add(places)
    // Numbers are what is said of a matter, or when.
    if (!/\d/.test(term)) shared.words.add(places)
    if (asked.has(term)) shared.ofQuery.add(places)
  }
  return shared
}
