/** Finds the words of an index that match the words of a query, and limits how many of them a search reads. */
import { SEARCH_POSTINGS_MAX, SEARCH_TERMS_MAX } from '../limits.js'
import type { Pieces } from '../pieces.js'
import { sorted } from '../collections/sorting.js'
import { BEGINNING_LENGTH, isGone, wordsAlike } from './alike-words.js'
import { placeCount, type Posting, type Postings } from './postings.js'

/**
 * Weight of an occurrence of a variant: a word that begins with the query word, or with which the query word begins (`counsel` and
 * `counselor`, parts of German compounds). Recall@10, development half of LoCoMo: 0 .798, 0.3 .805, 0.5 .804, 0.7 .804; of 40 questions by
 * a part of a compound or derived word .33 without, .73 with it (bench:quality, factors).
 */
export const VARIANT_SHARE = 0.5
/** Shortest common beginning of variants: the one by which words are grouped. */
const VARIANT_LENGTH_MIN = BEGINNING_LENGTH

/** Query words per piece; each may have SEARCH_VARIANTS_MAX words with its beginning. A millisecond at most. */
const TERMS_A_PIECE = 8

/** Words of a long query looked up per piece: half a millisecond. */
const LOOKUPS_A_PIECE = 1_024

/** All matches of a query word in the index. */
export interface Forms {
  /** The word itself; undefined when no document holds it. */
  readonly own: Posting | undefined
  /** Words that count VARIANT_SHARE as much. */
  readonly variants: readonly Posting[]
  /** Places in the index that reading them all takes. */
  readonly places: number
  /** `places` with those of variants weighted by their share. */
  readonly frequency: number
}

/**
 * Query words with their matches, in the query's order. Of a query of more than SEARCH_TERMS_MAX words, those that the fewest documents
 * hold are kept; of these, the most frequent ones are dropped until at most SEARCH_POSTINGS_MAX places are left to read.
 */
export function* askedTerms(postings: Postings, query: ReadonlySet<string>): Pieces<readonly Forms[]> {
  const asked: Forms[] = []
  for (const term of yield* rarestTerms(postings, query)) {
    asked.push(formsOf(postings, term))
    if (asked.length % TERMS_A_PIECE === 0) yield
  }
  if (asked.reduce((sum, { places }) => sum + places, 0) <= SEARCH_POSTINGS_MAX) return asked
  const kept = new Set<Forms>()
  let read = 0
  for (const term of [...asked].sort((a, b) => a.places - b.places)) {
    read += term.places
    if (kept.size > 0 && read > SEARCH_POSTINGS_MAX) break
    kept.add(term)
  }
  return asked.filter((term) => kept.has(term))
}

function* rarestTerms({ byTerm }: Postings, query: ReadonlySet<string>): Pieces<Iterable<string>> {
  if (query.size <= SEARCH_TERMS_MAX) return query
  const ranked: RankedWord[] = []
  for (const word of query) {
    const posting = byTerm.find(word)
    // A word that no document holds distinguishes none: it comes last.
    ranked.push({ word, at: ranked.length, frequency: posting === undefined ? Infinity : placeCount(posting) })
    if (ranked.length % LOOKUPS_A_PIECE === 0) yield
  }
  const rarest = (yield* sorted(ranked, byFrequency)).slice(0, SEARCH_TERMS_MAX)
  return rarest.sort((a, b) => a.at - b.at).map(({ word }) => word)
}

interface RankedWord {
  readonly word: string
  /** Index in the query. */
  readonly at: number
  readonly frequency: number
}

function byFrequency(a: RankedWord, b: RankedWord): number {
  return a.frequency === b.frequency ? a.at - b.at : a.frequency - b.frequency
}

function formsOf({ byTerm, beginnings }: Postings, term: string): Forms {
  const own = byTerm.find(term)
  const variants: Posting[] = []
  const ownPlaces = own === undefined ? 0 : placeCount(own)
  // Numbers and identifiers have no variants.
  const isExact = term.length < VARIANT_LENGTH_MIN || /\P{L}/u.test(term)
  if (isExact) return { own, variants, places: ownPlaces, frequency: ownPlaces }
  let places = ownPlaces
  for (const posting of wordsAlike(beginnings, term)) {
    if (isGone(posting) || !isVariant(posting.term, term)) continue
    const count = placeCount(posting)
    if (places + count > SEARCH_POSTINGS_MAX) break
    places += count
    variants.push(posting)
  }
  return { own, variants, places, frequency: ownPlaces + VARIANT_SHARE * (places - ownPlaces) }
}

/** Whether one of two different words begins with the other. */
export function isVariant(other: string, term: string): boolean {
  if (other.length === term.length) return false
  return other.length > term.length ? other.startsWith(term) : term.startsWith(other)
}
