/** Finds memories by the words that they and their neighbours share with a query. */
import { createBestOf } from '../domain/collections/best-of.js'
import { isAlive } from '../domain/expiry.js'
import { floorOf } from '../domain/collections/floor.js'
import type { Pieces } from '../domain/pieces.js'
import type { Held, Holdings } from './holdings.js'
import type { WordMatches } from './matches.js'

/** Documents examined per piece: some tenths of a millisecond. */
const DOCUMENTS_A_PIECE = 2_048

/** Word scores of matching memories. Memories that expired by `now` (epoch seconds) are left out. */
export function* matchWords(holdings: Holdings, query: ReadonlySet<string>, now: number): Pieces<WordMatches> {
  const { words, byLabel, sequence } = holdings
  const isHidden = (document: number): boolean => !isAlive((byLabel.get(document) as Held).entry.memory, now)
  const scores = yield* words.search(query, {
    links: sequence.links(),
    ...(holdings.expiring > 0 && { isHidden })
  })
  return new ScoredWords(holdings, scores, now)
}

/**
 * A class because of its generator methods. V8 gives a generator function a hidden class in old space on its first call, and that keeps the
 * function's closure alive until the next full collection; as closures, each search kept the scores of all documents.
 */
class ScoredWords implements WordMatches {
  constructor(
    private readonly holdings: Holdings,
    private readonly scores: Float64Array,
    private readonly now: number
  ) {}

  of(document: number): number {
    return this.scores[document] ?? 0
  }

  *best({ limit, accept }: Parameters<WordMatches['best']>[0]): Pieces<number[]> {
    // When every memory may be returned, none has to be checked.
    const isAny = this.holdings.expiring === 0 && accept === undefined
    const scores = isAny ? this.scores : yield* this.chosen(({ entry }) => isAlive(entry.memory, this.now) && accept?.(entry) !== false)
    const floor = Math.max(Number.MIN_VALUE, floorOf(scores, scores.length, limit))
    const best = createBestOf<number>(limit, (a, b) => (this.of(b) - this.of(a) || this.seqOf(b) - this.seqOf(a)) > 0)
    let offered = 0
    for (let document = 0; document < scores.length; document++) {
      if ((scores[document] as number) < floor) continue
      best.offer(document)
      // Few reach the floor, unless all scores are alike.
      if (++offered % DOCUMENTS_A_PIECE === 0) yield
    }
    return best.all()
  }

  /** Scores of the chosen memories; 0 for others. */
  private *chosen(isChosen: (held: Held) => boolean): Pieces<Float64Array> {
    const scores = this.scores.slice()
    // Stryker disable next-line EqualityOperator: an absent document has no score
    for (let document = 0; document < scores.length; document++) {
      if (document % DOCUMENTS_A_PIECE === DOCUMENTS_A_PIECE - 1) yield
      if ((scores[document] as number) > 0 && !isChosen(this.heldAt(document))) scores[document] = 0
    }
    return scores
  }

  private seqOf(document: number): number {
    return this.heldAt(document).entry.memory.seq
  }

  private heldAt(document: number): Held {
    return this.holdings.byLabel.get(document) as Held
  }
}
