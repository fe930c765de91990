/** Ranks documents by the query words that they and their neighbours hold: BM25F over an inverted index. */
import { createPace, isPauseDue, type Pace, type Pieces } from '../pieces.js'
import { placeCount, type Postings } from './postings.js'
import { blocksOf, PLACES_AT_ONCE } from './tally.js'
import {
  addPlaces,
  addWords,
  type Counts,
  createCounts,
  drainBlocks,
  noScores,
  type Order,
  type Read,
  takeScores,
  type WordScores
} from './word-counts.js'
import { askedTerms, type Forms, VARIANT_SHARE } from './word-forms.js'

/** Places read per piece, and blocks of documents drained per piece: some 0.1 ms each. */
const PLACES_A_PIECE = PLACES_AT_ONCE
const BLOCKS_A_PIECE = 4_096

export interface WordSearch {
  /** Default: no document has neighbours. */
  readonly order?: Order
  /** Documents to skip: they neither match nor lend words to neighbours. Default: none. */
  readonly isHidden?: (document: number) => boolean
}

/**
 * A score is 1 for a text of average length that holds every query word once, up to 1 + REPETITION for more.
 * Words that no document holds lower all scores alike, by the square root of the share of the other words; weighted by its rarity, a single
 * unknown word would make everything irrelevant. Of a long query, only the most telling words count; see `askedTerms`. Works word by word
 * over all documents: ruling documents out early (MaxScore, block-max WAND) costs more than it saves here, because any document may still
 * gain from its neighbours.
 */
export function* rankByWords(postings: Postings, query: ReadonlySet<string>, { order, isHidden }: WordSearch): Pieces<WordScores> {
  const asked = yield* askedTerms(postings, query)
  const known = asked.filter(({ places }) => places > 0)
  if (known.length === 0) return noScores(postings.bound)
  const counts = createCounts(postings, { order, isHidden })
  const pace = createPace()
  let best = 0
  for (const term of known) {
    const share = rarity(postings.size, term)
    best += share
    yield* read(counts, term, { share, pace })
  }
  // Applied at the end: a share rounded beforehand would part scores that are equal.
  return takeScores(counts, postings.bound, Math.sqrt(known.length / asked.length) / best)
}

/** Adds the scores of one term to the sums. `share`: its rarity. */
function* read(counts: Counts, asked: Forms, { share, pace }: { readonly share: number; readonly pace: Pace }): Pieces<void> {
  const { own, variants } = asked
  // Of many variants each has few places: asking for a pause at each would take as long as reading it.
  if (asked.places <= PLACES_A_PIECE) {
    if (own !== undefined) addWords(counts, [own], 1)
    addWords(counts, variants, VARIANT_SHARE)
    if (isPauseDue(pace, asked.places / PLACES_A_PIECE)) yield
  } else {
    if (own !== undefined) yield* readMany(counts, { posting: own, share: 1 }, pace)
    for (const posting of variants) yield* readMany(counts, { posting, share: VARIANT_SHARE }, pace)
  }
  const blocks = blocksOf(counts.end)
  for (let from = 0; from < blocks; from += BLOCKS_A_PIECE) {
    const to = Math.min(blocks, from + BLOCKS_A_PIECE)
    drainBlocks(counts, { from, to }, share)
    if (isPauseDue(pace, (to - from) / BLOCKS_A_PIECE)) yield
  }
  counts.tally.endWord(blocks)
}

/** Reads the places of a word in pieces, where it and its variants are common. */
function* readMany(counts: Counts, read: Read, pace: Pace): Pieces<void> {
  const places = placeCount(read.posting)
  for (let from = 0; from < places; from += PLACES_A_PIECE) {
    const to = Math.min(places, from + PLACES_A_PIECE)
    addPlaces(counts, read, { from, to })
    if (isPauseDue(pace, (to - from) / PLACES_A_PIECE)) yield
  }
}

/** Inverse document frequency in Lucene's form, which is never negative: a word in every text still counts a little. */
function rarity(size: number, asked: Forms): number {
  const frequency = Math.min(size, asked.frequency)
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5))
}
