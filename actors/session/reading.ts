/** Reads the words of texts before a step, in pieces. */
import type { Pieces } from '../../src/domain/pieces.js'
import type { HeldInput } from '../../src/domain/session.js'
import { readTerms, readText, type TextReading } from '../../src/domain/text/reading.js'
import { type Term, TERMS_A_PIECE, termsInPieces } from '../../src/domain/text/terms.js'
import type { Room } from '../weight/room.js'

/** Bytes of heap of a word while its command is under way: its letters, and its entries among the terms and the tokens. */
const WORD_UNDER_WAY_BYTES = 120

/** Bytes of heap of a kept term, beside its letters. */
const KEPT_TERM_BYTES = 80

/** Terms by text, kept so that the lexical embedder need not tokenise the text again. */
export type KeptTerms = Map<string, readonly Term[]>

/** Reads the words of texts. With `kept`, the terms of short texts are kept there; long texts are embedded in parts. */
export function* readTexts(
  texts: readonly string[],
  { room, kept }: { readonly room: Room; readonly kept: KeptTerms | null }
): Pieces<ReadonlyMap<string, TextReading>> {
  const readings = new Map<string, TextReading>()
  for (const text of texts) {
    const terms = yield* termsInPieces(text)
    const reading = yield* readTerms(text, terms)
    const isKept = kept !== null && terms.length <= TERMS_A_PIECE
    const words = (reading.counts.size + reading.tokens.size) * WORD_UNDER_WAY_BYTES
    room.hold({ heap: words + (isKept ? terms.length * KEPT_TERM_BYTES : 0), buffers: 0 })
    readings.set(text, reading)
    if (isKept) kept.set(text, terms)
    yield
  }
  return readings
}

/** Counts the distinct words of held inputs, by text. Holds memory for the longest text only, as the step reads one at a time too. */
export function* countWords(held: Iterable<HeldInput>, room: Room): Pieces<ReadonlyMap<string, number>> {
  const wordCounts = new Map<string, number>()
  let most = 0
  for (const { text } of [...held]) {
    if (wordCounts.has(text)) continue
    const { counts, tokens } = yield* readText(text)
    wordCounts.set(text, counts.size)
    const words = counts.size + tokens.size
    if (words > most) room.hold({ heap: (words - most) * WORD_UNDER_WAY_BYTES, buffers: 0 })
    most = Math.max(most, words)
    yield
  }
  return wordCounts
}
