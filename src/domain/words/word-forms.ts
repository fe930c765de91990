/** Which words of an index stand for the words of a query, and how many of them a search reads. */
import { SEARCH_POSTINGS_MAX, SEARCH_TERMS_MAX, SEARCH_VARIANTS_MAX } from '../limits.js'
import { getIn } from '../parted-map.js'
import type { Pieces } from '../pieces.js'
import { BEGINNING_LENGTH, firstAlike } from './alike-words.js'
import type { Posting, Postings } from './postings.js'

/**
 * What an occurrence of a word counts for a query word that it begins with, or that begins with it (`counsel` and
 * `counselor`, parts of German compounds). Recall@10, development half of LoCoMo: 0 .798, 0.3 .805, 0.5 .804, 0.7 .804;
 * of 40 questions by a part of a compound or derived word .33 without, .73 with it (bench:quality, factors).
 */
const VARIANT_SHARE = 0.5
/** Shortest beginning that makes two words variants: that which they are kept by. */
const VARIANT_LENGTH_MIN = BEGINNING_LENGTH

/** Words that are looked up in one piece, each of which may begin like SEARCH_VARIANTS_MAX others: a millisecond at most. */
const TERMS_A_PIECE = 8

/** A query word and how much it counts; 1 is plain. */
export type WeightedTerms = ReadonlyMap<string, number>

/** A word of the index that stands for a word of the query, in full or in part. */
export interface Form {
  readonly posting: Posting
  readonly share: number
}

export interface AskedTerm {
  readonly weight: number
  /** None: no document holds the word. */
  readonly forms: readonly Form[]
}

/**
 * The words of a query with what stands for them, in its order. A query of more than SEARCH_TERMS_MAX words is asked with those that the
 * fewest documents hold; of those, the ones in the most documents are left out until at most SEARCH_POSTINGS_MAX places are left to read.
 */
export function* askedTerms(postings: Postings, query: WeightedTerms): Pieces<readonly AskedTerm[]> {
  const asked: AskedTerm[] = []
  for (const [term, weight] of rarestTerms(postings, query)) {
    asked.push({ weight, forms: formsOf(postings, term) })
    if (asked.length % TERMS_A_PIECE === 0) yield
  }
  if (asked.reduce((sum, { forms }) => sum + placesOf(forms), 0) <= SEARCH_POSTINGS_MAX) return asked
  const kept = new Set<AskedTerm>()
  let read = 0
  for (const term of [...asked].sort((a, b) => placesOf(a.forms) - placesOf(b.forms))) {
    read += placesOf(term.forms)
    if (kept.size > 0 && read > SEARCH_POSTINGS_MAX) break
    kept.add(term)
  }
  return asked.filter((term) => kept.has(term))
}

function rarestTerms({ byTerm }: Postings, query: WeightedTerms): Iterable<[string, number]> {
  if (query.size <= SEARCH_TERMS_MAX) return query
  // A word that no document holds says nothing of any: it comes last.
  const frequency = (term: string): number => getIn(byTerm, term)?.places.length ?? Infinity
  const ranked = Array.from(query, ([term], at) => ({ term, at, frequency: frequency(term) }))
  ranked.sort((a, b) => (a.frequency === b.frequency ? a.at - b.at : a.frequency - b.frequency))
  const kept = new Set(ranked.slice(0, SEARCH_TERMS_MAX).map(({ term }) => term))
  return [...query].filter(([term]) => kept.has(term))
}

function formsOf({ byTerm, beginnings }: Postings, term: string): Form[] {
  const own = getIn(byTerm, term)
  const forms = own === undefined ? [] : [{ posting: own, share: 1 }]
  // Numbers and identifiers are meant exactly.
  if (term.length < VARIANT_LENGTH_MIN || /\P{L}/u.test(term)) return forms
  let looked = 0
  let left = SEARCH_POSTINGS_MAX - placesOf(forms)
  const first = firstAlike(beginnings, term)
  if (first === undefined) return forms
  let posting = first
  do {
    if (++looked > SEARCH_VARIANTS_MAX) break
    if (isVariant(posting.term, term)) {
      left -= posting.places.length
      if (left < 0) break
      forms.push({ posting, share: VARIANT_SHARE })
    }
    posting = posting.next
  } while (posting !== first)
  return forms
}

function isVariant(other: string, term: string): boolean {
  if (other.length === term.length) return false
  return other.length > term.length ? other.startsWith(term) : term.startsWith(other)
}

/** Places in the index that a reading of the forms goes through. */
export function placesOf(forms: readonly Form[]): number {
  return forms.reduce((sum, { posting }) => sum + posting.places.length, 0)
}
