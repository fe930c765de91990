/** Detects when a newer memory supersedes an older one: it says the same of something, with another value. */
import type { Memory, MemoryEntry } from '../domain/session.js'
import { subjectOfCorrection } from '../domain/text/change-marks.js'
import { contentTerms } from '../domain/text/terms.js'
import { isStateTerm } from '../domain/words/state-changes.js'
import { type Asked, createTellsChange, type Told } from './told-changes.js'

/** Best candidates that are examined: as many as a block of usual size may show. */
export const SUPERSESSION_LOOKED_MAX = 12

/** Content words compared per text, the first ones. */
export const SUPERSESSION_TERMS_MAX = 24

/**
 * Words that both texts must share, as a count and as a share of the shorter text: most of the words name the matter, the rest are the
 * value. One shared word is enough if the query asks for it, unless it is a verb of a state ("I work at …", "I drive to work").
 */
const SHARED_MIN = 2
const SHARED_SHARE = 0.5

/** Whether two texts are about one matter, by their shared words. `shorter`: number of words of the shorter text. */
export function nameOneMatter(shared: number, shorter: number, sharedMin = SHARED_MIN): boolean {
  return shared >= sharedMin && shared >= SHARED_SHARE * shorter
}

/** Distinct terms of a text. */
type TermsOf = (entry: MemoryEntry) => readonly string[]

/**
 * Share of the older text's score that the newer one must reach to be put before it; null when it does not supersede it. The more clearly a
 * text itself says that something changed, the lower the share. Arguments are indexes of candidates.
 */
type Supersedes = (newer: number, older: number) => number | null

const SHARES = { sameMatter: 0.5, state: 0.25, end: 0, takenBack: 0 } as const

export interface SupersessionOptions {
  readonly termsOf: TermsOf
  /** The query. A newer text must hold every term of it that the older one holds. */
  readonly asked: Asked
  /** Whether the same side said nothing between the two. */
  readonly isNext: (newer: Memory, older: Memory) => boolean
}

/** Reads each candidate once; there may be 32 at most. */
export function createSupersession(candidates: readonly Told[], { termsOf, asked, isNext }: SupersessionOptions): Supersedes {
  const { all, words, ofQuery, named } = sharedTerms(
    candidates.map(({ entry }) => termsOf(entry)),
    asked.terms
  )
  const toldAt = (at: number): Told => candidates[at] as Told
  const tellsChange = createTellsChange(asked)
  function isSameMatter(newer: number, older: number): boolean {
    const both = all.of(newer, older)
    // A text that only adds words, or only repeats some, supersedes nothing.
    if (both === all.of(newer, newer) || both === all.of(older, older)) return false
    // A term of the query that only the older text holds tells the two apart.
    const bothAsked = ofQuery.of(newer, older)
    if (bothAsked < ofQuery.of(older, older)) return false
    const shorter = Math.min(words.of(newer, newer), words.of(older, older))
    return nameOneMatter(words.of(newer, older), shorter, named.of(newer, older) > 0 ? 1 : SHARED_MIN)
  }
  /** If the correction names what it is about, the corrected text must contain it. */
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

/** Counts of common terms for each pair of texts; a text paired with itself gives its number of terms. */
class SharedCounts {
  private readonly counts: Uint16Array

  constructor(private readonly texts: number) {
    this.counts = new Uint16Array(texts * texts)
  }

  /** Counts a term that these texts contain. `holders`: a bit for each text. */
  add(holders: number): void {
    for (let left = holders; left !== 0; left &= left - 1) {
      const row = lowest(left) * this.texts
      for (let others = holders; others !== 0; others &= others - 1) {
        const at = row + lowest(others)
        this.counts[at] = (this.counts[at] as number) + 1
      }
    }
  }

  of(a: number, b: number): number {
    return this.counts[a * this.texts + b] as number
  }
}

/** Number of the lowest bit. */
function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

const TITLES = new Set(['mr', 'mrs', 'ms', 'dr', 'prof', 'herr'])

/**
 * Common terms of at most 32 lists: all terms, terms without a digit that are no titles, terms of the query, and terms of the query that
 * are no verb of a state.
 */
function sharedTerms(lists: readonly (readonly string[])[], asked: ReadonlySet<string>) {
  /** A bit for each list that holds the term. */
  const holders = new Map<string, number>()
  for (const [at, terms] of lists.entries()) for (const term of terms) holders.set(term, (holders.get(term) ?? 0) | (1 << at))
  const counts = (): SharedCounts => new SharedCounts(lists.length)
  const shared = { all: counts(), words: counts(), ofQuery: counts(), named: counts() }
  for (const [term, those] of holders) {
    shared.all.add(those)
    // Numbers are the value said of a matter, or its time, and a title belongs to the person who is the value.
    if (!/\d/.test(term) && !TITLES.has(term)) shared.words.add(those)
    if (!asked.has(term)) continue
    shared.ofQuery.add(those)
    if (!isStateTerm(term)) shared.named.add(those)
  }
  return shared
}
