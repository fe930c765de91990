/** Memories by the words they and their neighbours share with a query. */
import { createBestOf } from '../domain/best-of.js'
import { isAlive } from '../domain/expiry.js'
import type { Pieces } from '../domain/pieces.js'
import type { WeightedTerms } from '../domain/words/word-forms.js'
import { documentOf, type Held, type Holdings } from './holdings.js'
import type { WordMatches } from './matches.js'

/** Documents that are looked at in one piece: some tenths of a millisecond where each is asked about. */
const DOCUMENTS_A_PIECE = 2_048

interface Match {
  readonly held: Held
  readonly score: number
}

/** Word scores of all memories alive at `now` (epoch seconds). */
export function* matchWords(holdings: Holdings, query: WeightedTerms, now: number): Pieces<WordMatches> {
  const { words, byLabel, byId, sequence } = holdings
  const isHidden = (document: number): boolean => !isAlive((byLabel.get(document) as Held).entry.memory, now)
  const isShown = (held: Held): boolean => holdings.expiring === 0 || isAlive(held.entry.memory, now)
  const scores = yield* words.searchInPieces(query, { links: sequence, ...(holdings.expiring > 0 && { isHidden }) })
  return {
    of(id) {
      const held = byId.get(id)
      return held === undefined ? 0 : scores.of(documentOf(held))
    },
    *best({ limit, accept }) {
      const best = createBestOf<Match>(limit, isBehind)
      let floor = -Infinity
      for (const [at, document] of scores.documents.entries()) {
        if (at % DOCUMENTS_A_PIECE === DOCUMENTS_A_PIECE - 1) yield
        const score = scores.of(document)
        // Most documents end here, so no match is made for them.
        if (score < floor) continue
        const held = byLabel.get(document) as Held
        if (!isShown(held) || accept?.(held.entry) === false) continue
        best.offer({ held, score })
        floor = best.worst()?.score ?? -Infinity
      }
      return best.sorted().map(({ held }) => held.entry)
    }
  }
}

function isBehind(a: Match, b: Match): boolean {
  return a.score < b.score || (a.score === b.score && a.held.entry.memory.seq < b.held.entry.memory.seq)
}
