/** Memories by the words they and their neighbours share with a query. */
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
  const { documents, scores, of } = yield* words.searchInPieces(query, {
    links: sequence.links(),
    ...(holdings.expiring > 0 && { isHidden })
  })
  return {
    of,
    *best({ limit, accept }) {
      // Where every memory may be found, none has to be read to be ruled out.
      const isAny = holdings.expiring === 0 && accept === undefined
      const chosen = isAny ? { documents, scores } : yield* choose(({ entry }) => isAlive(entry.memory, now) && accept?.(entry) !== false)
      const floor = floorOf(chosen.scores, chosen.documents.length, limit)
      const best: Match[] = []
      for (let at = 0; at < chosen.documents.length; at++) {
        const score = chosen.scores[at] as number
        if (score >= floor) best.push({ document: chosen.documents[at] as number, score })
      }
      const seqOf = ({ document }: Match): number => heldOf(document).entry.memory.seq
      best.sort((a, b) => b.score - a.score || seqOf(b) - seqOf(a))
      return best.slice(0, limit).map(({ document }) => document)
    }
  }

  function* choose(isChosen: (held: Held) => boolean): Pieces<{ readonly documents: Int32Array; readonly scores: Float64Array }> {
    const places: number[] = []
    for (let at = 0; at < documents.length; at++) {
      if (at % DOCUMENTS_A_PIECE === DOCUMENTS_A_PIECE - 1) yield
      if (isChosen(heldOf(documents[at] as number))) places.push(at)
    }
    return {
      documents: Int32Array.from(places, (at) => documents[at] as number),
      scores: Float64Array.from(places, (at) => scores[at] as number)
    }
  }
}

interface Match {
  readonly document: number
  readonly score: number
}
