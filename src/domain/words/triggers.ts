/** Decides which resonance triggers an input fires. */
import type { SimilarityScale } from '../similarity/calibration.js'
import { TEXT_LENGTH_MAX } from '../limits.js'
import { createPace, isPauseDue, type Pieces } from '../pieces.js'
import type { Trigger } from '../session.js'
import { foldCase } from '../text/normal-form.js'
import { holds } from '../text/substring.js'
import { UNSPACED } from '../text/tokens.js'
import { PRODUCTS_A_PIECE, PRODUCTS_A_VECTOR, similarity } from '../similarity/vector.js'

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u

/** Any white space other than a single plain space. */
const UNEVEN_SPACE = /[^\S ]\s*| \s+/gu

/** Characters examined, and UTF-16 units folded, per piece: about a millisecond. */
const EDGES_A_PIECE = 8_192
const FOLDED_A_PIECE = 8_192

/**
 * Longest folded text that is searched, in UTF-16 units. Folding leaves most texts at their length, but spells out some single characters
 * as up to eighteen letters.
 */
const FOLDED_LENGTH_MAX = 2 * TEXT_LENGTH_MAX

export interface TriggerInput {
  readonly text: string
  /** Of unit length. */
  readonly vector: Float32Array
  /** Scale of the model that made the vector. */
  readonly scale: SimilarityScale
}

/**
 * Triggers that fire, in their order: a keyword fires if it stands in the text as a whole word or phrase, an embedding if it is near
 * enough. Takes time proportional to the length of the text times the number of triggers, whatever the keywords are.
 */
export function* firedTriggers(input: TriggerInput, triggers: Iterable<Trigger>): Pieces<Trigger[]> {
  const fired: Trigger[] = []
  const pace = createPace()
  let words: Words | null = null
  for (const trigger of triggers) {
    const { keyword, embedding } = trigger
    if (embedding !== null) {
      if (isPauseDue(pace, (PRODUCTS_A_VECTOR + embedding.length) / PRODUCTS_A_PIECE)) yield
      if (input.scale(similarity(input.vector, embedding)) >= trigger.threshold) fired.push(trigger)
    } else if (keyword !== null) {
      words ??= yield* wordsOf(input.text)
      if (yield* hasPhrase(words, foldFully(keyword))) fired.push(trigger)
    }
  }
  return fired
}

/** Folds a keyword for comparison; empty when it contains nothing that a text could match. */
export function foldFully(text: string): string {
  // Upper-casing spells out what lower-casing alone keeps apart (ß and ss, final sigma), as full case folding does. Lower case comes first
  // because the capital ẞ has no upper case of its own.
  return foldCase(text).toUpperCase().toLowerCase().replaceAll('ς', 'σ').replace(UNEVEN_SPACE, ' ').trim()
}

/** `foldFully` in pieces. Text beyond FOLDED_LENGTH_MAX is left out. */
export function* foldInPieces(text: string): Pieces<{ readonly folded: string; readonly isWhole: boolean }> {
  const parts: string[] = []
  let length = 0
  let at = 0
  while (at < text.length && length < FOLDED_LENGTH_MAX) {
    yield
    const end = placeToDivide(text, at + FOLDED_A_PIECE)
    // The delimiters join no mark, and keep the spaces at the ends of a part, which may separate two words.
    const part = foldFully(`|${text.slice(at, end)}|`).slice(1, -1)
    parts.push(part)
    length += part.length
    at = end
  }
  return { folded: parts.join('').trim(), isWhole: at === text.length }
}

/**
 * First position from `from` on at which the text can be divided so that its parts fold as the whole does: what follows does not depend on
 * what precedes.
 */
function placeToDivide(text: string, from: number): number {
  let at = from
  if (/^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))) at += 1
  while (at < text.length) {
    const next = String.fromCodePoint(text.codePointAt(at) as number)
    if (STANDS_ALONE.test(next.normalize('NFKC'))) return at
    at += next.length
  }
  return text.length
}

/** A character that is no mark, no Korean vowel or final consonant, and no space: it never combines with what precedes (UAX #15, 9.1). */
const STANDS_ALONE = /^[^\p{M}\s\u1160-\u11ff]/u

/** A text prepared for the search. */
interface Words {
  readonly folded: string
  /** 1 at each offset in `folded`, the end included, where a word may begin or end. */
  readonly edges: Uint8Array
}

function* wordsOf(text: string): Pieces<Words> {
  const { folded, isWhole } = yield* foldInPieces(text)
  const edges = new Uint8Array(folded.length + 1)
  let before = ''
  let offset = 0
  let characters = 0
  for (const next of folded) {
    if (characters++ % EDGES_A_PIECE === 0) yield
    if (isEdge(before, next)) edges[offset] = 1
    before = next
    offset += next.length
  }
  edges[offset] = isWhole ? 1 : 0
  return { folded, edges }
}

/** Whether a word may begin or end between two characters. `before` is empty at the start of the text. */
function isEdge(before: string, next: string): boolean {
  if (before === '') return true
  // Within scripts without spaces a keyword may stand anywhere.
  if (UNSPACED.test(before) || UNSPACED.test(next)) return !/\p{M}/u.test(next)
  return !(WORD_CHARACTER.test(before) && WORD_CHARACTER.test(next))
}

function* hasPhrase({ folded, edges }: Words, phrase: string): Pieces<boolean> {
  if (phrase === '') return false
  yield
  return yield* holds(folded, phrase, (at) => edges[at] === 1 && edges[at + phrase.length] === 1)
}
