/** Memories by the words they and their neighbours share with a query. */
import { createBestOf } from '../domain/best-of.js'
import { isAlive } from '../domain/expiry.js'
import { floorOf } from '../domain/floor.js'
import type { Pieces } from '../domain/pieces.js'
import type { WeightedTerms } from '../domain/words/word-forms.js'
import type { WordScores } from '../domain/words/word-ranking.js'
import type { Held, Holdings } from './holdings.js'
import type { WordMatches } from './matches.js'

/** Documents that are looked at in one piece: some tenths of a millisecond where each is asked about. */
const DOCUMENTS_A_PIECE = 2_048

/** Word scores of the memories that match. `now`, epoch seconds: what expired by then is left out. */
export function* matchWords(holdings: Holdings, query: WeightedTerms, now: number): Pieces<WordMatches> {
  const { words, byLabel, sequence } = holdings
  const isHidden = (document: number): boolean => !isAlive((byLabel.get(document) as Held).entry.memory, now)
  const scores = yield* words.searchInPieces(query, {
    links: sequence.links(),
    ...(holdings.expiring > 0 && { isHidden })
  })
  return new ScoredWords(holdings, scores, now)
}

/**
 * A class, for its generators: V8 gives each generator function a hidden class in old memory when it is first called, and that holds what
 * the function closes over until the next full collection. Functions of each search held the scores of all documents.
 */
class ScoredWords implements WordMatches {
  constructor(
    private readonly holdings: Holdings,
    private readonly scores: WordScores,
    private readonly now: number
  ) {}

  of(document: number): number {
    return this.scores.of(document)
  }

  *best({ limit, accept }: Parameters<WordMatches['best']>[0]): Pieces<number[]> {
    // Where every memory may be found, none has to be read to be ruled out.
    const isAny = this.holdings.expiring === 0 && accept === undefined
    const scores = isAny
      ? this.scores.byDocument
      : yield* this.chosen(({ entry }) => isAlive(entry.memory, this.now) && accept?.(entry) !== false)
    const floor = Math.max(Number.MIN_VALUE, floorOf(scores, scores.length, limit))
    const best = createBestOf<number>(limit, (a, b) => (this.of(b) - this.of(a) || this.seqOf(b) - this.seqOf(a)) > 0)
    let offered = 0
    for (let document = 0; document < scores.length; document++) {
      if ((scores[document] as number) < floor) continue
      best.offer(document)
      // Few reach the floor, unless all say the same.
      if (++offered % DOCUMENTS_A_PIECE === 0) yield
    }
    return best.all()
  }

  /** The scores of those alone. */
  private *chosen(isChosen: (held: Held) => boolean): Pieces<Float64Array> {
    const scores = this.scores.byDocument.slice()
    // Stryker disable next-line EqualityOperator: a document that there is not has no score
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
