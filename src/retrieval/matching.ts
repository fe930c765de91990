/** Memories by the words they and their neighbours share with a query. */
import { isAlive } from '../domain/expiry.js'
import { createFloor } from '../domain/floor.js'
import type { Pieces } from '../domain/pieces.js'
import type { WeightedTerms } from '../domain/words/word-forms.js'
import { documentOf, type Held, type Holdings } from './holdings.js'
import type { WordMatches } from './matches.js'

/** Documents that are looked at in one piece: some tenths of a millisecond where each is asked about. */
const DOCUMENTS_A_PIECE = 2_048

export interface MatchOptions {
  /** Epoch seconds: what expired by then is left out. */
  readonly now: number
  /** How many of the best are asked for where every memory may be one. Default: all. */
  readonly limit?: number
}

/** Word scores of the memories that match. */
export function* matchWords(holdings: Holdings, query: WeightedTerms, { now, limit }: MatchOptions): Pieces<WordMatches> {
  const { words, byLabel, sequence } = holdings
  const heldOf = (document: number): Held => byLabel.get(document) as Held
  const isHidden = (document: number): boolean => !isAlive(heldOf(document).entry.memory, now)
  const isShown = (held: Held): boolean => holdings.expiring === 0 || isAlive(held.entry.memory, now)
  const scores = yield* words.searchInPieces(query, {
    links: sequence,
    // Those that are hidden may be among the best of the others' neighbours, and leave too few.
    ...(holdings.expiring > 0 ? { isHidden } : limit !== undefined && { limit })
  })
  return {
    of: (held) => scores.of(documentOf(held)),
    *measure(those) {
      if (!scores.isComplete) yield* scores.measure(Array.from(those, documentOf))
    },
    *best({ limit, accept }) {
      const floor = createFloor(limit)
      const left: number[] = []
      for (let at = 0; at < scores.documents.length; at++) {
        if (at % DOCUMENTS_A_PIECE === DOCUMENTS_A_PIECE - 1) yield
        const document = scores.documents[at] as number
        const score = scores.of(document)
        if (score < floor.value) continue
        const held = heldOf(document)
        if (!isShown(held) || accept?.(held.entry) === false) continue
        left.push(document)
        floor.offer(score)
      }
      const seqOf = (document: number): number => heldOf(document).entry.memory.seq
      return left
        .filter((document) => scores.of(document) >= floor.value)
        .sort((a, b) => scores.of(b) - scores.of(a) || seqOf(b) - seqOf(a))
        .slice(0, limit)
        .map(heldOf)
    }
  }
}
