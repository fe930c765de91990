/** Finds memories by the words that they and their neighbours share with a query. */
import { createBestOf } from '../domain/collections/best-of.js'
import { isAlive } from '../domain/expiry.js'
import { BLOCKS_A_VALUE, floorOf } from '../domain/collections/floor.js'
import type { Pieces } from '../domain/pieces.js'
import type { MemoryEntry } from '../domain/session.js'
import { BLOCK_BITS, giveTally } from '../domain/words/tally.js'
import { noScores, type WordScores } from '../domain/words/word-counts.js'
import type { Held, Holdings } from './holdings.js'
import { passes, type SearchFilter, type SearchOptions } from './query.js'

/** Documents examined per piece: some tenths of a millisecond. */
const DOCUMENTS_A_PIECE = 2_048

/** Word scores of matching memories. Memories that expired by `now` (epoch seconds) are left out. */
export function* matchWords(holdings: Holdings, query: ReadonlySet<string>, now: number): Pieces<WordMatches> {
  const { words, byLabel, sequence } = holdings
  const isHidden = (document: number): boolean => !isAlive((byLabel.get(document) as Held).entry.memory, now)
  const found = yield* words.search(query, {
    order: sequence.order(),
    ...(holdings.expiring > 0 && { isHidden })
  })
  return new WordMatches(holdings, found)
}

/**
 * Memories by word score, named by document number, because most of them are never read. Nothing may be put or removed meanwhile.
 *
 * A class because of its generator methods. V8 gives a generator function a hidden class in old space on its first call, and that keeps the
 * function's closure alive until the next full collection; as closures, each search kept the scores of all documents.
 */
export class WordMatches {
  constructor(
    private readonly holdings: Holdings,
    private found: WordScores
  ) {}

  /** Ends their use: they have no scores from then on. Without it, the next search of a large session takes longer. */
  release(): void {
    const { tally } = this.found
    this.found = noScores(0)
    if (tally !== null) giveTally(tally)
  }

  /** Score, at least 0. It is 1 if every word of the query occurs once, in the text itself or partly in its neighbours. */
  of(document: number): number {
    return this.found.scores[document] ?? 0
  }

  /** The best documents with scores above 0, in no order; ties go to the newest. */
  *best({ limit, ...filter }: SearchOptions): Pieces<number[]> {
    const { greatest } = this.found
    // When every memory may be returned, none has to be checked.
    const isAny = this.holdings.expiring === 0 && filter.accept === undefined
    const scores = isAny ? this.found.scores : yield* this.passing(filter)
    const values = isAny && greatest.length >= limit * BLOCKS_A_VALUE ? greatest : scores
    const floor = Math.max(Number.MIN_VALUE, floorOf(values, values.length, limit))
    const best = createBestOf<number>(limit, (a, b) => (this.of(b) - this.of(a) || this.seqOf(b) - this.seqOf(a)) > 0)
    let offered = 0
    for (let block = 0; block < greatest.length; block++) {
      if ((greatest[block] as number) < floor) continue
      const end = Math.min(scores.length, (block + 1) << BLOCK_BITS)
      for (let document = block << BLOCK_BITS; document < end; document++) {
        if ((scores[document] as number) < floor) continue
        best.offer(document)
        // Few reach the floor, unless all scores are alike.
        if (++offered % DOCUMENTS_A_PIECE === 0) yield
      }
    }
    return best.all()
  }

  /** Scores of the memories that pass; 0 for others. */
  private *passing(filter: SearchFilter): Pieces<Float64Array> {
    const scores = this.found.scores.slice()
    // Stryker disable next-line EqualityOperator: an absent document has no score
    for (let document = 0; document < scores.length; document++) {
      if (document % DOCUMENTS_A_PIECE === DOCUMENTS_A_PIECE - 1) yield
      if ((scores[document] as number) > 0 && !passes(this.entryAt(document), filter)) scores[document] = 0
    }
    return scores
  }

  private seqOf(document: number): number {
    return this.entryAt(document).memory.seq
  }

  private entryAt(document: number): MemoryEntry {
    return (this.holdings.byLabel.get(document) as Held).entry
  }
}
