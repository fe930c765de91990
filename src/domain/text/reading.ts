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

/** Reads a text in pieces of some hundred words. */
export function* readText(text: string): Pieces<TextReading> {
  return yield* readTerms(text, yield* termsInPieces(text))
}

/** Reads a text whose terms are already known. */
export function* readTerms(text: string, terms: readonly Term[]): Pieces<TextReading> {
  const counts = new Map<string, number>()
  const tokens = new Set<string>()
  let length = 0
  const count = (term: string, termsMax: number): void => {
    const known = counts.get(term)
    if (known !== undefined || counts.size < termsMax) counts.set(term, (known ?? 0) + 1)
  }
  let before = ''
  for (const [at, { term, token, isStop }] of terms.entries()) {
    if ((at + 1) % TERMS_A_PIECE === 0) yield
    if (tokens.size < INDEXED_WORDS_MAX) tokens.add(token.text)
    if (isStop) continue
    length += 1
    count(term, INDEXED_WORDS_MAX)
    for (const letter of wordsOfOneLetter(token.text, before)) count(letter, LETTERS_AMONG_MAX)
    before = token.text
  }
  return { counts, length, specifics: specificsIn(text, terms), tokens }
}

/** Terms up to which single letters are added, so that they displace no others of a long text. */
const LETTERS_AMONG_MAX = INDEXED_WORDS_MAX / 2
/** Pairs of Chinese characters, or of a Korean syllable with what follows. */
const PAIR = /^(?:\p{Script=Han}.|.\p{Script=Han}|\p{Script=Hangul}.)$/u

/**
 * Letters of a token that may be words: scripts without spaces are read in pairs, but many Chinese words have one character, and Korean
 * ones one syllable before their particles. Of a Chinese pair both, unless the pair before had the first one already.
 */
function wordsOfOneLetter(token: string, before: string): readonly string[] {
  if (token.charCodeAt(0) < 0x1100 || !PAIR.test(token)) return []
  const [first = '', second = ''] = token
  const letters = [first, second].filter((letter) => HAN.test(letter))
  const isContinued = before.endsWith(first)
  if (isContinued) return letters.filter((letter) => letter !== first)
  return HANGUL.test(first) ? [first, ...letters] : letters
}

const HAN = /\p{Script=Han}/u
const HANGUL = /\p{Script=Hangul}/u

/** Reads a text in one go. */
export function readTextAtOnce(text: string): TextReading {
  return inOneGo(readText(text))
}
