/** Terms: tokens in the form in which texts are compared. Stemmed, accents folded, stop words marked. */
import { inOneGo, type Pieces } from '../pieces.js'
import { baseForm } from './english-irregular.js'
import { stemEnglish } from './english-stemmer.js'
import { stemGerman } from './german-stemmer.js'
import { isAscii, withoutAccents } from './normal-form.js'
import { isStopWord, stopWordEvidence } from './stop-words.js'
import { type Token, tokensInPieces } from './tokens.js'

export interface Term {
  /** Stem of a content word; stop words, numbers and identifiers as they are. */
  readonly term: string
  /** The word before stemming. */
  readonly token: Token
  readonly isStop: boolean
}

/** Terms of texts, by text. */
export type TextTerms = ReadonlyMap<string, readonly Term[]>

/**
 * Longest term kept as it is, in UTF-16 units. The rest of a longer one is replaced by a checksum, so that a blob costs no more than a
 * word.
 */
const TERM_LENGTH_MAX = 64

/** Words processed per piece: some tenths of a millisecond. */
export const TERMS_A_PIECE = 256

/**
 * All terms of a text in order, with stop words marked. German is recognised by its stop words and letters; everything else is stemmed as
 * English.
 */
export function termsOf(text: string): Term[] {
  return inOneGo(termsInPieces(text))
}

/** `termsOf` in pieces of some hundred words; a run of letters without a space is one piece. */
export function* termsInPieces(text: string): Pieces<Term[]> {
  const tokens = yield* tokensInPieces(text)
  const isPlain = isAscii(text)
  const stem = isGerman(tokens, isPlain) ? stemGerman : stemIrregular
  const folded = isPlain ? stem : (word: string): string => withoutAccents(stem(word)).replaceAll('ß', 'ss')
  const terms: Term[] = []
  for (const token of tokens) {
    if ((terms.length + 1) % TERMS_A_PIECE === 0) yield
    const isStop = token.kind === 'word' && isStopWord(token.text)
    terms.push({ term: isStop ? token.text : termOf(token, folded), token, isStop })
  }
  return terms
}

/** Stems of the content words in order, with repetitions. Numbers, names and identifiers are kept whole, followed by their parts. */
export function contentTerms(text: string): string[] {
  const terms: string[] = []
  for (const { term, isStop } of termsOf(text)) if (!isStop) terms.push(term)
  return terms
}

/** Stop words that a list of words lacks, by which its language is recognised. */
const STOP_WORDS = { english: 'the and of', german: 'der die das und nicht' } as const

/** Stems of a list of words of one language, as `contentTerms` returns them for texts. */
export function listedTerms(words: string, language: keyof typeof STOP_WORDS): string[] {
  return contentTerms(`${STOP_WORDS[language]} ${words}`)
}

function termOf(token: Token, stem: (word: string) => string): string {
  const term = token.kind === 'word' ? stem(token.text) : token.text
  return term.length > TERM_LENGTH_MAX ? term.slice(0, TERM_LENGTH_MAX) + checksum(term) : term
}

function stemIrregular(word: string): string {
  return stemEnglish(baseForm(word))
}

function isGerman(tokens: readonly Token[], isPlain: boolean): boolean {
  let evidence = 0
  for (const { text } of tokens) {
    evidence += stopWordEvidence(text) ?? 0
    if (!isPlain && /[äöüß]/.test(text)) evidence += 1
  }
  return evidence > 0
}

/** FNV-1a over UTF-16 units, in base 36. */
function checksum(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(36)
}
