/** Which resonance triggers an input fires. */
import type { SimilarityScale } from '../calibration.js'
import { TEXT_LENGTH_MAX } from '../limits.js'
import { createPace, isPauseDue, type Pieces } from '../pieces.js'
import { similarity } from '../semantic-state.js'
import type { Trigger } from '../session.js'
import { foldCase } from '../text/normal-form.js'
import { holds } from '../text/substring.js'
import { UNSPACED } from '../text/tokens.js'
import { PRODUCTS_A_PIECE, PRODUCTS_A_VECTOR } from '../vector.js'

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u

/** What is not one plain space. */
const UNEVEN_SPACE = /[^\S ]\s*| \s+/gu

/** Characters that are looked at, and UTF-16 units that are folded, in one go: about a millisecond. */
const EDGES_A_PIECE = 8_192
const FOLDED_A_PIECE = 8_192

/**
 * UTF-16 units of a folded text that are searched: as many as the longest text has. Folding leaves most texts as long as they are, and
 * spells out single characters as up to eighteen letters.
 */
const FOLDED_LENGTH_MAX = 2 * TEXT_LENGTH_MAX

export interface TriggerInput {
  readonly text: string
  /** Unit length. */
  readonly vector: Float32Array
  /** Of the model that made the vector. */
  readonly scale: SimilarityScale
}

/**
 * The triggers that fire, in their order: a keyword that stands in the text as a whole word or phrase, an embedding near enough. In time
 * with the length of the text, times the number of triggers, whatever the keywords are.
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

/** A keyword as it is compared; empty when nothing of it can be found in any text. */
export function foldFully(text: string): string {
  // Through upper case: it spells out what lower case alone keeps apart (ß and ss, final sigma), as full case folding does.
  // Lower case first: the capital ẞ has no upper case of its own.
  return foldCase(text).toUpperCase().toLowerCase().replaceAll('ς', 'σ').replace(UNEVEN_SPACE, ' ').trim()
}

/** The same in pieces; what goes beyond FOLDED_LENGTH_MAX is left out. */
export function* foldInPieces(text: string): Pieces<{ readonly folded: string; readonly isWhole: boolean }> {
  const parts: string[] = []
  let length = 0
  let at = 0
  while (at < text.length && length < FOLDED_LENGTH_MAX) {
    yield
    const end = placeToDivide(text, at + FOLDED_A_PIECE)
    // Between signs that no mark is joined with, as spaces at the ends of a part may stand between two words.
    const part = foldFully(`|${text.slice(at, end)}|`).slice(1, -1)
    parts.push(part)
    length += part.length
    at = end
  }
  return { folded: parts.join('').trim(), isWhole: at === text.length }
}

/** From `from` on the first place whose parts are folded as the whole is: nothing after it changes with what is before it. */
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

/** What begins with no mark, no vowel or end of a Korean syllable, and no space: it leaves alone what is before it (UAX #15, 9.1). */
const STANDS_ALONE = /^[^\p{M}\s\u1160-\u11ff]/u

/** A text as it is searched. */
interface Words {
  readonly folded: string
  /** By offset in `folded`, its end included: 1 where a word may begin or end. */
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

/** Whether a word may begin or end between two characters, the first of which is empty at the beginning. */
function isEdge(before: string, next: string): boolean {
  if (before === '') return true
  // A keyword may stand inside a run of these.
  if (UNSPACED.test(before) || UNSPACED.test(next)) return !/\p{M}/u.test(next)
  return !(WORD_CHARACTER.test(before) && WORD_CHARACTER.test(next))
}

function* hasPhrase({ folded, edges }: Words, phrase: string): Pieces<boolean> {
  if (phrase === '') return false
  yield
  return yield* holds(folded, phrase, (at) => edges[at] === 1 && edges[at + phrase.length] === 1)
}
