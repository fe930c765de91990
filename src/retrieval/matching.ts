/** Memories by the words they and their neighbours share with a query. */
import { createBestOf } from '../domain/best-of.js'
import { isAlive } from '../domain/expiry.js'
import { floorOf } from '../domain/floor.js'
import type { Pieces } from '../domain/pieces.js'
import type { WeightedTerms } from '../domain/words/word-forms.js'
import type { Held, Holdings } from './holdings.js'
import type { WordMatches } from './matches.js'

/** Documents that are looked at in one piece: some tenths of a millisecond where each is asked about. */
const DOCUMENTS_A_PIECE = 2_048

/** Word scores of the memories that match. `now`, epoch seconds: what expired by then is left out. */
export function* matchWords(holdings: Holdings, query: WeightedTerms, now: number): Pieces<WordMatches> {
  const { words, byLabel, sequence } = holdings
  const heldOf = (document: number): Held => byLabel.get(document) as Held
  const isHidden = (document: number): boolean => !isAlive(heldOf(document).entry.memory, now)
  const { of, byDocument } = yield* words.searchInPieces(query, {
    links: sequence.links(),
    ...(holdings.expiring > 0 && { isHidden })
  })
  return {
    of,
    *best({ limit, accept }) {
      // Where every memory may be found, none has to be read to be ruled out.
      const isAny = holdings.expiring === 0 && accept === undefined
      const scores = isAny ? byDocument : yield* chosen(({ entry }) => isAlive(entry.memory, now) && accept?.(entry) !== false)
      const floor = Math.max(Number.MIN_VALUE, floorOf(scores, scores.length, limit))
      const seqOf = (document: number): number => heldOf(document).entry.memory.seq
      const best = createBestOf<number>(limit, (a, b) => (of(b) - of(a) || seqOf(b) - seqOf(a)) > 0)
      let offered = 0
      for (let document = 0; document < scores.length; document++) {
        if ((scores[document] as number) < floor) continue
        best.offer(document)
        // Few reach the floor, unless all say the same.
        if (++offered % DOCUMENTS_A_PIECE === 0) yield
      }
      return best.all()
    }
  }

  /** The scores of those alone. */
  function* chosen(isChosen: (held: Held) => boolean): Pieces<Float64Array> {
    const scores = byDocument.slice()
    // Stryker disable next-line EqualityOperator: a document that there is not has no score
    for (let document = 0; document < scores.length; document++) {
      if (document % DOCUMENTS_A_PIECE === DOCUMENTS_A_PIECE - 1) yield
      if ((scores[document] as number) > 0 && !isChosen(heldOf(document))) scores[document] = 0
    }
    return scores
  }
}
