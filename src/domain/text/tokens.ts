/** Splits a text into words, numbers and code identifiers, in order. */
import { inOneGo, type Pieces } from '../pieces.js'
import { compatibilityForm } from './normal-form.js'

type TokenKind = 'word' | 'number' | 'identifier'

export interface Token {
  /** NFKC, lower case. */
  readonly text: string
  readonly kind: TokenKind
  /** Whether it is a part of the preceding identifier, number or compound (`user` of `getUserName`). */
  readonly isPart: boolean
}

/** A run of letters, digits and underscores, including joiners within dates, versions, paths, addresses and contractions; or one emoji. */
const CHUNK = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:['.:,@/-][\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*(?:\+\+|#)?|\p{Extended_Pictographic}/gu
/** Character class of scripts without spaces between words, and of Korean, which attaches particles to words. */
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((name) => `\\p{Script=${name}}`)
  .join('')
/** Matches a character of these scripts. Each pair of adjacent ones becomes a token, because nothing marks the ends of words. */
export const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u')
/** Runs of such characters with their marks and long vowels, and runs of all others. */
const UNSPACED_RUNS = new RegExp(`[${UNSPACED_SCRIPTS}][${UNSPACED_SCRIPTS}\\p{M}ー]*|[^${UNSPACED_SCRIPTS}]+`, 'gu')
/** From the first code unit of the lowest such script (Thai) on. Without a match, the test for these scripts is skipped. */
const MAYBE_UNSPACED = /[\u0e00-\uffff]/
const PLAIN_WORD = /^\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+$|^[\p{Lu}\p{M}]+$/u
const NUMBER = /^\p{N}+(?:[.,:/-]\p{N}+)*$/u
const CAMEL_HUMP = /([\p{Ll}\p{N}])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu
const [LETTER_A, LETTER_Z] = [0x61, 0x7a]
const CONTRACTIONS = new Map([
  ['ca', 'can'],
  ['wo', 'will'],
  ['sha', 'shall']
])

/** All tokens of a text. A whole comes before its parts; punctuation alone yields none. */
export function tokensOf(text: string): Token[] {
  return inOneGo(tokensInPieces(text))
}

/** Runs of letters tokenised per piece; a long run counts once more for every RUN_LENGTH characters. */
const RUNS_A_PIECE = 256
const RUN_LENGTH = 32
/** Characters of a run without spaces tokenised per piece. */
const UNSPACED_A_PIECE = RUNS_A_PIECE * RUN_LENGTH

/** Longest text, in characters, whose runs are matched in one piece: some hundredths of a millisecond. */
const SHORT_TEXT = 2_048

/** `tokensOf` in pieces. */
export function* tokensInPieces(text: string): Pieces<Token[]> {
  const tokens: Token[] = []
  const source = compatibilityForm(text).replaceAll('’', "'")
  let runs = 0
  // Matching all at once takes a third of the time, and a short text has few runs.
  for (const chunk of source.length > SHORT_TEXT ? chunksOf(source) : (source.match(CHUNK) ?? [])) {
    runs += 1 + Math.floor(chunk.length / RUN_LENGTH)
    if (runs >= RUNS_A_PIECE) {
      yield
      runs -= RUNS_A_PIECE
    }
    addChunk(chunk, tokens)
  }
  return tokens
}

function* chunksOf(source: string): Generator<string, void> {
  for (const [chunk] of source.matchAll(CHUNK)) {
    if (chunk.length > UNSPACED_A_PIECE) yield* partsOf(chunk)
    else yield chunk
  }
}

/** Splits a long run of a script without spaces into parts that overlap by one character, so that no pair is lost. */
function* partsOf(chunk: string): Generator<string, void> {
  let from = 0
  if (UNSPACED.test(chunk)) {
    while (chunk.length - from > UNSPACED_A_PIECE) {
      const end = from + UNSPACED_A_PIECE - (isLowSurrogate(chunk, from + UNSPACED_A_PIECE) ? 1 : 0)
      yield chunk.slice(from, end)
      from = end - (isLowSurrogate(chunk, end - 1) ? 2 : 1)
    }
  }
  yield chunk.slice(from)
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}

function addChunk(chunk: string, tokens: Token[], endings = 0): void {
  if (isLowerAscii(chunk)) tokens.push({ text: chunk, kind: 'word', isPart: false })
  else if (MAYBE_UNSPACED.test(chunk) && UNSPACED.test(chunk)) addUnspaced(chunk, tokens)
  else if (PLAIN_WORD.test(chunk)) tokens.push({ text: chunk.toLowerCase(), kind: 'word', isPart: false })
  else if (chunk.includes("'")) addContraction(chunk, tokens, endings)
  else if (NUMBER.test(chunk)) addNumber(chunk, tokens)
  else if (/[,:]/.test(chunk)) addSeparated(chunk, tokens)
  else addCompound(chunk, tokens)
}

/** Fast path for most words of most texts. */
function isLowerAscii(chunk: string): boolean {
  for (let at = 0; at < chunk.length; at++) {
    const unit = chunk.charCodeAt(at)
    if (unit < LETTER_A || unit > LETTER_Z) return false
  }
  return true
}

/** Words and numbers of other scripts inside, without a space (`第5章`, `AWSのtokyo`), become tokens of their own. */
function addUnspaced(chunk: string, tokens: Token[]): void {
  for (const run of chunk.match(UNSPACED_RUNS) ?? []) {
    if (UNSPACED.test(run)) addNeighbours(run, tokens)
    else for (const other of run.match(CHUNK) ?? []) addChunk(other, tokens)
  }
}

function addNeighbours(run: string, tokens: Token[]): void {
  const characters = [...run]
  if (characters.length === 1) tokens.push({ text: run, kind: 'word', isPart: false })
  for (let i = 1; i < characters.length; i++) tokens.push({ text: `${characters[i - 1]}${characters[i]}`, kind: 'word', isPart: false })
}

/**
 * `don't` gives `do`, `not`; `Anna's` gives `anna`; `o'brien` stays whole, followed by its parts. Endings beyond ENDINGS_MAX, which no word
 * has ("shouldn't've" has two), stay as they are.
 */
function addContraction(chunk: string, tokens: Token[], endings: number): void {
  const word = chunk.toLowerCase()
  const negated = endings < ENDINGS_MAX ? /^(.+)n't$/.exec(word)?.[1] : undefined
  if (negated !== undefined) {
    addChunk(CONTRACTIONS.get(negated) ?? negated, tokens, endings + 1)
    tokens.push({ text: 'not', kind: 'word', isPart: false })
    return
  }
  const base = endings < ENDINGS_MAX ? chunk.replace(/'(?:s|m|re|ve|ll|d)$/i, '') : chunk
  if (base !== chunk) addChunk(base, tokens, endings + 1)
  else addParts(chunk, word.replaceAll("'", ''), 'word', chunk.split("'"), tokens)
}

/** Most endings removed from one word. */
const ENDINGS_MAX = 4

/** A number keeps its form, except `1,000`, which becomes `1000`. Dates, times and ranges also give their parts. */
function addNumber(chunk: string, tokens: Token[]): void {
  const whole = /^\p{N}{1,3}(?:,\p{N}{3})+$/u.test(chunk) ? chunk.replaceAll(',', '') : chunk
  const parts = /[:/,-]/.test(whole) ? whole.split(/[:/,-]/) : []
  addParts(chunk, whole, 'number', parts, tokens)
}

/** Commas and colons join digits only; elsewhere a space is missing. */
function addSeparated(chunk: string, tokens: Token[]): void {
  for (const piece of chunk.split(/[,:]/)) if (piece !== '') addChunk(piece, tokens)
}

/** Code names, paths, addresses, versions, letters mixed with digits: whole and in parts. Hyphenated words: joined and in parts. */
function addCompound(chunk: string, tokens: Token[]): void {
  const isHyphenated = /^\p{L}[\p{L}\p{M}]*(?:[-/]\p{L}[\p{L}\p{M}]*)+$/u.test(chunk)
  if (isHyphenated && chunk.includes('/')) {
    for (const piece of chunk.split('/')) addChunk(piece, tokens)
    return
  }
  const parts = chunk
    .replace(CAMEL_HUMP, '$& ')
    .split(/[\s_.@/#+-]+/)
    .filter((part) => part !== '')
  const measured = parts.length === 1 ? /^(\p{N}+)(\p{L}+)$/u.exec(chunk) : null
  const whole = chunk.toLowerCase()
  if (isHyphenated) addParts(chunk, whole.replaceAll('-', ''), 'word', parts, tokens)
  else addParts(chunk, whole, 'identifier', measured?.slice(1) ?? (/[+#]$/.test(chunk) ? parts.slice(1) : parts), tokens)
}

function addParts(chunk: string, whole: string, kind: TokenKind, parts: readonly string[], tokens: Token[]): void {
  tokens.push({ text: whole, kind, isPart: false })
  for (const part of parts) {
    if (part === '' || part === chunk) continue
    const text = part.toLowerCase()
    if (/^\p{N}+$/u.test(part)) tokens.push({ text, kind: 'number', isPart: true })
    else if (/\p{N}/u.test(part)) tokens.push({ text, kind: 'identifier', isPart: true })
    else tokens.push({ text, kind: 'word', isPart: true })
  }
}
