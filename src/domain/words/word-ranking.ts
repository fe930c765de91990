/** Ranks documents by the query words that they and their neighbours hold: BM25F over an inverted index. */
import { createPace, isPauseDue, type Pace, type Pieces } from '../pieces.js'
import { placeCount, type Postings } from './postings.js'
import {
  addPlaces,
  addCommonPlaces,
  type Counts,
  createCounts,
  drainCounts,
  drainCommonCounts,
  giveTally,
  type Links,
  NO_LINKS,
  type Range,
  takeTally
} from './word-counts.js'
import { askedTerms, type Forms } from './word-forms.js'

/** Places read per piece, and documents summed per piece: some 0.1 ms each. */
const PLACES_A_PIECE = 8_192
const DOCUMENTS_A_PIECE = 16_384

const EVERY_PLACE: Range = { from: 0, to: PLACES_A_PIECE }

/** Share of all documents, in places of a word, from which draining all documents is cheaper than noting the touched ones. */
const COMMON_SHARE = 0.125

export interface WordSearch {
  /** Default: no neighbours. */
  readonly links?: Links
  /** Documents to skip: they neither match nor lend words to neighbours. Default: none. */
  readonly isHidden?: (document: number) => boolean
}

/**
 * Scores by document number: at least 0; 1 for a text of average length that holds every query word once, up to 1 + REPETITION for more.
 * Words that no document holds lower all scores alike, by the square root of the share of the other words; weighted by its rarity, a single
 * unknown word would make everything irrelevant. Of a long query, only the most telling words count; see `askedTerms`. Works word by word
 * over all documents: ruling documents out early (MaxScore, block-max WAND) costs more than it saves here, because any document may still
 * gain from its neighbours.
 */
export function* rankByWords(
  postings: Postings,
  query: ReadonlySet<string>,
  { links = NO_LINKS, isHidden }: WordSearch
): Pieces<Float64Array> {
  const asked = yield* askedTerms(postings, query)
  const known = asked.filter(({ forms }) => forms.length > 0)
  const tally = takeTally(postings.bound)
  const counts = createCounts(postings, tally, { links, isHidden })
  const pace = createPace()
  let best = 0
  for (const term of known) {
    const share = rarity(postings.size, term)
    best += share
    yield* read(counts, term, { share, pace })
  }
  giveTally(tally)
  const { sums } = counts
  // Applied at the end: a share rounded beforehand would part scores that are equal.
  const scale = best === 0 ? 0 : Math.sqrt(known.length / asked.length) / best
  for (let document = 0; document < sums.length; document++) sums[document] = (sums[document] as number) * scale
  return sums
}

/** Adds the scores of one term to the sums. `share`: its rarity. */
function* read(counts: Counts, asked: Forms, { share, pace }: { readonly share: number; readonly pace: Pace }): Pieces<void> {
  const isCommon = asked.places > COMMON_SHARE * counts.bound
  const add = isCommon ? addCommonPlaces : addPlaces
  // Of many variants each has few places: asking for a pause at each would take as long as reading it.
  if (asked.places <= PLACES_A_PIECE) {
    for (const form of asked.forms) add(counts, form, EVERY_PLACE)
    if (isPauseDue(pace, asked.places / PLACES_A_PIECE)) yield
  } else yield* readMany(counts, asked, add, pace)
  const drain = isCommon ? drainCommonCounts : drainCounts
  const count = isCommon ? counts.bound : counts.touched
  for (let from = 0; from < count; from += DOCUMENTS_A_PIECE) {
    const to = Math.min(count, from + DOCUMENTS_A_PIECE)
    drain(counts, { from, to }, share)
    if (isPauseDue(pace, (to - from) / DOCUMENTS_A_PIECE)) yield
  }
  if (isCommon) counts.tally.counts.fill(0, 0, counts.bound)
  counts.touched = 0
}

/** Reads the places of a common word and its variants, in pieces. */
function* readMany(counts: Counts, { forms }: Forms, add: typeof addPlaces, pace: Pace): Pieces<void> {
  for (const form of forms) {
    const places = placeCount(form.posting)
    for (let from = 0; from < places; from += PLACES_A_PIECE) {
      const to = Math.min(places, from + PLACES_A_PIECE)
      add(counts, form, { from, to })
      if (isPauseDue(pace, (to - from) / PLACES_A_PIECE)) yield
    }
  }
}

/** Inverse document frequency in Lucene's form, which is never negative: a word in every text still counts a little. */
function rarity(size: number, asked: Forms): number {
  const frequency = Math.min(size, asked.frequency)
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5))
}
