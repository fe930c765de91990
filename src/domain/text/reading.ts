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
  const count = (term: string, termsMax: number): void => {
    const known = counts.get(term)
    if (known !== undefined || counts.size < termsMax) counts.set(term, (known ?? 0) + 1)
  }
  let before = ''
  for (let at = 0; at < terms.length; at++) {
    if ((at + 1) % TERMS_A_PIECE === 0) yield
    const { term, token, isStop } = terms[at] as Term
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
/**
 * Letters of a token that may be words: scripts without spaces are read in pairs, but many Chinese words have one character, and Korean
 * ones one syllable before their particles. Of a Chinese pair both, unless the pair before had the first one already. By ranges of UTF-16
 * units, since patterns would double the time of reading.
 */
function wordsOfOneLetter(token: string, before: string): readonly string[] {
  if (token.length !== 2) return NO_LETTERS
  const [first, second] = [token.charCodeAt(0), token.charCodeAt(1)]
  const isNew = before.length !== 2 || before.charCodeAt(1) !== first
  const letters: string[] = []
  if (isNew && (isChinese(first) || isKorean(first))) letters.push(token.charAt(0))
  if (isChinese(second) && second !== first) letters.push(token.charAt(1))
  return letters
}

const NO_LETTERS: readonly string[] = []

function isChinese(unit: number): boolean {
  return (unit >= 0x3400 && unit <= 0x9fff) || (unit >= 0xf900 && unit <= 0xfaff)
}

function isKorean(unit: number): boolean {
  return unit >= 0xac00 && unit <= 0xd7a3
}

/** Reads a text in one go. */
export function readTextAtOnce(text: string): TextReading {
  return inOneGo(readText(text))
}
