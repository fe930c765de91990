/** What a newer memory puts in an older one's place: the same said again of something, with another value. */
import type { Memory, MemoryEntry } from '../domain/session.js'
import { subjectOfCorrection } from '../domain/text/change-marks.js'
import { contentTerms } from '../domain/text/terms.js'
import { isStateTerm } from '../domain/words/state-changes.js'
import { type Asked, createTellsChange, type Told } from './told-changes.js'

/** Best memories among which it is looked for: those that a block of usual size may show. */
export const SUPERSESSION_LOOKED_MAX = 12

/** Content words of a text that are compared, the first ones. */
export const SUPERSESSION_TERMS_MAX = 24

/**
 * Words that both have to hold, and their share of the shorter text: the matter is named by most of it, the value by the rest. One word is
 * enough where the query asks for it, unless it is a verb of a state ("I work at …", "I drive to work").
 */
const SHARED_MIN = 2
const SHARED_SHARE = 0.5

/** Whether so many shared words of two texts name one matter; `shorter` are the words of the shorter one. */
export function nameOneMatter(shared: number, shorter: number, sharedMin = SHARED_MIN): boolean {
  return shared >= sharedMin && shared >= SHARED_SHARE * shorter
}

/** Distinct terms of a text. */
export type TermsOf = (entry: MemoryEntry) => readonly string[]

/**
 * Share of the older text's score from which the newer one is put before it, null where it does not supersede it: what a text says itself
 * needs less likeness. By places among the candidates.
 */
export type Supersedes = (newer: number, older: number) => number | null

const SHARES = { sameMatter: 0.5, state: 0.25, end: 0, takenBack: 0 } as const

export interface SupersessionOptions {
  readonly termsOf: TermsOf
  /** The query: what an older text holds of its terms a newer one has to hold as well. */
  readonly asked: Asked
  /** Whether nothing was said by the same side between the two. */
  readonly isNext: (newer: Memory, older: Memory) => boolean
}

/** Reads each of the candidates once. */
export function createSupersession(candidates: readonly Told[], { termsOf, asked, isNext }: SupersessionOptions): Supersedes {
  const { all, words, ofQuery, named } = sharedTerms(
    candidates.map(({ entry }) => termsOf(entry)),
    asked.terms
  )
  const toldAt = (at: number): Told => candidates[at] as Told
  const tellsChange = createTellsChange(asked)
  function isSameMatter(newer: number, older: number): boolean {
    const both = all.of(newer, older)
    // Where nothing is new on one side a text adds to the other, or repeats it.
    if (both === all.of(newer, newer) || both === all.of(older, older)) return false
    // What is asked for and stands in the older one alone tells the two apart.
    const bothAsked = ofQuery.of(newer, older)
    if (bothAsked < ofQuery.of(older, older)) return false
    const shorter = Math.min(words.of(newer, newer), words.of(older, older))
    return nameOneMatter(words.of(newer, older), shorter, named.of(newer, older) > 0 ? 1 : SHARED_MIN)
  }
  /** Whatever it says it is about has to be in what was said. */
  function isCorrected({ text }: Memory, said: MemoryEntry): boolean {
    const about = contentTerms(subjectOfCorrection(text))
    return about.length === 0 || termsOf(said).some((term) => about.includes(term))
  }
  return (newer, older) => {
    const [a, b] = [toldAt(newer), toldAt(older)]
    const [later, earlier] = [a.entry.memory, b.entry.memory]
    if (later.timestamp <= earlier.timestamp || later.role !== earlier.role || later.userId !== earlier.userId) return null
    if (isSameMatter(newer, older)) return SHARES.sameMatter
    if (a.wording.change === 'takes back' && isNext(later, earlier) && isCorrected(later, b.entry)) return SHARES.takenBack
    const told = tellsChange(a, b)
    return told === null ? null : SHARES[told]
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

/** What lists have in common: terms, those without a digit, those of the query, and those of them that name something. */
function sharedTerms(lists: readonly (readonly string[])[], asked: ReadonlyMap<string, unknown>) {
  const holders = new Map<string, number[]>()
  for (const [at, terms] of lists.entries()) {
    for (const term of terms) {
      const known = holders.get(term)
      if (known === undefined) holders.set(term, [at])
      else known.push(at)
    }
  }
  const counts = (): SharedCounts => new SharedCounts(lists.length)
  const shared = { all: counts(), words: counts(), ofQuery: counts(), named: counts() }
  for (const [term, places] of holders) {
    shared.all.add(places)
    // Numbers are what is said of a matter, or when.
    if (!/\d/.test(term)) shared.words.add(places)
    if (!asked.has(term)) continue
    shared.ofQuery.add(places)
    if (!isStateTerm(term)) shared.named.add(places)
  }
  return shared
}
