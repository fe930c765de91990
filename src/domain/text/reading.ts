/** Reads a text once for all uses of its words. */
import { INDEXED_WORDS_MAX } from '../limits.js'
import { inOneGo, type Pieces } from '../pieces.js'
import { specificsIn } from './specifics.js'
import { type Term, TERMS_A_PIECE, termsInPieces } from './terms.js'

/** The words of a text as an index keeps them. */
export interface Words {
  /** Occurrences of each content term, in order of first occurrence; only the first INDEXED_WORDS_MAX terms. */
  readonly counts: ReadonlyMap<string, number>
  /** Number of content terms in the whole text, including repetitions. */
  readonly length: number
}

export interface TextReading extends Words {
  /** Number of distinct numbers, names, identifiers and quotations. */
  readonly specifics: number
  /** Words as they stand in lower case, including stop words; at most INDEXED_WORDS_MAX. */
  readonly tokens: ReadonlySet<string>
}

/** Reads a text in pieces of some hundred words, in one piece at least: reading many short texts is long work too. */
export function* readText(text: string): Pieces<TextReading> {
  const reading = yield* readTerms(text, yield* termsInPieces(text))
  yield
  return reading
}

/** Reads a text whose terms are already known. */
export function* readTerms(text: string, terms: readonly Term[]): Pieces<TextReading> {
  const counts = new Map<string, number>()
  const tokens = new Set<string>()
  let length = 0
  for (const [at, { term, token, isStop }] of terms.entries()) {
    if ((at + 1) % TERMS_A_PIECE === 0) yield
    if (tokens.size < INDEXED_WORDS_MAX) tokens.add(token.text)
    if (isStop) continue
    length += 1
    const known = counts.get(term)
    if (known !== undefined || counts.size < INDEXED_WORDS_MAX) counts.set(term, (known ?? 0) + 1)
  }
  return { counts, length, specifics: specificsIn(text, terms), tokens }
}

/** Reads a text in one go. */
export function readTextAtOnce(text: string): TextReading {
  return inOneGo(readText(text))
}
